//! Messages: what a conversation is made of. Immutable once recorded, and never poorer after a
//! round trip through JSON.

mod media;
mod native;
mod part;
mod provenance;
mod tool_call;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use self::{
    media::{Media, MediaSource},
    part::{Origin, Part, Reasoning, Section, Text, ToolResult, Zone},
    provenance::Provenance,
    tool_call::{Arguments, ToolCall},
};
use crate::{StopReason, Usage};

/// Says who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The system prompt.
    System,
    /// The host application, in the course of a conversation; never counts as a system message.
    Developer,
    /// The person, or whoever stands for them.
    User,
    /// The model.
    Assistant,
    /// The results of tools.
    Tool,
}

/// Identifies a message within its session.
///
/// The session's counter gives it when the message is recorded; [`MessageId::NONE`] until then.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct MessageId(pub u64);

impl MessageId {
    /// The id of a message that is not recorded yet.
    pub const NONE: Self = Self(0);

    /// Tells whether a session gave this id.
    pub fn is_given(self) -> bool {
        self != Self::NONE
    }
}

/// One message of a conversation.
///
/// ```
/// use brute_core::Message;
///
/// let message = Message::user("Fix the failing test.");
/// assert_eq!(message.text(), "Fix the failing test.");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who this message is within its session.
    #[serde(default, skip_serializing_if = "is_none")]
    pub id: MessageId,
    /// Who speaks.
    pub role: Role,
    /// What is said, in order.
    pub parts: Vec<Part>,
    /// What the call that produced this message used; for assistant messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Why the model stopped; for assistant messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopReason>,
    /// Where it came from; for assistant messages of a real model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Arc<Provenance>>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_none(id: &MessageId) -> bool {
    !id.is_given()
}

impl Message {
    /// Creates a message that is not recorded yet.
    pub fn new(role: Role, parts: Vec<Part>) -> Self {
        Self { id: MessageId::NONE, role, parts, usage: None, stop: None, provenance: None }
    }

    /// Creates a system message of one text.
    pub fn system(text: impl Into<Arc<str>>) -> Self {
        Self::new(Role::System, vec![Part::text(text)])
    }

    /// Creates a message of the host application.
    pub fn developer(text: impl Into<Arc<str>>) -> Self {
        Self::new(Role::Developer, vec![Part::text(text)])
    }

    /// Creates a message that the user wrote.
    pub fn user(text: impl Into<Arc<str>>) -> Self {
        Self::new(Role::User, vec![Part::text(text)])
    }

    /// Creates an answer of the model.
    pub fn assistant(text: impl Into<Arc<str>>) -> Self {
        Self::new(Role::Assistant, vec![Part::text(text)])
    }

    /// Creates the result of one tool call.
    pub fn tool_result(result: ToolResult) -> Self {
        Self::new(Role::Tool, vec![Part::ToolResult(result)])
    }

    /// Returns all text of this message, joined; sections by a blank line.
    pub fn text(&self) -> String {
        let mut whole = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => whole.push_str(&text.text),
                Part::Section(section) => {
                    if !whole.is_empty() {
                        whole.push_str("\n\n");
                    }
                    whole.push_str(&section.text);
                }
                _ => {}
            }
        }
        whole
    }

    /// Iterates over the tool calls, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// Iterates over the tool results, in order.
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolResult(result) => Some(result),
            _ => None,
        })
    }

    /// Iterates over the named sections, in order.
    pub fn sections(&self) -> impl Iterator<Item = &Section> {
        self.parts.iter().filter_map(|part| match part {
            Part::Section(section) => Some(section),
            _ => None,
        })
    }

    /// Tells whether the model asks for tools.
    pub fn has_tool_calls(&self) -> bool {
        self.tool_calls().next().is_some()
    }

    /// Tells whether there is neither text (beyond white space) nor any other part to act on.
    pub fn is_blank(&self) -> bool {
        self.parts.iter().all(|part| match part {
            Part::Text(text) => text.text.trim().is_empty(),
            Part::Section(section) => section.text.trim().is_empty(),
            Part::Reasoning(_) => true,
            _ => false,
        })
    }
}
