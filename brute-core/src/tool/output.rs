//! What a tool answers.

use std::sync::Arc;

use serde::Serialize;

use crate::{Error, ErrorKind, Media, ToolResult};

/// What a tool answers; text becomes one by `into()`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolOutput {
    /// The answer, as the model reads it.
    pub text: Arc<str>,
    /// Images or documents that belong to it.
    pub media: Vec<Media>,
    /// Whether the tool failed.
    pub is_error: bool,
    /// Whether the text was cut.
    pub truncated: bool,
    /// Whether layers that shorten the conversation should keep it whole.
    pub pinned: bool,
}

impl ToolOutput {
    /// Creates an answer that says what went wrong.
    pub fn error(text: impl Into<Arc<str>>) -> Self {
        Self { text: text.into(), is_error: true, ..Self::default() }
    }

    /// Asks layers that shorten the conversation to keep the answer whole.
    #[must_use]
    pub fn pinned(mut self) -> Self {
        self.pinned = true;
        self
    }

    /// Creates an answer of a value as JSON.
    ///
    /// # Errors
    /// Fails if the value has no JSON form, such as a map with keys that are no text.
    pub fn json(value: &impl Serialize) -> Result<Self, Error> {
        let text = serde_json::to_string(value).map_err(|error| {
            Error::new(ErrorKind::Tool, "the output has no json form").because(error)
        })?;
        Ok(text.into())
    }

    /// Turns the answer into the result of a call.
    pub fn into_result(self, call_id: Arc<str>) -> ToolResult {
        let Self { text, media, is_error, truncated, pinned } = self;
        ToolResult { call_id, text, media, is_error, truncated, pinned }
    }
}

impl From<Arc<str>> for ToolOutput {
    fn from(text: Arc<str>) -> Self {
        Self { text, ..Self::default() }
    }
}

impl From<String> for ToolOutput {
    fn from(text: String) -> Self {
        Arc::<str>::from(text).into()
    }
}

impl From<&str> for ToolOutput {
    fn from(text: &str) -> Self {
        Arc::<str>::from(text).into()
    }
}
