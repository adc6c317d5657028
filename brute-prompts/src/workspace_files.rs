//! The files of an agent's workspace, as they stand in the prompt.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Budget, CutCause};

/// Which part of its own limit a file must take to count as nearly too long.
const NEAR: f64 = 0.85;

/// What became of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileStatus {
    /// It stands in the prompt whole.
    #[default]
    Ok,
    /// It was cut.
    Truncated,
    /// It is not there, or cannot be read; a marker stands in its place.
    Missing,
    /// The files before it left no room for it.
    Dropped,
}

/// A file of the workspace: where it lies and what stands in the prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkspaceFile {
    /// The name, such as `SOUL.md`.
    pub name: Arc<str>,
    /// The path.
    pub path: Arc<str>,
    /// What stands in the prompt: the text, what is left of it, or the marker of a missing file.
    pub text: Arc<str>,
    /// What became of it.
    pub status: FileStatus,
    /// Which limits cut it.
    pub causes: Vec<CutCause>,
    /// The number of characters before the cut, without white space at the end.
    pub raw_chars: usize,
    /// The number of bytes before the cut, without white space at the end.
    pub raw_bytes: usize,
}

impl WorkspaceFile {
    /// Returns how many characters stand in the prompt.
    pub fn injected_chars(&self) -> usize {
        self.text.chars().count()
    }

    /// Returns true for the file that changes too often to stand among what is cached.
    pub fn is_dynamic(&self) -> bool {
        &*self.name == "HEARTBEAT.md"
    }
}

/// The files of a workspace in the order in which they stand in the prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspaceFiles {
    /// The files.
    pub files: Vec<WorkspaceFile>,
    /// The limits under which they were read.
    pub budget: Budget,
    /// What the model is told about files that were cut; nothing where it is not told.
    pub warning: Option<WorkspaceWarning>,
}

impl Default for WorkspaceFiles {
    fn default() -> Self {
        Self { files: Vec::new(), budget: Budget::WORKSPACE, warning: None }
    }
}

/// Tells about files that were cut.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspaceWarning {
    /// The first of them.
    pub files: Vec<CutFile>,
    /// How many more there are.
    pub more: usize,
}

/// Tells how much of a file was cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutFile {
    /// The name, or the path where two files share the name.
    pub name: String,
    /// The number of characters before the cut.
    pub raw_chars: usize,
    /// The number of characters in the prompt.
    pub injected_chars: usize,
    /// How much was removed, in percent.
    pub percent: usize,
    /// Which limits cut it.
    pub causes: Vec<CutCause>,
}

/// How well the files of a workspace fit their limits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspaceAnalysis {
    /// The number of characters of all files that are there, before cuts.
    pub raw_chars: usize,
    /// How many of them stand in the prompt.
    pub injected_chars: usize,
    /// The paths of the files that were cut or left out.
    pub cut: Vec<Arc<str>>,
    /// The paths of the whole files that nearly reach the limit of one file.
    pub near_limit: Vec<Arc<str>>,
    /// Whether all files together nearly reach their limit.
    pub is_total_near_limit: bool,
}

impl WorkspaceFiles {
    /// Returns how well the files fit their limits; those that are missing do not count.
    pub fn analysis(&self) -> WorkspaceAnalysis {
        let mut analysis = WorkspaceAnalysis::default();
        for file in self.files.iter().filter(|file| file.status != FileStatus::Missing) {
            analysis.take(file, self.budget.per_file);
        }
        analysis.is_total_near_limit = is_near(analysis.injected_chars, self.budget.total);
        analysis
    }

    /// Returns the files that were cut.
    pub(crate) fn cut(&self) -> impl Iterator<Item = &WorkspaceFile> {
        self.files.iter().filter(|file| file.status == FileStatus::Truncated)
    }
}

impl WorkspaceAnalysis {
    fn take(&mut self, file: &WorkspaceFile, limit: usize) {
        let injected = file.injected_chars();
        self.raw_chars += file.raw_chars;
        self.injected_chars += injected;
        match file.status {
            FileStatus::Truncated | FileStatus::Dropped => self.cut.push(file.path.clone()),
            FileStatus::Ok if is_near(injected, limit) => self.near_limit.push(file.path.clone()),
            FileStatus::Ok | FileStatus::Missing => {}
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "sizes of texts are far below what an f64 holds")]
fn is_near(size: usize, limit: usize) -> bool {
    size as f64 >= limit as f64 * NEAR
}
