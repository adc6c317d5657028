//! References such as `@notes.md`: a file that holds a text in place of the text itself.

use crate::{PromptError, PromptErrorKind, plain};

/// A text, and where it comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Referred {
    /// The text, without a byte order mark.
    pub text: String,
    /// The path of the file, or what the text is.
    pub source: String,
}

impl Referred {
    /// Returns the text of a file; a byte order mark in front of it goes.
    pub fn file(text: impl Into<String>, path: impl Into<String>) -> Self {
        let mut text = text.into();
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        Self { text, source: path.into() }
    }

    /// Returns a text that stands for itself, as it is.
    pub(super) fn inline(text: &str, source: &str) -> Self {
        Self { text: text.to_owned(), source: source.to_owned() }
    }
}

/// Finds the files that `@path` stands for.
///
/// [`ReferenceFolders`](crate::gather::ReferenceFolders) looks on the disk, [`Bundle`](super::Bundle)
/// into memory, [`NoReferences`] nowhere. What a file holds is not searched for references again.
pub trait References {
    /// Returns the text of the file; `path` is everything behind the at sign, as it is.
    ///
    /// # Errors
    ///
    /// Fails with [`PromptErrorKind::NotFound`] where there is no such file, and with another kind
    /// where it cannot or must not be read. The error names what was tried.
    fn read(&self, path: &str) -> Result<Referred, PromptError>;
}

/// Finds no files: for prompts that stand in code.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoReferences;

impl References for NoReferences {
    fn read(&self, path: &str) -> Result<Referred, PromptError> {
        Err(not_found(path, "prompts here cannot refer to files"))
    }
}

/// Returns the path that a value refers to; the whole rest of the value is the path.
pub(super) fn referred_path(value: &str) -> Option<&str> {
    value.strip_prefix('@')
}

/// Returns the error about a file that is nowhere.
pub(crate) fn not_found(path: &str, why: &str) -> PromptError {
    let message = format!("cannot find the file of @{}: {why}", plain::visible(path));
    PromptError::new(PromptErrorKind::NotFound, message)
}
