//! What goes down the stack.

use std::sync::Arc;

use crate::{Events, Facts, Input, Journal, Log, Meta, ModelId, Settings, Toolbox};

/// A request to continue a conversation; a clone costs a few reference counts, whatever its length.
///
/// Above `AcceptInput` a layer shapes what will be recorded; below it, only what the model sees.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// What the user says now, not yet part of the log; empty below `AcceptInput`.
    pub input: Input,
    /// What the model will see; a layer may change it, for what lies below it only.
    pub log: Log,
    /// Which model is meant.
    pub model: ModelId,
    /// The tools on offer.
    pub tools: Toolbox,
    /// What the caller asks of the model.
    pub settings: Arc<Settings>,
    /// What layers tell each other, tools and prompts.
    pub facts: Facts,
    /// The session's metadata; changes go through the journal.
    pub meta: Meta,
    /// Where deltas and progress go.
    pub events: Events,
    /// The one writer of the session's record.
    pub journal: Journal,
    /// Whatever else layers want to hand down, by type.
    pub extensions: http::Extensions,
}

impl Turn {
    /// Returns the settings, to be changed for what lies below.
    pub fn settings_mut(&mut self) -> &mut Settings {
        Arc::make_mut(&mut self.settings)
    }
}
