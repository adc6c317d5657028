//! The step cost does not depend on the history; allocations are exact, so they are the gate.

use std::{
    future,
    sync::Arc,
    task::{Context, Poll},
};

use brute_core::{
    Agent, Arguments, BoxStack, Error, Log, Message, Next, Part, Reply, ReplyFuture, Role, Session,
    Stack, StopReason, ToolCall, ToolContext, Turn, from_fn, tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, JournalLayer, ToolCallsLayer, ToolLoopLayer, default_stack,
};
use serde_json::{Value, json};
use tower::{Layer, Service};

const STEPS: u32 = 50;

/// Calls a tool so many times, then answers; it costs little itself.
#[derive(Clone)]
struct InstantModel(Arc<ToolCall>);

impl Service<Turn> for InstantModel {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        let reply = if turn.facts.step <= STEPS {
            let call = Part::ToolCall(ToolCall::clone(&self.0));
            Reply::new(Message::new(Role::Assistant, vec![call]), StopReason::ToolCalls)
        } else {
            Reply::text("done")
        };
        Box::pin(future::ready(Ok(reply)))
    }
}

fn model() -> InstantModel {
    InstantModel(Arc::new(ToolCall::new("call", "confirm", Arguments::from(json!({})))))
}

async fn confirm(_: Value, _: ToolContext) -> Result<&'static str, Error> {
    Ok("ok")
}

fn bare() -> Agent {
    let stack = Stack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer);
    Agent::builder(stack.model(model()))
        .tool(tool_fn("confirm", "Confirms.", confirm))
        .build()
        .unwrap()
}

fn whole() -> Agent {
    let stack = default_stack().model(model());
    Agent::builder(stack).tool(tool_fn("confirm", "Confirms.", confirm)).build().unwrap()
}

/// A bare agent with so many layers around the model call that do nothing.
fn layered(layers: usize) -> Agent {
    let mut stack = BoxStack::new(model());
    for _ in 0..layers {
        let nothing = from_fn(|turn: Turn, next: Next| next.run(turn));
        stack = BoxStack::new(nothing.layer(stack));
    }
    let stack = Stack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(stack);
    Agent::builder(stack).tool(tool_fn("confirm", "Confirms.", confirm)).build().unwrap()
}

/// Returns the allocations and bytes of one step of a loop of 50, on a history of so many messages.
fn per_step(agent: &Agent, history: usize) -> (f64, f64) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let past: Log = (0..history).map(|_| Message::user("x".repeat(100))).collect();
    let base = Session::from_log(&past).unwrap();
    let take = |session: &Session| runtime.block_on(agent.send(session, "hi")).unwrap();
    take(&base.fork());
    let session = base.fork();
    let counted = allocation_counter::measure(|| drop(take(&session)));
    assert_eq!(session.log().len(), history + 2 * STEPS as usize + 2);
    let steps = f64::from(STEPS + 1);
    let per_step = |count: u64| f64::from(u32::try_from(count).unwrap()) / steps;
    (per_step(counted.count_total), per_step(counted.bytes_total))
}

#[test]
fn a_bare_step_takes_at_most_18_allocations() {
    let (allocations, _) = per_step(&bare(), 0);
    assert!(allocations <= 18.0, "{allocations}");
}

#[test]
fn a_step_of_the_default_stack_takes_at_most_45_allocations() {
    let (allocations, _) = per_step(&whole(), 0);
    assert!(allocations <= 45.0, "{allocations}");
}

#[test]
fn law_4_a_step_costs_the_same_on_a_history_of_100_000_messages() {
    for agent in [bare(), whole()] {
        let (allocations, bytes) = per_step(&agent, 0);
        let (allocations_after, bytes_after) = per_step(&agent, 100_000);
        assert!(allocations_after <= allocations + 0.5, "{allocations} became {allocations_after}");
        assert!(bytes_after <= bytes * 1.2, "{bytes} became {bytes_after}");
    }
}

#[test]
fn layers_that_do_nothing_change_nothing_and_each_costs_the_same() {
    let steps = |layers| per_step(&layered(layers), 0).0;
    let (none, five, ten) = (steps(0), steps(5), steps(10));
    assert!(five > none, "{none}, {five}");
    assert!(ten - five <= (five - none) * 1.01, "{none}, {five}, {ten}");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let replies = [0, 5, 10].map(|layers| {
        let session = Session::new();
        let reply = runtime.block_on(layered(layers).send(&session, "hi")).unwrap();
        (reply, session.log())
    });
    assert_eq!(replies[0], replies[1]);
    assert_eq!(replies[0], replies[2]);
}
