//! Plan mode: reminded in each call, enforced at the tools, ended by a switch that is told once.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use brute_core::{
    Agent, Error, ErrorKind, Session, Stack, Turn,
    models::{Script, ScriptedModel},
    testing::LintedStack,
    tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, JournalLayer, PlanGuardLayer, PlanModeLayer, RemindersLayer, ToolCallsLayer,
    ToolLoopLayer, set_mode,
};
use serde_json::{Value, json};

struct Setup {
    agent: Agent,
    model: ScriptedModel,
    writes: Arc<AtomicUsize>,
    session: Session,
}

fn setup(scripts: impl IntoIterator<Item = Script>) -> Setup {
    let (model, writes) = (ScriptedModel::new(scripts), Arc::new(AtomicUsize::new(0)));
    let counter = writes.clone();
    let write = tool_fn("write", "Writes.", move |_: Value, _| {
        counter.fetch_add(1, SeqCst);
        std::future::ready(Ok::<_, Error>("written"))
    });
    let look = tool_fn("look", "Looks.", |_: Value, _| std::future::ready(Ok::<_, Error>("seen")))
        .read_only();
    let tools = Stack::new().layer(PlanGuardLayer).tools().into_parts().0;
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(PlanModeLayer)
        .layer(RemindersLayer::default())
        .layer(ToolCallsLayer::with_tools(tools))
        .layer(JournalLayer)
        .model(model.clone());
    let agent = Agent::builder(stack).tool(write).tool(look).build().unwrap();
    Setup { agent, model, writes, session: Session::new() }
}

/// The names of the reminders in each request.
fn reminders(model: &ScriptedModel) -> Vec<Vec<String>> {
    let names = |turn: &Turn| {
        turn.log
            .iter()
            .flat_map(|message| message.sections())
            .map(|section| section.name.to_string())
            .collect()
    };
    model.requests().iter().map(names).collect()
}

const PLAN: &str = "plan_reminder";
const BUILD: &str = "build_switch";

#[tokio::test]
async fn every_call_of_a_turn_in_plan_mode_ends_in_the_reminder() {
    let setup = setup([Script::call("look", json!({})), Script::text("a plan")]);
    set_mode(&setup.session, "plan");
    setup.agent.send(&setup.session, "hi").await.unwrap();
    assert_eq!(reminders(&setup.model), [[PLAN], [PLAN]]);
    for request in setup.model.requests() {
        assert!(request.log.last().unwrap().text().contains("READ-ONLY"));
    }
}

#[tokio::test]
async fn tools_that_write_are_refused_and_tools_that_look_run() {
    let asking = Script::call("write", json!({})).and_call("look", json!({}));
    let setup = setup([asking, Script::text("a plan")]);
    set_mode(&setup.session, "plan");
    setup.agent.send(&setup.session, "hi").await.unwrap();
    let log = setup.session.log();
    let results: Vec<_> = log.iter().flat_map(|message| message.tool_results()).collect();
    assert!(results[0].is_error && results[0].text.contains("plan mode"), "{results:?}");
    assert_eq!((&*results[1].text, setup.writes.load(SeqCst)), ("seen", 0));
    assert_eq!(setup.model.requests()[0].tools.len(), 2, "the definitions stay");
}

#[tokio::test]
async fn the_switch_to_build_is_told_in_one_call_and_writing_works_again() {
    let setup = setup([
        Script::text("a plan"),
        Script::call("write", json!({})),
        Script::text("built"),
        Script::text("more"),
    ]);
    set_mode(&setup.session, "plan");
    setup.agent.send(&setup.session, "plan it").await.unwrap();
    set_mode(&setup.session, "build");
    setup.agent.send(&setup.session, "build it").await.unwrap();
    setup.agent.send(&setup.session, "go on").await.unwrap();
    let none: [&str; 0] = [];
    assert_eq!(reminders(&setup.model), [vec![PLAN], vec![BUILD], none.to_vec(), none.to_vec()]);
    assert_eq!(setup.writes.load(SeqCst), 1);
}

#[tokio::test]
async fn a_switch_whose_call_failed_is_told_again() {
    let setup = setup([
        Script::text("a plan"),
        Script::fail(Error::new(ErrorKind::Model, "no")),
        Script::text("built"),
        Script::text("more"),
    ]);
    set_mode(&setup.session, "plan");
    setup.agent.send(&setup.session, "plan it").await.unwrap();
    set_mode(&setup.session, "build");
    setup.agent.send(&setup.session, "build it").await.unwrap_err();
    setup.agent.send(&setup.session, "build it").await.unwrap();
    setup.agent.send(&setup.session, "go on").await.unwrap();
    assert_eq!(reminders(&setup.model), [vec![PLAN], vec![BUILD], vec![BUILD], vec![]]);
}

#[tokio::test]
async fn without_a_mode_nothing_is_reminded_and_nothing_refused() {
    let setup = setup([Script::call("write", json!({})), Script::text("done")]);
    setup.agent.send(&setup.session, "hi").await.unwrap();
    assert_eq!(reminders(&setup.model), [Vec::<String>::new(), Vec::new()]);
    assert_eq!(setup.writes.load(SeqCst), 1);
}

#[tokio::test]
async fn a_session_that_starts_in_build_mode_is_told_of_no_switch() {
    let setup = setup([Script::text("built")]);
    set_mode(&setup.session, "build");
    setup.agent.send(&setup.session, "hi").await.unwrap();
    assert_eq!(reminders(&setup.model), [Vec::<String>::new()]);
}

#[tokio::test]
async fn a_mode_that_the_caller_gives_for_a_turn_wins() {
    let setup = setup([Script::call("write", json!({})), Script::text("a plan")]);
    set_mode(&setup.session, "build");
    setup.agent.turn(&setup.session, "hi").fact("agent", "plan").await.unwrap();
    assert_eq!(reminders(&setup.model), [[PLAN], [PLAN]]);
    assert_eq!(setup.writes.load(SeqCst), 0);
}

#[tokio::test]
async fn the_mode_survives_an_export() {
    let setup = setup([Script::text("a plan"), Script::text("built")]);
    set_mode(&setup.session, "plan");
    setup.agent.send(&setup.session, "plan it").await.unwrap();
    let reopened = Session::from_json(&setup.session.to_json().unwrap()).unwrap();
    set_mode(&reopened, "build");
    setup.agent.send(&reopened, "build it").await.unwrap();
    assert_eq!(reminders(&setup.model), [[PLAN], [BUILD]]);
}

#[tokio::test]
async fn reminders_never_enter_the_record() {
    let setup = setup([Script::text("a plan")]);
    set_mode(&setup.session, "plan");
    setup.agent.send(&setup.session, "hi").await.unwrap();
    assert_eq!(setup.session.log().len(), 2);
    assert!(setup.session.log().iter().all(|message| message.sections().next().is_none()));
}
