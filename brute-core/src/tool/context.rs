//! What a tool is called with.

use crate::{Events, Facts, ToolCall};

use super::ToolEntry;

/// What a tool may know beside its arguments.
#[derive(Clone, Debug)]
pub struct ToolContext {
    /// The call, as the model wrote it.
    pub call: ToolCall,
    /// The facts of the turn, such as the working directory.
    pub facts: Facts,
    /// Where progress goes.
    pub events: Events,
}

/// What goes down the stack around a tool.
#[derive(Clone, Debug)]
pub struct ToolRequest {
    /// The tool that is asked for; `None` when no such tool is on offer.
    pub tool: Option<ToolEntry>,
    /// What the tool may know.
    pub context: ToolContext,
    /// The names of all tools on offer, for the answer to a wrong name.
    pub on_offer: super::Toolbox,
}
