//! A reply knows its answer.

use brute_core::{Message, Reply, StopReason, ToolResult};

#[test]
fn the_answer_is_the_text_of_the_last_assistant_message() {
    let mut reply = Reply::text("first");
    reply.added.push(Message::tool_result(ToolResult::ok("1", "result")).into());
    assert_eq!(reply.answer(), "first");
    reply.added.push(Message::assistant("second").into());
    assert_eq!(reply.answer(), "second");
    assert_eq!(reply.last_assistant().unwrap().text(), "second");
}

#[test]
fn without_an_assistant_message_the_answer_is_empty() {
    assert_eq!(Reply::default().answer(), "");
    assert_eq!(Reply::new(Message::user("hi"), StopReason::Cancelled).answer(), "");
}

#[test]
fn stop_reasons_are_written_in_snake_case() {
    for (stop, text) in [
        (StopReason::EndTurn, "\"end_turn\""),
        (StopReason::ToolCalls, "\"tool_calls\""),
        (StopReason::NeedsApproval, "\"needs_approval\""),
    ] {
        assert_eq!(serde_json::to_string(&stop).unwrap(), text);
        assert_eq!(serde_json::from_str::<StopReason>(text).unwrap(), stop);
    }
}
