//! A turn that takes too many steps ends in text.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use brute_core::{
    Agent, Error, Session, StopReason, ToolChoice,
    models::{Script, ScriptedModel},
    testing::{LintedStack, assert_paired},
    tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, JournalLayer, MaxStepsLayer, RemindersLayer, ToolCallsLayer, ToolLoopLayer,
};
use serde_json::{Value, json};

struct Setup {
    agent: Agent,
    runs: Arc<AtomicUsize>,
}

fn setup(limit: impl Into<Option<u32>>, model: &ScriptedModel) -> Setup {
    let runs = Arc::new(AtomicUsize::new(0));
    let counter = runs.clone();
    let look = tool_fn("look", "Looks.", move |_: Value, _| {
        counter.fetch_add(1, SeqCst);
        std::future::ready(Ok::<_, Error>("seen"))
    });
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(MaxStepsLayer::new(limit))
        .layer(RemindersLayer::default())
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(model.clone());
    Setup { agent: Agent::builder(stack).tool(look).build().unwrap(), runs }
}

/// Calls a tool for ever, or as long as it may.
fn tireless(last: fn() -> Script) -> ScriptedModel {
    ScriptedModel::answering(move |turn| match turn.settings.tool_choice {
        ToolChoice::None => last(),
        _ => Script::call("look", json!({})),
    })
}

#[tokio::test]
async fn after_the_limit_one_more_call_without_tools_ends_in_text() {
    let model = tireless(|| Script::text("This is how far I came."));
    let setup = setup(2, &model);
    let session = Session::new();
    let reply = setup.agent.send(&session, "hi").await.unwrap();
    assert_eq!(reply.stop, StopReason::MaxSteps);
    assert_eq!(reply.answer(), "This is how far I came.");
    let requests = model.requests();
    assert_eq!(requests.len(), 3);
    assert_eq!(setup.runs.load(SeqCst), 2);
    assert_eq!(requests[1].settings.tool_choice, ToolChoice::Auto);
    assert_eq!(requests[2].tools.len(), 1, "the definitions stay, so the cached prefix stays");
    assert_paired(&session.log());
}

#[tokio::test]
async fn the_last_call_alone_carries_the_fact_and_the_reminder() {
    let model = tireless(|| Script::text("done"));
    setup(2, &model).agent.send(&Session::new(), "hi").await.unwrap();
    let reached: Vec<_> =
        model.requests().iter().map(|turn| turn.facts.max_steps_reached).collect();
    assert_eq!(reached, [false, false, true]);
    let reminded =
        |turn: &brute_core::Turn| turn.log.last().unwrap().text().contains("MAXIMUM STEPS REACHED");
    assert_eq!(model.requests().iter().map(reminded).collect::<Vec<_>>(), [false, false, true]);
}

#[tokio::test]
async fn calls_that_the_model_makes_all_the_same_get_error_results() {
    let model = tireless(|| Script::call("look", json!({})));
    let setup = setup(1, &model);
    let session = Session::new();
    let reply = setup.agent.send(&session, "hi").await.unwrap();
    assert_eq!(
        (reply.stop, setup.runs.load(SeqCst), model.requests().len()),
        (StopReason::MaxSteps, 1, 2)
    );
    assert!(!reply.answer().trim().is_empty());
    assert_paired(&session.log());
    let log = session.log();
    let refused = log.iter().flat_map(|message| message.tool_results()).last().unwrap();
    assert!(refused.is_error && refused.text.contains("did not run"), "{refused:?}");
    assert_eq!(session.log().last().unwrap().text(), reply.answer());
}

#[tokio::test]
async fn a_blank_last_answer_is_replaced_by_a_fixed_text_in_reply_and_record() {
    for last in [Script::empty as fn() -> Script, || Script::text(" \n")] {
        let session = Session::new();
        let reply = setup(1, &tireless(last)).agent.send(&session, "hi").await.unwrap();
        assert!(!reply.answer().trim().is_empty());
        assert_eq!(session.log().last().unwrap().text(), reply.answer());
        assert_eq!(session.log().len(), 4);
    }
}

#[tokio::test]
async fn a_turn_that_just_reaches_the_limit_is_no_limit_case() {
    let model = ScriptedModel::new([Script::call("look", json!({})), Script::text("done")]);
    let reply = setup(2, &model).agent.send(&Session::new(), "hi").await.unwrap();
    assert_eq!(reply.stop, StopReason::EndTurn);
}

#[tokio::test]
async fn a_limit_of_zero_calls_no_model() {
    let model = tireless(|| Script::text("done"));
    let session = Session::new();
    let reply = setup(0, &model).agent.send(&session, "hi").await.unwrap();
    assert_eq!((reply.stop, model.requests().len()), (StopReason::MaxSteps, 0));
    assert_eq!(session.log().len(), 2, "the input and a fixed answer");
    assert!(!session.log().last().unwrap().text().is_empty());
}

#[tokio::test]
async fn no_limit_is_no_limit() {
    let scripts = (0..300).map(|_| Script::call("look", json!({}))).chain([Script::text("done")]);
    let setup = setup(None, &ScriptedModel::new(scripts));
    let reply = setup.agent.send(&Session::new(), "hi").await.unwrap();
    assert_eq!((reply.stop, setup.runs.load(SeqCst)), (StopReason::EndTurn, 300));
}

#[tokio::test]
async fn the_count_starts_anew_with_each_turn() {
    let model = tireless(|| Script::text("done"));
    let (setup, session) = (setup(2, &model), Session::new());
    setup.agent.send(&session, "hi").await.unwrap();
    setup.agent.send(&session, "again").await.unwrap();
    assert_eq!((model.requests().len(), setup.runs.load(SeqCst)), (6, 4));
}
