//! Reads the files of an agent's workspace.

mod cache;
mod candidates;
mod options;
mod patterns;
mod read;
mod recent_notes;
mod trim;

use std::path::Path;

pub use self::{
    cache::WorkspaceCache,
    candidates::{Audience, WORKSPACE_FILES},
    options::WorkspaceOptions,
    read::WorkspaceSource,
    recent_notes::{GatheredNotes, RecentNotes, recent_notes},
};
use self::{candidates::candidates, read::Reader, trim::trim};
use crate::{Diagnostic, WorkspaceFiles};

/// The files of a workspace, what was odd about them, and what the model was told before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workspace {
    /// The files.
    pub files: WorkspaceFiles,
    /// What was odd.
    pub diagnostics: Vec<Diagnostic>,
    /// The signatures of the warnings so far, to be given to
    /// [`WorkspaceOptions::told`] the next time.
    pub told: Vec<String>,
}

/// Reads the files of a workspace, within their limits. It fails for nothing.
///
/// # Example
///
/// ```no_run
/// use std::path::Path;
///
/// use brute_prompts::gather::{Audience, WorkspaceOptions, workspace_files};
///
/// let options = WorkspaceOptions::default().audience(Audience::SubAgent);
/// let workspace = workspace_files(Path::new("/srv/agent"), &options);
/// assert!(workspace.files.files.iter().all(|file| file.path.ends_with(".md")));
/// ```
pub fn workspace_files(root: &Path, options: &WorkspaceOptions) -> Workspace {
    let mut diagnostics = Vec::new();
    let candidates = candidates(root, options, &mut diagnostics);
    let mut reader = Reader::new(root, options, &mut diagnostics);
    let mut sources: Vec<_> = candidates.into_iter().map(|path| reader.read(path)).collect();
    if let Some(transform) = &options.transform {
        transform(&mut sources);
    }
    let mut files = trim(sources, options, &mut diagnostics);
    let mut told = options.told.clone();
    files.warn(options.warnings, &mut told);
    Workspace { files, diagnostics, told }
}
