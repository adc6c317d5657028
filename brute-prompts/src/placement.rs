//! Where reminders and instruction files stand.

use serde::{Deserialize, Serialize};

use crate::Section;

/// Where the reminders of a prompt stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReminderPlacement {
    /// At the end of the system message.
    #[default]
    System,
    /// Not in the system message; another layer puts
    /// [`SystemPrompt::reminders`](crate::SystemPrompt::reminders) at the end of a call, where
    /// they leave the cached prefix alone.
    Tail,
}

/// Where the instruction files stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstructionPlacement {
    /// In the section `instructions` of the system message.
    #[default]
    System,
    /// Each in a developer message of its own, once in a session, before the first user message.
    Developer,
    /// Together in front of what the user says first.
    Preamble,
}

/// For whom a message of the prompt is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContextRole {
    /// A message of the developer; a provider without that role takes it for a user message.
    Developer,
    /// The beginning of what the user says first.
    User,
}

/// A part of the prompt that stands outside the system message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextMessage {
    /// For whom it is written.
    pub role: ContextRole,
    /// What it says, and where that comes from.
    pub section: Section,
}
