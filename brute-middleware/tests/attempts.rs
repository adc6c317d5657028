//! One attempt at a turn at a time: what calls the loop twice at once is told so.

use std::time::Duration;

use brute_core::{
    Agent, Error, ErrorKind, Next, Reply, Role, Session, Stack, Turn, from_fn,
    models::{Script, ScriptedModel},
    testing::assert_paired,
    tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, JournalLayer, ToolCallsLayer, ToolLoopLayer, default_stack,
};
use futures::future;
use serde_json::{Value, json};

fn slow() -> ScriptedModel {
    ScriptedModel::answering(|turn| match turn.facts.step {
        1 => Script::call("look", json!({})).pending(3),
        _ => Script::text("done").pending(3),
    })
}

fn look() -> impl brute_core::Tool {
    tool_fn("look", "Looks.", |_: Value, _| future::ready(Ok::<_, Error>("seen")))
}

/// Calls what lies below twice at the same time; answers as the first one, and keeps its error
/// apart from that of the second.
async fn twice(turn: Turn, next: Next) -> Result<Reply, Error> {
    let (first, second) = future::join(next.clone().run(turn.clone()), next.run(turn)).await;
    let refused = second.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Invalid);
    assert!(refused.to_string().contains("put Hedge below Journal"), "{refused}");
    first
}

/// Gives up the first call half-way and makes another one.
async fn again(turn: Turn, next: Next) -> Result<Reply, Error> {
    let first = next.clone().run(turn.clone());
    if tokio::time::timeout(Duration::from_millis(1), first).await.is_ok() {
        return Err(Error::new(ErrorKind::Other, "the first call was quick"));
    }
    next.run(turn).await
}

fn check_log(session: &Session) {
    let log = session.log();
    assert_paired(&log);
    let roles: Vec<_> = log.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::Tool, Role::Assistant]);
}

#[tokio::test]
async fn law_1_two_attempts_at_a_turn_at_the_same_time_are_an_error() {
    let (model, session) = (slow(), Session::new());
    let stack = default_stack().around_turn(from_fn(twice)).model(model.clone());
    let agent = Agent::builder(stack).tool(look()).build().unwrap();
    assert_eq!(agent.send(&session, "hi").await.unwrap().answer(), "done");
    assert_eq!(model.requests().len(), 2, "the refused attempt asked nothing");
    check_log(&session);
    assert_eq!(agent.send(&session, "again").await.unwrap().answer(), "done");
}

#[tokio::test]
async fn below_the_journal_two_calls_may_race() {
    let race = from_fn(|turn: Turn, next: Next| async move {
        let (first, second) = (next.clone().run(turn.clone()), next.run(turn));
        future::select(first, second).await.factor_first().0
    });
    let session = Session::new();
    let stack = default_stack().around_model(race).model(slow());
    let agent = Agent::builder(stack).tool(look()).build().unwrap();
    assert_eq!(agent.send(&session, "hi").await.unwrap().answer(), "done");
    check_log(&session);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_was_dropped_makes_room_for_the_next() {
    let model = ScriptedModel::new([
        Script::text("late").delay(Duration::from_mins(1)),
        Script::call("look", json!({})),
        Script::text("done"),
    ]);
    let session = Session::new();
    let stack = default_stack().around_turn(from_fn(again)).model(model);
    let agent = Agent::builder(stack).tool(look()).build().unwrap();
    assert_eq!(agent.send(&session, "hi").await.unwrap().answer(), "done");
    check_log(&session);
}

#[tokio::test]
async fn agents_within_agents_and_other_sessions_are_attempts_of_their_own() {
    let inner = Agent::builder(default_stack().model(slow())).tool(look()).build().unwrap();
    let ask = tool_fn("look", "Asks another agent.", move |_: Value, _| {
        let inner = inner.clone();
        async move {
            let (one, two) = (Session::new(), Session::new());
            let (one, two) = future::join(inner.send(&one, "a"), inner.send(&two, "b")).await;
            Ok::<_, Error>(format!("{} {}", one?.answer(), two?.answer()))
        }
    });
    let outer = Agent::builder(default_stack().model(slow())).tool(ask).build().unwrap();
    let (one, two) = (Session::new(), Session::new());
    let (first, second) = future::join(outer.send(&one, "hi"), outer.send(&two, "hi")).await;
    for (reply, session) in [(first, one), (second, two)] {
        assert_eq!(reply.unwrap().answer(), "done");
        let log = session.log();
        let answers = log.iter().flat_map(|message| message.tool_results());
        assert!(answers.map(|result| &*result.text).eq(["done done"]));
    }
}

#[tokio::test]
async fn a_loop_within_a_loop_is_one_attempt() {
    let inner = || Stack::new().layer(ToolLoopLayer).layer(ToolCallsLayer::new());
    let stack = Stack::new().layer(AcceptInputLayer).layer(ToolLoopLayer).extend(inner());
    let agent = Agent::builder(stack.layer(JournalLayer).model(slow())).tool(look());
    let session = Session::new();
    let reply = agent.build().unwrap().send(&session, "hi").await.unwrap();
    assert_eq!(reply.answer(), "done");
    check_log(&session);
}
