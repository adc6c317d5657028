//! Reads one file of a workspace, and nothing outside of it.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use super::{
    WorkspaceOptions,
    cache::{Identity, WorkspaceCache},
    candidates::file_name,
};
use crate::{
    Diagnostic, Severity,
    gather::read::{is_missing, read_text},
    normalise::without_mark,
};

/// The largest file that is read.
const MAX_BYTES: u64 = 2 << 20;

/// How often a file is tried that is busy.
const ATTEMPTS: usize = 3;

/// How long is waited between two attempts.
const PAUSE: Duration = Duration::from_millis(50);

/// A file before it is cut: what a transform may change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkspaceSource {
    /// The name, such as `SOUL.md`.
    pub name: String,
    /// The path; a file without one is left out.
    pub path: Option<PathBuf>,
    /// The text; nothing where the file is missing.
    pub text: Option<Arc<str>>,
}

/// Reads the files of one workspace.
pub(super) struct Reader<'a> {
    /// The root as the system knows it.
    root: PathBuf,
    cache: Option<&'a WorkspaceCache>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        root: &Path,
        options: &'a WorkspaceOptions,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        let root = fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
        Self { root, cache: options.cache.as_ref(), diagnostics }
    }

    /// Reads a file; where that fails, it counts as missing.
    pub(super) fn read(&mut self, path: PathBuf) -> WorkspaceSource {
        let text = match self.text(&path) {
            Ok(text) => Some(text),
            Err(Refusal::Missing) => None,
            Err(Refusal::Odd(kind, message)) => {
                self.report(&path, kind, message);
                None
            }
        };
        WorkspaceSource { name: file_name(&path), path: Some(path), text }
    }

    fn text(&mut self, path: &Path) -> Result<Arc<str>, Refusal> {
        let real = fs::canonicalize(path)?;
        if !real.starts_with(&self.root) {
            let message = "the file lies outside the workspace and is not read";
            return Err(Refusal::Odd("outside", message.to_owned()));
        }
        let metadata = fs::metadata(&real)?;
        if metadata.len() > MAX_BYTES {
            let message = format!("the file has more than {MAX_BYTES} bytes and is not read");
            return Err(Refusal::Odd("file_too_large", message));
        }
        let identity = Identity::of(&metadata);
        if let Some(text) = self.cache.and_then(|cache| cache.get(&real, identity)) {
            return Ok(text);
        }
        let file = retried(|| read_text(&real, MAX_BYTES))?;
        if file.is_lossy {
            let message = "what is not UTF-8 was read as replacement characters";
            self.report(path, "not_utf8", message.to_owned());
        }
        let text: Arc<str> = without_mark(&file.text).into();
        if let Some(cache) = self.cache {
            cache.put(&real, identity, &text);
        }
        Ok(text)
    }

    fn report(&mut self, path: &Path, kind: &'static str, message: String) {
        let (path, severity) = (path.to_path_buf(), Severity::Warning);
        self.diagnostics.push(Diagnostic { path, kind, severity, message });
    }
}

/// Why a file is not read.
enum Refusal {
    Missing,
    Odd(&'static str, String),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            _ if is_missing(&error) => Self::Missing,
            io::ErrorKind::IsADirectory => Self::Odd("not_a_file", "it is not a file".to_owned()),
            _ => Self::Odd("unreadable", format!("the file cannot be read: {error}")),
        }
    }
}

/// Tries again while the system is busy.
fn retried<T>(mut read: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for _ in 1..ATTEMPTS {
        match read() {
            Err(error) if is_transient(&error) => thread::sleep(PAUSE),
            done => return done,
        }
    }
    read()
}

fn is_transient(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, ResourceBusy, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | ResourceBusy | TimedOut | WouldBlock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(errors: usize, kind: io::ErrorKind, calls: usize, is_read: bool) {
        let mut made = 0;
        let read = retried(|| {
            made += 1;
            if made > errors { Ok(()) } else { Err(kind.into()) }
        });
        assert_eq!((made, read.is_ok()), (calls, is_read));
    }

    #[test]
    fn a_busy_file_is_tried_three_times() {
        check(0, io::ErrorKind::WouldBlock, 1, true);
        check(2, io::ErrorKind::WouldBlock, 3, true);
        check(9, io::ErrorKind::TimedOut, 3, false);
        check(9, io::ErrorKind::PermissionDenied, 1, false);
    }
}
