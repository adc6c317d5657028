//! What happens during a turn, as it happens.

mod arguments_so_far;

use std::{sync::Arc, time::Duration};

pub use self::arguments_so_far::ArgumentsSoFar;
use crate::{ErrorKind, ModelId, StopReason, ToolCall, Usage};

/// One thing that happened during a turn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A turn began.
    TurnStart,
    /// A turn ended with a reply.
    TurnEnd {
        /// Why it ended.
        stop: StopReason,
        /// What all its model calls used.
        usage: Usage,
    },
    /// A turn failed.
    TurnFailed {
        /// The sort of failure.
        kind: ErrorKind,
        /// What went wrong.
        message: Arc<str>,
    },
    /// A model call began.
    StepStart {
        /// Its number within the turn, from 1.
        step: u32,
    },
    /// A model call, and the tools it asked for, ended.
    StepEnd {
        /// Its number within the turn.
        step: u32,
        /// Why the model stopped.
        stop: StopReason,
        /// What the call used.
        usage: Usage,
    },
    /// A model call failed: the deltas since its start belong to no message.
    StepFailed {
        /// Its number within the turn.
        step: u32,
        /// The sort of failure.
        kind: ErrorKind,
        /// What went wrong.
        message: Arc<str>,
    },
    /// A piece of the answer's text.
    Text {
        /// The piece.
        delta: Arc<str>,
    },
    /// A piece of the model's reasoning.
    Reasoning {
        /// The piece.
        delta: Arc<str>,
    },
    /// A piece of the arguments of a tool call.
    ToolArguments {
        /// The call that it belongs to.
        call_id: Arc<str>,
        /// The name of the tool.
        name: Arc<str>,
        /// The piece.
        delta: Arc<str>,
        /// Everything of the arguments so far; see [`partial_json`](crate::partial_json).
        so_far: ArgumentsSoFar,
    },
    /// A tool started.
    ToolStart {
        /// The whole call.
        call: ToolCall,
    },
    /// A tool ended.
    ToolEnd {
        /// The call that it belongs to.
        call_id: Arc<str>,
        /// The name of the tool.
        name: Arc<str>,
        /// What it answered.
        text: Arc<str>,
        /// Whether it failed.
        is_error: bool,
    },
    /// A command in the input was replaced by the text of a skill, before the input is recorded.
    SkillExpanded {
        /// The name of the skill.
        name: Arc<str>,
    },
    /// A model call is tried again: the deltas since its start belong to no message.
    Retry {
        /// How many attempts were made so far.
        attempts: u32,
        /// The sort of failure of the last one.
        kind: ErrorKind,
        /// How long is waited before the next one.
        wait: Duration,
    },
    /// Another model is asked: the deltas since the start of the call belong to no message.
    Fallback {
        /// The model that failed.
        from: ModelId,
        /// The sort of its failure.
        kind: ErrorKind,
        /// The model that is asked now.
        to: ModelId,
    },
    /// What a provider may have cached of the request changed since the last call.
    PrefixChanged {
        /// The section, tool or message that changed.
        what: Arc<str>,
        /// How many cached tokens were read anew, where the provider counts them.
        lost_tokens: Option<u64>,
    },
    /// Something is odd but did not stop the turn.
    Diagnostic {
        /// What is odd and what to do about it.
        message: Arc<str>,
    },
    /// The handler was too slow and did not get this many events.
    Missed {
        /// How many.
        count: u64,
    },
}

impl Event {
    /// Creates a diagnostic.
    pub fn diagnostic(message: impl Into<Arc<str>>) -> Self {
        Self::Diagnostic { message: message.into() }
    }
}
