//! Leaves out what only one provider understands.

use std::sync::Arc;

use brute_core::{Log, Message, Part};

/// Returns a view for another provider: native JSON, signed reasoning and unknown parts are left out.
///
/// Messages without any of them are shared, not copied.
pub(super) fn without_native(log: &Log) -> Log {
    log.iter()
        .map(|message| if is_native(message) { Arc::new(plain(message)) } else { message.clone() })
        .collect()
}

fn is_native(message: &Message) -> bool {
    message.parts.iter().any(|part| match part {
        Part::Text(text) => text.native.is_some(),
        Part::ToolCall(call) => call.native.is_some(),
        Part::Reasoning(_) | Part::Provider { .. } => true,
        Part::Section(_) | Part::Media(_) | Part::ToolResult(_) => false,
    })
}

fn plain(message: &Message) -> Message {
    let mut message = message.clone();
    message.parts.retain(|part| !matches!(part, Part::Reasoning(_) | Part::Provider { .. }));
    for part in &mut message.parts {
        match part {
            Part::Text(text) => text.native = None,
            Part::ToolCall(call) => call.native = None,
            _ => {}
        }
    }
    message
}
