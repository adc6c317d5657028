//! A tool tells the time and the model, and lets another model be chosen for the session.

use brute_core::{
    Agent, ErrorKind, Session, Turn,
    models::{Script, ScriptedModel},
    testing::LintedStack,
    tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, JournalLayer, SessionStatusLayer, ToolCallsLayer, ToolLoopLayer,
    default_stack, set_mode, set_model_override,
};
use brute_prompts::{TimeFormat, gather::Moment};
use serde_json::{Value, json};

fn layer() -> SessionStatusLayer {
    let clock = Moment::parse("2026-03-05T14:07:00+01:00[Europe/Zurich]").unwrap();
    SessionStatusLayer::new().clock(clock).time_format(TimeFormat::Hours24)
}

fn agent(layer: SessionStatusLayer, model: &ScriptedModel) -> Agent {
    let stack = LintedStack::new()
        .layer(layer)
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(model.clone());
    Agent::builder(stack).model("anthropic", "claude-sonnet").build().unwrap()
}

/// What the tool answers to these arguments.
async fn answer(layer: SessionStatusLayer, session: &Session, arguments: Value) -> String {
    let model =
        ScriptedModel::new([Script::call("session_status", arguments), Script::text("Done.")]);
    agent(layer, &model).send(session, "hi").await.unwrap();
    let log = model.requests()[1].log.clone();
    log.get(log.len() - 1).unwrap().tool_results().next().unwrap().text.to_string()
}

/// Which model the next turn asks.
async fn asked(layer: SessionStatusLayer, session: &Session) -> String {
    let model = ScriptedModel::text("Hello.");
    agent(layer, &model).send(session, "hi").await.unwrap();
    model.requests()[0].model.to_string()
}

fn spec(turn: &Turn) -> &brute_core::ToolSpec {
    turn.tools.get("session_status").unwrap().spec()
}

#[test]
fn prompts_know_the_tool_by_its_name() {
    assert!(brute_prompts::HOST_TOOLS.contains(&SessionStatusLayer::TOOL));
}

#[tokio::test]
async fn it_tells_the_time_and_the_model() {
    let said = answer(layer(), &Session::new(), json!({})).await;
    assert_eq!(
        said,
        "time: Thu Mar 05 2026, 14:07 (Europe/Zurich, UTC+01:00)\nmodel: anthropic/claude-sonnet"
    );
    let said = answer(layer().time_format(TimeFormat::Hours12), &Session::new(), json!({})).await;
    assert!(said.contains("2:07 PM"), "{said}");
}

#[tokio::test]
async fn a_model_is_chosen_by_name_from_the_next_turn_on_and_default_goes_back() {
    let layer = || layer().model("strong", "claude-opus").model("fast", "claude-haiku");
    let session = Session::new();
    let said = answer(layer(), &session, json!({ "model": "strong" })).await;
    assert!(
        said.ends_with("model: anthropic/claude-sonnet\nmodel from the next turn on: claude-opus"),
        "{said}"
    );
    assert_eq!(asked(layer(), &session).await, "anthropic/claude-opus");
    let reopened = Session::from_json(&session.to_json().unwrap()).unwrap();
    assert_eq!(asked(layer(), &reopened).await, "anthropic/claude-opus");
    assert_eq!(asked(layer(), &Session::new()).await, "anthropic/claude-sonnet");

    let said = answer(layer(), &session, json!({ "model": "default" })).await;
    assert!(
        said.ends_with("model: anthropic/claude-opus\nmodel from the next turn on: claude-sonnet"),
        "{said}"
    );
    assert_eq!(asked(layer(), &session).await, "anthropic/claude-sonnet");
}

#[tokio::test]
async fn what_is_not_allowed_is_refused_and_changes_nothing() {
    let session = Session::new();
    let layer = || layer().model("strong", "claude-opus");
    let said = answer(layer(), &session, json!({ "model": "gpt" })).await;
    assert_eq!(said, "Error: no model is named \"gpt\": choose one of strong, default");
    let said = answer(layer(), &session, json!({ "model": 7 })).await;
    assert!(said.contains("`model` must be text"), "{said}");
    let said = answer(self::layer(), &session, json!({ "model": "strong" })).await;
    assert_eq!(said, "Error: another model cannot be chosen here");
    assert_eq!(asked(layer(), &session).await, "anthropic/claude-sonnet");
    assert!(session.meta().get("model_choice").is_none());
    set_model_override(&session, Some("claude-haiku"));
    let said = answer(self::layer(), &session, json!({ "model": "default" })).await;
    assert_eq!(said, "Error: another model cannot be chosen here", "the host chose");
    assert_eq!(asked(self::layer(), &session).await, "anthropic/claude-haiku");
}

