//! The parts of a message.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Media, ToolCall, native::native};

/// One piece of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    /// Text that somebody wrote.
    Text(Text),
    /// A named piece of a system prompt or reminder.
    Section(Section),
    /// An image or a document.
    Media(Media),
    /// What the model thought before it answered.
    Reasoning(Reasoning),
    /// The model asks for a tool.
    ToolCall(ToolCall),
    /// What a tool answered.
    ToolResult(ToolResult),
    /// A part that only the provider understands, kept as it came.
    Provider {
        /// The provider's own JSON.
        native: Arc<Value>,
    },
}

impl Part {
    /// Creates a part of text that somebody wrote.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(Text { text: text.into(), origin: Origin::Authored, native: None })
    }

    /// Creates a part of text that the program made.
    pub fn generated(text: impl Into<Arc<str>>) -> Self {
        Self::Text(Text { text: text.into(), origin: Origin::Generated, native: None })
    }
}

/// Says whether a person wrote a text or the program made it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Somebody wrote it: commands in it are commands.
    #[default]
    Authored,
    /// The program made it: nothing in it is a command.
    Generated,
}

impl Origin {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
    fn is_authored(&self) -> bool {
        *self == Self::Authored
    }
}

/// Text with its origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Text {
    /// The text itself.
    pub text: Arc<str>,
    /// Who made it.
    #[serde(default, skip_serializing_if = "Origin::is_authored")]
    pub origin: Origin,
    /// The provider's own JSON of this part, sent back as it came.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "native")]
    pub native: Option<Arc<Value>>,
}

/// Says how long the text of a section stays as it is; the edges are the cache boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Zone {
    /// The same for everybody with this stack.
    Static,
    /// Fixed within a session.
    Session,
    /// May change between two calls.
    Dynamic,
}

/// A named piece of a system prompt or reminder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The name of the prompt module that wrote it.
    pub name: Arc<str>,
    /// How long its text stays as it is.
    pub zone: Zone,
    /// The text itself.
    pub text: Arc<str>,
}

/// What a model thought, with whatever its provider needs to see again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reasoning {
    /// The readable part; may be empty.
    pub text: Arc<str>,
    /// The provider's own JSON, with signature or encrypted content, sent back as it came.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "native")]
    pub native: Option<Arc<Value>>,
}

/// What a tool answered to one call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The id of the call that this answers.
    pub call_id: Arc<str>,
    /// The answer, as the model reads it.
    pub text: Arc<str>,
    /// Images or documents that belong to the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub media: Vec<Media>,
    /// Whether the tool failed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_error: bool,
    /// Whether the text was cut.
    #[serde(default, skip_serializing_if = "is_false")]
    pub truncated: bool,
    /// Whether layers that shorten the conversation should keep it whole.
    #[serde(default, skip_serializing_if = "is_false")]
    pub pinned: bool,
}

impl ToolResult {
    /// Creates the result of a call that worked.
    pub fn ok(call_id: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        let (call_id, text) = (call_id.into(), text.into());
        Self { call_id, text, media: Vec::new(), is_error: false, truncated: false, pinned: false }
    }

    /// Creates the result of a call that failed.
    pub fn error(call_id: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self { is_error: true, ..Self::ok(call_id, text) }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}
