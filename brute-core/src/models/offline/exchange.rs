//! What the user asked, and what was looked at since.

use crate::{Message, Origin, Part, Role, ToolCall, ToolResult, Turn};

/// The last question and the tool results since.
#[derive(Debug, Default)]
pub(super) struct Exchange<'a> {
    /// What the user wrote.
    pub(super) question: String,
    /// How many images or documents came with it.
    pub(super) media: usize,
    /// How many times tools were called since.
    pub(super) rounds: usize,
    /// What they returned, in order.
    pub(super) looks: Vec<Look<'a>>,
}

/// One tool call and its result.
#[derive(Debug)]
pub(super) struct Look<'a> {
    /// The name by which prompt texts know the tool.
    pub(super) tool: &'a str,
    /// The call.
    pub(super) call: &'a ToolCall,
    /// What came back.
    pub(super) result: &'a ToolResult,
}

impl<'a> Exchange<'a> {
    /// Reads the end of the conversation.
    pub(super) fn of(turn: &'a Turn) -> Self {
        let from_end = turn.log.iter().rev().position(|message| is_of_user(message));
        let Some(from_end) = from_end else { return Self::default() };
        let asked = turn.log.len() - 1 - from_end;
        let since: Vec<_> = turn.log.since(asked).map(|message| &**message).collect();
        let question = since[0];
        Self {
            question: authored(question),
            media: question.parts.iter().filter(|part| matches!(part, Part::Media(_))).count(),
            rounds: since.iter().filter(|message| message.has_tool_calls()).count(),
            looks: looks(turn, &since),
        }
    }

    /// Tells whether there is nothing to answer.
    pub(super) fn is_blank(&self) -> bool {
        self.question.trim().is_empty() && self.media == 0
    }

    /// Iterates over the results of tools that did not fail.
    pub(super) fn successes(&self) -> impl Iterator<Item = &Look<'a>> {
        self.looks.iter().filter(|look| !look.result.is_error)
    }
}

impl Look<'_> {
    /// Returns what the call was about: its first argument that is a text.
    pub(super) fn subject(&self) -> Option<&str> {
        let arguments = self.call.arguments.object()?.as_object()?;
        arguments.values().find_map(|value| value.as_str())
    }
}

/// Tells whether a person wrote a message, and not the program in their name.
fn is_of_user(message: &Message) -> bool {
    let is_authored = |part: &Part| match part {
        Part::Text(text) => text.origin == Origin::Authored,
        Part::Media(_) => true,
        _ => false,
    };
    message.role == Role::User && message.parts.iter().any(is_authored)
}

fn authored(message: &Message) -> String {
    let texts = message.parts.iter().filter_map(|part| match part {
        Part::Text(text) if text.origin == Origin::Authored => Some(&*text.text),
        _ => None,
    });
    texts.collect()
}

fn looks<'a>(turn: &'a Turn, since: &[&'a Message]) -> Vec<Look<'a>> {
    let calls = since
        .iter()
        .enumerate()
        .flat_map(|(position, message)| message.tool_calls().map(move |call| (position, call)));
    calls
        .filter_map(|(position, call)| {
            let mut results = since[position..].iter().flat_map(|message| message.tool_results());
            let result = results.find(|result| result.call_id == call.id)?;
            Some(Look { tool: known_name(turn, &call.name), call, result })
        })
        .collect()
}

fn known_name<'a>(turn: &'a Turn, name: &'a str) -> &'a str {
    turn.tools.get(name).map_or(name, |tool| tool.spec().known_name())
}
