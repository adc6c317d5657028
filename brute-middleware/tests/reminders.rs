//! Reminders hold for one call and stand at its end.

use brute_core::{
    Agent, Role, Session,
    models::{Script, ScriptedModel},
    testing::LintedStack,
};
use brute_middleware::{AcceptInputLayer, RemindersLayer, SystemPromptLayer};
use brute_prompts::{Module, SystemPrompt};

async fn reminders_of(facts: &[(&str, serde_json::Value)]) -> Vec<String> {
    let model = ScriptedModel::answering(|_| Script::text("ok"));
    let prompt = SystemPrompt::default();
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(SystemPromptLayer::new(prompt.clone()).gather(None))
        .layer(RemindersLayer::new(prompt))
        .model(model.clone());
    let agent = Agent::builder(stack).model("anthropic", "claude").build().unwrap();
    let session = Session::new();
    let turn = facts
        .iter()
        .fold(agent.turn(&session, "hi"), |turn, (key, value)| turn.fact(key, value.clone()));
    turn.await.unwrap();
    let log = model.requests()[0].log.clone();
    let last = log.last().unwrap();
    if last.role != Role::Developer {
        assert_eq!(last.text(), "hi");
        return Vec::new();
    }
    assert_eq!(log.iter().filter(|message| message.role == Role::Developer).count(), 1);
    last.sections().map(|section| section.name.to_string()).collect()
}

#[tokio::test]
async fn a_reminder_stands_exactly_while_its_fact_holds() {
    for (facts, expected) in [
        (vec![], vec![]),
        (vec![("agent", "plan".into())], vec!["plan_reminder"]),
        (vec![("agent", "planner".into())], vec![]),
        (vec![("agent", "build".into())], vec![]),
        (vec![("agent_switched", "build".into())], vec!["build_switch"]),
        (vec![("max_steps_reached", true.into())], vec!["max_steps"]),
        (vec![("max_steps_reached", false.into())], vec![]),
        (
            vec![("max_steps_reached", true.into()), ("agent", "plan".into())],
            vec!["plan_reminder", "max_steps"],
        ),
    ] {
        assert_eq!(reminders_of(&facts).await, expected, "{facts:?}");
    }
}

#[tokio::test]
async fn the_words_can_be_changed() {
    let prompt = SystemPrompt::default()
        .replace("plan_reminder", Module::text("plan_reminder", "Only look."));
    let model = ScriptedModel::text("ok");
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(RemindersLayer::new(prompt))
        .model(model.clone());
    let agent = Agent::builder(stack).build().unwrap();
    agent.turn(&Session::new(), "hi").fact("agent", "plan").await.unwrap();
    assert_eq!(model.requests()[0].log.last().unwrap().text(), "Only look.");
}
