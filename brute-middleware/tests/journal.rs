//! What the model answered is recorded before anything acts on it.

use brute_core::{
    Agent, Error, ErrorKind, Role, Session,
    models::{Script, ScriptedModel},
    testing::LintedStack,
    tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, BlankAnswer, JournalLayer, ToolCallsLayer, ToolLoopLayer,
};
use serde_json::{Value, json};

#[tokio::test]
async fn the_answer_is_recorded_before_any_tool_starts() {
    let session = Session::new();
    let seen = session.clone();
    let look = tool_fn("look", "Looks.", move |_: Value, _| {
        // The open call is left out of the log, but a fork made now would go on from the input.
        let (busy, visible) = (seen.is_busy(), seen.log().len());
        std::future::ready(Ok::<_, Error>(format!("{busy} {visible}")))
    });
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(ScriptedModel::new([Script::call("look", json!({})), Script::text("done")]));
    Agent::builder(stack).tool(look).build().unwrap().send(&session, "hi").await.unwrap();
    let log = session.log();
    let ids: Vec<_> = log.iter().map(|message| message.id.0).collect();
    assert_eq!(ids, [1, 2, 3, 4]);
    assert_eq!(&*log.get(2).unwrap().tool_results().next().unwrap().text, "true 1");
}

#[tokio::test]
async fn a_failed_call_records_nothing() {
    let stack =
        LintedStack::new().layer(AcceptInputLayer).layer(JournalLayer).model(ScriptedModel::new([
            Script::text("half").and_fail(Error::new(ErrorKind::Network, "gone")),
        ]));
    let session = Session::new();
    Agent::builder(stack).build().unwrap().send(&session, "hi").await.unwrap_err();
    assert_eq!(session.log().iter().map(|message| message.role).collect::<Vec<_>>(), [Role::User]);
}

#[tokio::test]
async fn a_blank_answer_is_filled_where_a_layer_asks_for_it() {
    let ask =
        brute_core::from_fn(|mut turn: brute_core::Turn, next: brute_core::Next| async move {
            turn.extensions.insert(BlankAnswer("(nothing)".into()));
            next.run(turn).await
        });
    let model = ScriptedModel::new([Script::empty(), Script::text("something")]);
    let stack =
        LintedStack::new().layer(AcceptInputLayer).layer(ask).layer(JournalLayer).model(model);
    let (agent, session) = (Agent::builder(stack).build().unwrap(), Session::new());
    assert_eq!(agent.send(&session, "hi").await.unwrap().answer(), "(nothing)");
    assert_eq!(session.log().last().unwrap().text(), "(nothing)");
    assert_eq!(agent.send(&session, "hi").await.unwrap().answer(), "something");
}
