//! What was read before, as long as the files stay the same.

use std::{
    collections::HashMap,
    fs::Metadata,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

/// How many files are kept; when there are more, all go.
const MAX_KEPT: usize = 256;

/// Keeps the texts of files, each as long as its file stays the same. A clone shares them.
#[derive(Clone, Debug, Default)]
pub struct WorkspaceCache(Arc<Mutex<Kept>>);

/// What was read of each file, and in which state the file was.
type Kept = HashMap<PathBuf, (Identity, Arc<str>)>;

/// What tells one state of a file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    place: (u64, u64),
    size: u64,
    modified: Option<SystemTime>,
}

impl Identity {
    pub(super) fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok();
        Self { place: place(metadata), size: metadata.len(), modified }
    }
}

/// Returns device and number of the file.
#[cfg(unix)]
fn place(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn place(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

impl WorkspaceCache {
    /// Returns an empty cache.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn get(&self, path: &Path, identity: Identity) -> Option<Arc<str>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, text) = kept.get(path)?;
        (*known == identity).then(|| text.clone())
    }

    pub(super) fn put(&self, path: &Path, identity: Identity, text: &Arc<str>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX_KEPT {
            kept.clear();
        }
        kept.insert(path.to_path_buf(), (identity, text.clone()));
    }
}
