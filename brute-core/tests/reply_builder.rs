//! A reply is the same whether it came in pieces or whole.

use std::sync::{Arc, Mutex};

use brute_core::models::ReplyBuilder;
use brute_core::{Event, Events, Message, Part, Reply, StopReason, Usage};
use proptest::prelude::*;
use serde_json::json;

fn finish(build: impl FnOnce(&mut ReplyBuilder)) -> Reply {
    let mut builder = ReplyBuilder::new(Events::default());
    build(&mut builder);
    builder.finish(StopReason::EndTurn)
}

fn message(reply: &Reply) -> &Message {
    &reply.added[0]
}

proptest! {
    #[test]
    fn text_in_pieces_is_the_text(pieces in prop::collection::vec(any::<String>(), 1..8)) {
        let whole = finish(|builder| builder.text(&pieces.concat()));
        let split = finish(|builder| pieces.iter().for_each(|piece| builder.text(piece)));
        prop_assert_eq!(whole, split);
    }
}

#[test]
fn text_after_something_else_is_another_part() {
    let reply = finish(|builder| {
        builder.text("one");
        builder.reasoning("hm");
        builder.text("two");
    });
    assert_eq!(message(&reply).parts.len(), 3);
    assert_eq!(reply.answer(), "onetwo");
}

#[test]
fn calls_may_be_written_side_by_side() {
    let reply = finish(|builder| {
        builder.call("1", "read");
        builder.call("2", "list");
        builder.arguments("1", r#"{"path":"#);
        builder.arguments("2", "{}");
        builder.arguments("1", r#""a"}"#);
    });
    let arguments: Vec<_> =
        message(&reply).tool_calls().map(|call| call.arguments.object().unwrap().clone()).collect();
    assert_eq!(arguments, [json!({ "path": "a" }), json!({})]);
}

#[test]
fn arguments_of_a_repeated_id_go_to_the_call_that_began_last() {
    let reply = finish(|builder| {
        builder.call("x", "read");
        builder.arguments("x", r#"{"n":1}"#);
        builder.call("x", "read");
        builder.arguments("x", r#"{"n":2}"#);
    });
    let arguments: Vec<_> =
        message(&reply).tool_calls().map(|call| call.arguments.object().unwrap().clone()).collect();
    assert_eq!(arguments, [json!({ "n": 1 }), json!({ "n": 2 })]);
}

#[test]
fn arguments_of_no_call_are_dropped() {
    let reply = finish(|builder| builder.arguments("nobody", "{}"));
    assert!(message(&reply).parts.is_empty());
}

#[test]
fn every_piece_is_an_event_and_an_empty_one_is_none() {
    let list = Arc::new(Mutex::new(Vec::new()));
    let kept = list.clone();
    let mut builder =
        ReplyBuilder::new(Events::inline(move |event| kept.lock().unwrap().push(event)));
    builder.text("");
    builder.reasoning("");
    builder.reasoning("hm");
    builder.text("a");
    builder.call("1", "read");
    builder.arguments("1", "{");
    builder.arguments("1", "}");
    builder.part(Part::text("whole"));
    let arguments = |delta: &str, so_far: &str| Event::ToolArguments {
        call_id: "1".into(),
        name: "read".into(),
        delta: delta.into(),
        so_far: so_far.into(),
    };
    let expected = [
        Event::Reasoning { delta: "hm".into() },
        Event::Text { delta: "a".into() },
        arguments("{", "{"),
        arguments("}", "{}"),
    ];
    assert_eq!(*list.lock().unwrap(), expected);
}

#[test]
fn the_message_carries_what_the_call_used_and_why_it_stopped() {
    let usage = Usage { input: 5, ..Usage::default() };
    let reply = finish(|builder| {
        builder.text("hi");
        builder.usage(usage);
    });
    assert_eq!((reply.usage, message(&reply).usage), (usage, Some(usage)));
    assert_eq!(
        (reply.stop, message(&reply).stop),
        (StopReason::EndTurn, Some(StopReason::EndTurn))
    );
}
