//! A linted stack is a stack with a lint between any two neighbours, and names them.

use std::panic::AssertUnwindSafe;

use brute_core::models::ScriptedModel;
use brute_core::testing::LintedStack;
use brute_core::{Agent, Error, Message, Next, Reply, Session, Turn, from_fn};
use futures::FutureExt;

async fn pass(turn: Turn, next: Next) -> Result<Reply, Error> {
    next.run(turn).await
}

async fn answers_with_a_prompt(_: Turn, _: Next) -> Result<Reply, Error> {
    Ok(Reply::new(Message::system("Be brief."), brute_core::StopReason::EndTurn))
}

#[test]
fn a_lint_stands_above_every_layer_and_above_the_model() {
    let layers = LintedStack::default().layer(from_fn(pass)).layer(from_fn(pass));
    let stack = layers.clone().model(ScriptedModel::text("hi"));
    let names = ["Lint", "pass", "Lint", "pass", "Lint", "ScriptedModel"];
    assert!(stack.picture().names().eq(names));
    let reply = |stack| Agent::builder(stack).build().unwrap().send(&Session::new(), "hi");
    assert_eq!(reply(stack).now_or_never().unwrap().unwrap().answer(), "hi");
    let again = layers.model(ScriptedModel::text("hi"));
    assert_eq!(reply(again).now_or_never().unwrap().unwrap().answer(), "hi");
}

#[test]
fn the_layer_that_broke_a_law_is_named_and_no_other() {
    let stack = LintedStack::new()
        .layer(from_fn(pass))
        .layer(from_fn(answers_with_a_prompt))
        .layer(from_fn(pass))
        .model(ScriptedModel::text("hi"));
    let turn = Agent::builder(stack).build().unwrap().send(&Session::new(), "hi");
    let panic = AssertUnwindSafe(turn).catch_unwind().now_or_never().unwrap().unwrap_err();
    let complaint = panic.downcast_ref::<String>().unwrap();
    assert!(
        complaint.contains("answers_with_a_prompt") && !complaint.contains("pass"),
        "{complaint}"
    );
}
