//! A file of the project with instructions, as it stands in the prompt.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Whom an instruction file is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InstructionScope {
    /// The user, in every project.
    Global,
    /// The folder in which it lies, and all below.
    #[default]
    Project,
}

/// An instruction file, such as `AGENTS.md`: where it lies and what it says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InstructionFile {
    /// The path of the file.
    pub path: Arc<str>,
    /// What it says; cut, with a marker, where the budget ended.
    pub text: Arc<str>,
    /// Whether the text was cut.
    pub truncated: bool,
    /// The size in bytes before the cut.
    pub raw_bytes: usize,
    /// Whom it is for.
    pub scope: InstructionScope,
}
