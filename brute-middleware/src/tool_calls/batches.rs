//! Which calls may run side by side.

use brute_core::{Message, ToolCall, Toolbox};

/// A call and its position among the calls of its message.
pub(super) type Numbered<'a> = (usize, &'a ToolCall);

/// Splits the calls of a message into batches: a sequential tool is alone in its own.
pub(super) fn batches<'a>(asking: &'a Message, on_offer: &Toolbox) -> Vec<Vec<Numbered<'a>>> {
    let mut batches: Vec<Vec<Numbered<'a>>> = Vec::new();
    let mut may_join = false;
    for numbered in asking.tool_calls().enumerate() {
        let is_sequential =
            on_offer.get(&numbered.1.name).is_some_and(|tool| tool.spec().sequential);
        match batches.last_mut() {
            Some(batch) if may_join && !is_sequential => batch.push(numbered),
            _ => batches.push(vec![numbered]),
        }
        may_join = !is_sequential;
    }
    batches
}
