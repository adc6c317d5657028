//! What a prompt is made of, and when.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use brute_core::{Agent, Message, Session, Zone, testing::LintedStack};
use brute_middleware::AcceptInputLayer;
use brute_prompts::{
    Contributed, Contribution, Family, Module, PromptContext, SystemPrompt, stack_of,
};
use serde_json::json;

use crate::host::{Host, names, section};

const SKILL: (&str, &str) = (
    "project/.brute/skills/greet/SKILL.md",
    "---\nname: greet\ndescription: Greets people.\n---\nSay hello.\n",
);

pub(crate) async fn is_lazy() {
    let renders = Arc::new(AtomicUsize::new(0));
    let counter = renders.clone();
    let prompt = SystemPrompt::build(move |prompt, _| {
        counter.fetch_add(1, SeqCst);
        prompt.text("Be brief.");
        Ok(())
    });
    let host = Host::new([]);
    let agent = host.agent(host.layer(prompt));
    assert_eq!(renders.load(SeqCst), 0);
    agent.send(&Session::new(), "hi").await.unwrap();
    assert_eq!(renders.load(SeqCst), 1);
    assert_eq!(host.last_system().text(), "Be brief.");
}

pub(crate) async fn is_of_the_models_family() {
    let host = Host::new([]);
    let agent = host.builder(host.layer(SystemPrompt::default()));
    let agent = agent.model("opencode_zen", "claude-x").build().unwrap();
    agent.send(&Session::new(), "hi").await.unwrap();
    let system = host.last_system();
    let names = names(&system);
    let mut stack = stack_of(&Family::ANTHROPIC).to_vec();
    stack.retain(|name| names.iter().any(|said| said == name));
    assert!(names == stack && names.len() > 5, "{names:?}");
    let ctx = PromptContext::new("anthropic", "claude-x");
    for words in &SystemPrompt::new(["identity", "tone_and_style"]).prepare(&ctx).unwrap() {
        assert_eq!(section(&system, &words.name), &*words.text);
    }
}

pub(crate) async fn respects_a_system_message() {
    let host = Host::new([]);
    let log = [Message::user("hi"), Message::system("Mine."), Message::assistant("ok")];
    let session = Session::from_log(&log.into_iter().collect()).unwrap();
    host.agent(host.layer(SystemPrompt::default())).send(&session, "again").await.unwrap();
    let texts: Vec<_> = host.last_request().log.iter().map(|message| message.text()).collect();
    assert_eq!(texts, ["hi", "Mine.", "ok", "again"]);
}

/// In the system message they stand on request; the recommended stack puts them at the end of the
/// call, so that the system message keeps its bytes.
pub(crate) async fn ends_in_reminders() {
    let host = Host::new([("project/AGENTS.md", "Use tabs.")]);
    let layer = host.layer(SystemPrompt::default());
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(layer.clone().reminders_in_system())
        .model(host.model.clone());
    let reminding = Agent::builder(stack).cwd(host.path("project")).build().unwrap();
    let order = ["instructions", "plan_reminder", "max_steps"];
    remind(&reminding).await;
    assert_eq!(names(&host.last_system()).last_chunk(), Some(&order.map(str::to_owned)));
    remind(&host.agent(layer)).await;
    assert_eq!(names(&host.last_system()).last().unwrap(), order[0]);
    assert_eq!(names(host.last_request().log.last().unwrap()), order[1..]);
}

async fn remind(agent: &Agent) {
    let session = Session::new();
    agent.turn(&session, "hi").fact("agent", "plan").fact("max_steps_reached", true).await.unwrap();
}

pub(crate) async fn lists_skills() {
    let host = Host::new([SKILL]);
    let system = host.system(host.layer(SystemPrompt::default()), &Session::new()).await.unwrap();
    let list = section(&system, "skills");
    let location = host.path("project/.brute/skills/greet/SKILL.md");
    for part in ["<name>greet</name>", "Greets people.", location.to_str().unwrap()] {
        assert!(list.contains(part), "{part} is not in {list}");
    }
    assert!(!system.text().contains("Say hello."));
}

pub(crate) async fn takes_no_skills_for_an_answer() {
    let host = Host::new([SKILL]);
    let agent = host.agent(host.layer(SystemPrompt::default()));
    agent.turn(&Session::new(), "hi").fact("skills", json!([])).await.unwrap();
    assert_eq!(section(&host.last_system(), "skills"), "");
}

pub(crate) async fn can_be_minimal() {
    let host = Host::new([SKILL]);
    let agent = host.agent(host.layer(SystemPrompt::default()));
    agent.turn(&Session::new(), "hi").fact("prompt_mode", "minimal").await.unwrap();
    let kept =
        ["identity", "doing_tasks", "tool_usage", "conventions", "git_safety", "environment"];
    assert_eq!(names(&host.last_system()), kept);
}

/// Says something to one family of models only.
struct House;

impl Contribution for House {
    fn contribute(&self, _: &PromptContext, family: &Family) -> Option<Contributed> {
        let contributed = Contributed::new()
            .section("git_safety", Module::text("x", "Ask before you commit."))
            .prefix(Module::text("first", "One."))
            .suffix(Module::text("last", "Two."));
        (*family == Family::ANTHROPIC).then_some(contributed)
    }
}

pub(crate) async fn takes_contributions() {
    let host = Host::new([]);
    let layer = host.layer(SystemPrompt::default().contribution(House));
    let system = host.system(layer, &Session::new()).await.unwrap();
    assert_eq!(section(&system, "git_safety"), "Ask before you commit.");
    let zones: Vec<_> = system.sections().map(|section| section.zone).collect();
    assert!(zones.is_sorted(), "{zones:?}");
    let zone = |name| system.sections().find(|it| &*it.name == name).unwrap().zone;
    assert_eq!((zone("first"), zone("last")), (Zone::Static, Zone::Dynamic));
}
