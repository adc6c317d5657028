//! Layers that keep the contract, and checks of what a lint complains of.

use std::{any::Any, panic::AssertUnwindSafe, sync::Arc};

use brute_core::models::{Script, ScriptedModel};
use brute_core::{
    Agent, BuiltStack, Error, Message, Next, Part, Reply, Role, Session, StopReason, ToolCall,
    ToolResult, Turn, TurnService,
};
use futures::FutureExt;
use serde_json::json;

/// Takes a turn and returns what a lint complained of.
pub(crate) async fn complaint<S: TurnService>(stack: BuiltStack<S>) -> Option<String> {
    let agent = Agent::builder(stack).build().unwrap();
    let turn = agent.send(&Session::new(), "hi");
    let panic = AssertUnwindSafe(turn).catch_unwind().await.err()?;
    Some(text_of(&*panic))
}

pub(crate) fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap()
}

/// Checks that a stack is refused because this layer broke this law.
#[track_caller]
pub(crate) fn check_broken<S: TurnService>(stack: BuiltStack<S>, law: &str, layer: &str) {
    let complaint = complaint(stack).now_or_never().unwrap().expect("a lint complains");
    let blame = format!("{law} broken by {layer}: ");
    assert!(complaint.starts_with(&blame), "{complaint}");
}

#[track_caller]
pub(crate) fn check_passes<S: TurnService>(stack: BuiltStack<S>) {
    let agent = Agent::builder(stack).build().unwrap();
    agent.send(&Session::new(), "hi").now_or_never().expect("nothing waits").unwrap();
}

pub(crate) fn model() -> ScriptedModel {
    ScriptedModel::answering(|_| Script::text("hello"))
}

/// Records the input, and what comes back from below.
pub(crate) async fn keep(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    if let Some(input) = turn.input.take() {
        turn.journal.accept(input, &mut turn.log);
    }
    let journal = turn.journal.clone();
    let mut reply = next.run(turn).await?;
    for message in &mut reply.added {
        *message = journal.record(message.clone());
    }
    Ok(reply)
}

pub(crate) async fn accept(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    if let Some(input) = turn.input.take() {
        turn.journal.accept(input, &mut turn.log);
    }
    next.run(turn).await
}

pub(crate) async fn pass(turn: Turn, next: Next) -> Result<Reply, Error> {
    next.run(turn).await
}

pub(crate) fn calls(ids: &[&str]) -> Arc<Message> {
    let parts = ids.iter().map(|id| Part::ToolCall(ToolCall::new(*id, "tool", json!({}))));
    Arc::new(Message::new(Role::Assistant, parts.collect()))
}

pub(crate) fn result(id: &str) -> Arc<Message> {
    Arc::new(Message::tool_result(ToolResult::ok(id, "ok")))
}

pub(crate) fn answer(added: Vec<Arc<Message>>) -> Reply {
    Reply { added, stop: StopReason::EndTurn, ..Reply::default() }
}
