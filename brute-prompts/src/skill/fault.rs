//! What can be wrong with a skill file, before it is known how much it matters.

use std::path::Path;

use crate::{Diagnostic, Severity};

/// One fault: a stable kind, and a sentence that says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// Reports the fault on `path` as one that left the skill out.
    pub(crate) fn fatal(self, path: &Path) -> Diagnostic {
        self.with(path, Severity::Error)
    }

    /// Reports the fault on `path` as one that the loader lived with.
    pub(crate) fn tolerated(self, path: &Path) -> Diagnostic {
        let harmless = matches!(self.kind, "unknown_field" | "metadata_nested");
        self.with(path, if harmless { Severity::Info } else { Severity::Warning })
    }

    pub(crate) fn with(self, path: &Path, severity: Severity) -> Diagnostic {
        Diagnostic { path: path.to_path_buf(), kind: self.kind, severity, message: self.message }
    }
}
