//! What comes back up the stack.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Message, Role, Usage};

/// Says why a reply ended where it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// The model had said what it wanted to say.
    #[default]
    EndTurn,
    /// The model asks for tools, or their results wait to be answered.
    ToolCalls,
    /// The limit of output tokens was reached.
    MaxTokens,
    /// A stop sequence was written.
    StopSequence,
    /// The model or its provider declined.
    Refusal,
    /// The limit of steps was reached.
    MaxSteps,
    /// A budget was spent.
    Budget,
    /// Tool calls wait for a decision of a person.
    NeedsApproval,
    /// The turn was asked to end.
    Cancelled,
}

/// What is new after a turn or a model call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// What is to be appended to the log, in order: assistant message, tool results, …
    pub added: Vec<Arc<Message>>,
    /// What the model calls used, summed.
    pub usage: Usage,
    /// Why it ended.
    pub stop: StopReason,
}

impl Reply {
    /// Creates the reply of one message.
    pub fn new(message: impl Into<Arc<Message>>, stop: StopReason) -> Self {
        Self { added: vec![message.into()], usage: Usage::default(), stop }
    }

    /// Creates a reply of text that ends the turn.
    ///
    /// ```
    /// use brute_core::Reply;
    ///
    /// assert_eq!(Reply::text("Done.").answer(), "Done.");
    /// ```
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::new(Message::assistant(text), StopReason::EndTurn)
    }

    /// Returns the text of the last assistant message, or nothing.
    pub fn answer(&self) -> String {
        self.last_assistant().map(|message| message.text()).unwrap_or_default()
    }

    /// Returns the last assistant message.
    pub fn last_assistant(&self) -> Option<&Arc<Message>> {
        self.added.iter().rev().find(|message| message.role == Role::Assistant)
    }
}
