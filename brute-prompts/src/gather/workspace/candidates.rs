//! Which files are looked for.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{WorkspaceOptions, patterns::matching};
use crate::Diagnostic;

/// The files of a workspace, in the order in which they are read and spend the budget.
pub const WORKSPACE_FILES: [&str; 8] = [
    "AGENTS.md",
    "SOUL.md",
    "TOOLS.md",
    "IDENTITY.md",
    "USER.md",
    "HEARTBEAT.md",
    "BOOTSTRAP.md",
    "MEMORY.md",
];

/// For whom the files are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// The agent of the workspace: every file.
    #[default]
    Main,
    /// A sub-agent: `AGENTS.md` and `TOOLS.md`.
    SubAgent,
    /// A run by a timer: those, and who the agent and the user are.
    Scheduled,
    /// A room with several people: everything but `MEMORY.md`.
    Shared,
}

impl Audience {
    fn reads(self, name: &str) -> bool {
        match self {
            Self::Main => true,
            Self::SubAgent => matches!(name, "AGENTS.md" | "TOOLS.md"),
            Self::Scheduled => {
                matches!(name, "AGENTS.md" | "TOOLS.md" | "SOUL.md" | "IDENTITY.md" | "USER.md")
            }
            Self::Shared => name != "MEMORY.md",
        }
    }
}

/// Returns the paths to read: the known files, then what the patterns match.
pub(super) fn candidates(
    root: &Path,
    options: &WorkspaceOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<PathBuf> {
    let known = WORKSPACE_FILES.iter().map(|name| root.join(name));
    let extra = options.patterns.iter().flat_map(|pattern| matching(root, pattern, diagnostics));
    let paths = known.chain(extra).filter(|path| is_wanted(path, options));
    let mut unique: Vec<PathBuf> = Vec::new();
    for path in paths {
        if !unique.contains(&path) {
            unique.push(path);
        }
    }
    unique
}

fn is_wanted(path: &Path, options: &WorkspaceOptions) -> bool {
    let name = file_name(path);
    let gate = match name.as_str() {
        "HEARTBEAT.md" => options.heartbeat,
        "BOOTSTRAP.md" => options.is_new,
        _ => true,
    };
    gate && options.audience.reads(&name)
}

pub(super) fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Returns true for files whose absence is nothing to speak of.
pub(super) fn is_optional(name: &str) -> bool {
    matches!(name, "BOOTSTRAP.md" | "MEMORY.md")
}
