//! What of a tool, a message and a part a provider is sent.

use std::sync::Arc;

use brute_core::{Message, Origin, Part, ToolSpec};

/// Returns what is sent of a tool, beside its name.
///
/// Two schemas whose members stand in another order are equal, but not the same bytes.
pub(super) fn of_tool(spec: &ToolSpec) -> (Arc<str>, String) {
    (spec.description.clone(), spec.parameters.to_string())
}

/// Returns what is sent of a part, as a part.
pub(super) fn of_part(part: &Part) -> Part {
    let mut part = part.clone();
    match &mut part {
        Part::Text(text) => text.origin = Origin::Authored,
        Part::ToolResult(result) => (result.truncated, result.pinned) = (false, false),
        _ => {}
    }
    part
}

/// Returns the bytes of what is sent of a message; where it came from decides about their form.
pub(super) fn of_message(message: &Message) -> String {
    let parts = message.parts.iter().map(of_part).collect();
    let provenance = message.provenance.clone();
    let sent = Message { provenance, ..Message::new(message.role, parts) };
    serde_json::to_string(&sent).unwrap_or_default()
}