#[tokio::test]
async fn what_the_host_chose_comes_back_when_the_model_goes_back_and_what_it_chooses_now_counts() {
    let layer = || layer().model("strong", "claude-opus");
    let session = Session::new();
    set_model_override(&session, Some("claude-haiku"));
    answer(layer(), &session, json!({ "model": "strong" })).await;
    assert_eq!(asked(layer(), &session).await, "anthropic/claude-opus");
    let without = self::layer().model("best", "claude-opus-next");
    assert_eq!(asked(without, &session).await, "anthropic/claude-opus", "the model, not its name");
    answer(layer(), &session, json!({ "model": "default" })).await;
    assert_eq!(asked(layer(), &session).await, "anthropic/claude-haiku");
    answer(layer(), &session, json!({ "model": "strong" })).await;
    set_model_override(&session, None);
    assert_eq!(asked(layer(), &session).await, "anthropic/claude-sonnet");
}

#[tokio::test]
async fn the_host_chooses_by_name_or_as_it_is() {
    let session = Session::new();
    for (chosen, model) in [
        (Some("strong"), "anthropic/claude-opus"),
        (Some("claude-haiku"), "anthropic/claude-haiku"),
        (None, "anthropic/claude-sonnet"),
        (Some("default"), "anthropic/claude-sonnet"),
    ] {
        set_model_override(&session, chosen);
        let layer = layer().model("strong", "claude-opus").model("default", "claude-haiku");
        assert_eq!(asked(layer, &session).await, model);
    }
}

#[tokio::test]
async fn the_schema_lists_what_may_be_chosen_and_nothing_else() {
    let model = ScriptedModel::answering(|_| Script::text("Hello."));
    agent(layer(), &model).send(&Session::new(), "hi").await.unwrap();
    let with_models = layer().model("strong", "claude-opus");
    agent(with_models, &model).send(&Session::new(), "hi").await.unwrap();
    let requests = model.requests();
    assert_eq!(spec(&requests[0]).parameters["properties"], json!({}));
    let choice = &spec(&requests[1]).parameters["properties"]["model"]["enum"];
    assert_eq!(*choice, json!(["strong", "default"]));
}

#[tokio::test]
async fn the_prompt_names_the_tool_and_plan_mode_lets_it_run() {
    let model = ScriptedModel::new([
        Script::call("session_status", json!({ "model": "strong" })),
        Script::text("Done."),
    ]);
    let stack = default_stack()
        .prompt(brute_prompts::SystemPrompt::new(["time_zone"]))
        .around_input(layer().model("strong", "claude-opus"))
        .offers("session_status")
        .model(model.clone());
    let session = Session::new();
    set_mode(&session, "plan");
    Agent::builder(stack).build().unwrap().send(&session, "hi").await.unwrap();
    let requests = model.requests();
    let system = requests[0].log.get(0).unwrap().text();
    assert!(system.contains("`session_status`") && !system.contains("14:07"), "{system}");
    let log = &requests[1].log;
    assert!(log.iter().any(|message| message.tool_results().any(|result| !result.is_error)));
}

#[tokio::test]
async fn a_tool_of_the_agent_under_the_same_name_is_an_error() {
    let own = || {
        tool_fn("session_status", "Mine.", |_: Value, _| {
            std::future::ready(Ok::<_, brute_core::Error>("mine"))
        })
    };
    let stack = || default_stack().around_input(layer());
    let known = stack().offers("session_status").model(ScriptedModel::text("Hello."));
    let error = Agent::builder(known).tool(own()).build().unwrap_err();
    assert!(error.to_string().contains("SessionStatus"), "{error}");

    let model = ScriptedModel::text("Hello.");
    let agent = Agent::builder(stack().model(model.clone())).tool(own()).build().unwrap();
    let error = agent.send(&Session::new(), "hi").await.unwrap_err();
    assert_eq!((error.kind(), model.requests().len()), (ErrorKind::Invalid, 0));
}
