//! Estimates what a call would use: four characters are a token.

use crate::{Message, Part, ToolSpec, Turn, Usage};

const CHARS_PER_TOKEN: usize = 4;

/// Estimates the tokens of a request and of what was written in reply.
pub(super) fn usage(turn: &Turn, written: &str) -> Usage {
    let messages: usize = turn.log.iter().map(|message| message_chars(message)).sum();
    let tools: usize = turn.tools.specs().map(tool_chars).sum();
    Usage { input: tokens(messages + tools), output: tokens(chars(written)), ..Usage::default() }
}

/// Returns how many bytes of a text so many tokens hold.
pub(super) fn room(text: &str, tokens: u32) -> usize {
    let chars = (tokens as usize).saturating_mul(CHARS_PER_TOKEN);
    text.char_indices().nth(chars).map_or(text.len(), |(position, _)| position)
}

/// Estimates the tokens of so many characters.
pub(super) fn tokens(chars: usize) -> u64 {
    chars.div_ceil(CHARS_PER_TOKEN) as u64
}

pub(super) fn chars(text: &str) -> usize {
    text.chars().count()
}

fn message_chars(message: &Message) -> usize {
    message.parts.iter().map(part_chars).sum()
}

fn part_chars(part: &Part) -> usize {
    match part {
        Part::Text(text) => chars(&text.text),
        Part::Section(section) => chars(&section.text),
        Part::Reasoning(reasoning) => chars(&reasoning.text),
        Part::ToolCall(call) => chars(&call.name) + chars(&call.arguments.to_wire().to_string()),
        Part::ToolResult(result) => chars(&result.text),
        _ => 0,
    }
}

fn tool_chars(spec: &ToolSpec) -> usize {
    chars(&spec.name) + chars(&spec.description) + chars(&spec.parameters.to_string())
}
