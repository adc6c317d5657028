//! What was odd about a file, in a form that a person can act on.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use serde::{Serialize, Serializer};

use crate::plain;

/// Tells how much a [`Diagnostic`] matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing was changed.
    Info,
    /// Something was repaired, cut or ignored.
    Warning,
    /// The file was left out.
    Error,
}

/// Names a file, what is wrong with it, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The file or folder.
    #[serde(serialize_with = "as_text")]
    pub path: PathBuf,
    /// A stable word for the kind of fault, such as `yaml_invalid`.
    pub kind: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong, and what to do about it.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.severity {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let path = self.path.to_string_lossy();
        write!(f, "{word}: {}: {} ({})", plain::visible(&path), self.message, self.kind)
    }
}

/// Writes a path even where it is not UTF-8, because that may be what is to be reported.
fn as_text<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}
