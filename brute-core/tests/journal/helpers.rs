//! Turns that do one piece of work on a journal, and how its messages are shown and checked.

use std::{collections::HashSet, sync::Arc};

use brute_core::{
    Agent, Error, Input, Journal, Log, Message, Part, Reply, Role, Session, ToolCall, ToolResult,
    Turn,
};
use futures::FutureExt;
use serde_json::json;

/// Takes a turn whose only layer does this work.
pub(crate) fn try_turn(
    session: &Session,
    work: impl Fn(Turn) -> Reply + Clone + Send + Sync + 'static,
) -> Result<Reply, Error> {
    let service = tower::service_fn(move |turn| {
        let reply = work(turn);
        async move { Ok::<_, Error>(reply) }
    });
    let agent = Agent::builder(service).build().unwrap();
    agent.send(session, Input::none()).now_or_never().expect("nothing waits")
}

pub(crate) fn in_turn(
    session: &Session,
    work: impl Fn(Turn) -> Reply + Clone + Send + Sync + 'static,
) {
    try_turn(session, work).unwrap();
}

pub(crate) fn calls(ids: &[&str]) -> Arc<Message> {
    let parts = ids.iter().map(|id| Part::ToolCall(ToolCall::new(*id, "tool", json!({}))));
    Arc::new(Message::new(Role::Assistant, parts.collect()))
}

pub(crate) fn result(id: &str, text: &str) -> Arc<Message> {
    Arc::new(Message::tool_result(ToolResult::ok(id, text)))
}

pub(crate) fn user(text: &str) -> Arc<Message> {
    Arc::new(Message::user(text))
}

/// Shows messages in one line each.
pub(crate) fn lines<'a>(messages: impl IntoIterator<Item = &'a Arc<Message>>) -> Vec<String> {
    messages.into_iter().map(|message| line(message)).collect()
}

pub(crate) fn line(message: &Message) -> String {
    if let Some(result) = message.tool_results().next() {
        let text = if result.text.starts_with("cancelled") { "cancelled" } else { &result.text };
        return format!("{}={text}", result.call_id);
    }
    if message.has_tool_calls() {
        return message.tool_calls().map(|call| &*call.id).collect::<Vec<_>>().join("+");
    }
    message.text()
}

pub(crate) fn entries(journal: &Journal) -> Vec<String> {
    lines(&journal.entries(0))
}

/// Checks that every call has exactly one result, in order, and that no id stands twice.
#[track_caller]
pub(crate) fn check_valid(log: &Log) {
    let mut open: Vec<Arc<str>> = Vec::new();
    for message in log.iter() {
        if message.role == Role::Tool {
            let [Part::ToolResult(result)] = message.parts.as_slice() else { panic!("{log:?}") };
            assert!(!open.is_empty(), "a result without a call: {:?}", lines(log.iter()));
            assert_eq!(open.remove(0), result.call_id, "{:?}", lines(log.iter()));
        } else {
            assert!(open.is_empty(), "open calls: {:?}", lines(log.iter()));
            open.extend(message.tool_calls().map(|call| call.id.clone()));
        }
    }
    assert!(open.is_empty(), "open calls at the end: {:?}", lines(log.iter()));
    let ids: HashSet<_> = log.iter().map(|message| message.id).collect();
    assert_eq!(ids.len(), log.len(), "an id stands twice: {log:?}");
    assert!(ids.iter().all(|id| id.is_given()));
}
