//! Whether the model is told that files were cut.

use serde::{Deserialize, Serialize};

use crate::{CutCause, CutFile, WorkspaceFile, WorkspaceFiles, WorkspaceWarning};

/// How many files a warning names.
const MAX_NAMED: usize = 3;

/// How many signatures are remembered.
const MAX_REMEMBERED: usize = 32;

/// When the model is told that files were cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WarningMode {
    /// Never; nothing is remembered.
    Off,
    /// Once for the same cuts of the same files.
    #[default]
    Once,
    /// Each time.
    Always,
}

impl WorkspaceFiles {
    /// Returns what stands for the limits and the cuts, or nothing where nothing was cut.
    pub fn signature(&self) -> Option<String> {
        let mut cuts: Vec<_> = self.cut().map(cut_key).collect();
        if cuts.is_empty() {
            return None;
        }
        cuts.sort();
        serde_json::to_string(&(self.budget.per_file, self.budget.total, cuts)).ok()
    }

    /// Decides whether the model is told about the cuts, and remembers what it was told.
    ///
    /// `told` holds the signatures of earlier warnings, the newest last; the host keeps it between
    /// runs.
    pub fn warn(&mut self, mode: WarningMode, told: &mut Vec<String>) {
        let Some(signature) = self.signature().filter(|_| mode != WarningMode::Off) else {
            return;
        };
        let is_known = told.contains(&signature);
        if !is_known {
            told.push(signature);
            told.drain(..told.len().saturating_sub(MAX_REMEMBERED));
        }
        if mode == WarningMode::Always || !is_known {
            self.warning = Some(self.describe());
        }
    }

    fn describe(&self) -> WorkspaceWarning {
        let is_shared = |name: &str| self.cut().filter(|other| *other.name == *name).count() > 1;
        let describe = |file: &WorkspaceFile| CutFile {
            name: if is_shared(&file.name) { &file.path } else { &file.name }.to_string(),
            raw_chars: file.raw_chars,
            injected_chars: file.injected_chars(),
            percent: percent_removed(file),
            causes: file.causes.clone(),
        };
        WorkspaceWarning {
            files: self.cut().take(MAX_NAMED).map(describe).collect(),
            more: self.cut().count().saturating_sub(MAX_NAMED),
        }
    }
}

fn cut_key(file: &WorkspaceFile) -> (&str, usize, usize, Vec<CutCause>) {
    let mut causes = file.causes.clone();
    causes.sort();
    (&file.path, file.raw_chars, file.injected_chars(), causes)
}

/// Returns the part that was removed, rounded, at least one percent.
fn percent_removed(file: &WorkspaceFile) -> usize {
    let (raw, removed) =
        (file.raw_chars.max(1), file.raw_chars.saturating_sub(file.injected_chars()));
    ((removed * 200 + raw) / (raw * 2)).max(1)
}
