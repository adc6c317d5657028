//! What only its maker understands is known from what somebody edited.

use std::sync::Arc;

use brute_core::{
    Events, Message, Part, Provenance, Reasoning, Role, StopReason, Text, ToolCall,
    models::ReplyBuilder,
};
use serde_json::json;

fn parts() -> Vec<Part> {
    let native = || Some(Arc::new(json!({ "signature": "S" })));
    let mut text = Part::text("Yes.");
    if let Part::Text(text) = &mut text {
        text.native = native();
    }
    vec![
        Part::Reasoning(Reasoning { text: "hm".into(), native: native() }),
        text,
        Part::ToolCall(ToolCall::new("call_1", "read", json!({ "path": "a", "lines": 2 }))),
        Part::Provider { native: Arc::new(json!({ "type": "server_tool_use" })) },
    ]
}

fn sealed(parts: &[Part]) -> Provenance {
    Provenance::new("anthropic.messages", "anthropic", "claude-opus-5-5").seal(parts)
}

#[test]
fn a_part_as_it_came_is_held() {
    let parts = parts();
    let provenance = sealed(&parts);
    assert!(parts.iter().all(|part| provenance.holds(part)));
}

#[test]
fn a_part_that_was_edited_is_not_held() {
    let provenance = sealed(&parts());
    let mut edited = parts();
    for part in &mut edited {
        match part {
            Part::Text(Text { text, .. }) => *text = "No.".into(),
            Part::Reasoning(reasoning) => reasoning.text = "hmm".into(),
            Part::ToolCall(call) => call.arguments = json!({ "path": "b", "lines": 2 }).into(),
            Part::Provider { native } => *native = Arc::new(json!({ "type": "other" })),
            _ => {}
        }
    }
    assert!(edited.iter().all(|part| !provenance.holds(part)));
}

#[test]
fn text_does_not_pass_for_a_part_of_another_sort() {
    let provenance = sealed(&[Part::text("hm")]);
    assert!(!provenance.holds(&Part::Reasoning(Reasoning { text: "hm".into(), native: None })));
}

#[test]
fn it_survives_a_round_trip_through_json() {
    let parts = parts();
    let mut provenance = sealed(&parts);
    provenance.usage = Some(Arc::new(json!({ "input_tokens": 3 })));
    let mut message = Message::new(Role::Assistant, parts);
    message.provenance = Some(Arc::new(provenance));
    let text = serde_json::to_string(&message).unwrap();
    let read: Message = serde_json::from_str(&text).unwrap();
    assert_eq!(read, message);
    let provenance = read.provenance.unwrap();
    assert!(read.parts.iter().all(|part| provenance.holds(part)));
}

#[test]
fn a_message_without_one_says_nothing_about_it() {
    let text = serde_json::to_string(&Message::assistant("Yes.")).unwrap();
    assert!(!text.contains("provenance"), "{text}");
}

#[test]
fn a_reply_that_was_settled_holds_the_parts_and_where_they_came_from() {
    let mut builder = ReplyBuilder::new(Events::default());
    builder.text("Y");
    builder.settle(parts(), Provenance::new("api", "provider", "model"));
    let reply = builder.finish(StopReason::ToolCalls);
    let message = reply.last_assistant().unwrap();
    assert_eq!(message.parts, parts());
    let provenance = message.provenance.clone().unwrap();
    assert_eq!(&*provenance.model, "model");
    assert!(message.parts.iter().all(|part| provenance.holds(part)));
}
