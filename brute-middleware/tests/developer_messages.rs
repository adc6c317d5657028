//! Sections of the prompt can stand in developer messages, in a fixed order before the first input.

use std::fs;

use brute_core::{
    Agent, Role, Session, Turn,
    models::{Script, ScriptedModel},
    testing::LintedStack,
};
use brute_middleware::{
    AcceptInputLayer, ModeMessagesLayer, SystemPromptLayer, ToolLoopLayer, reload_prompt_facts,
    set_headless,
};
use brute_prompts::{
    Module, SystemPrompt,
    gather::{GatherOptions, Today},
};
use tempfile::TempDir;

/// A project with a skill and instruction files of the user and of the project.
fn project() -> TempDir {
    let folder = TempDir::new().unwrap();
    let skill = "---\nname: release\ndescription: Cuts a release.\n---\nBody.\n";
    for (path, text) in [
        (".brute/skills/release/SKILL.md", skill),
        ("home/.config/brute/AGENTS.md", "Speak plainly."),
        ("AGENTS.md", "Use tabs."),
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn agent(folder: &TempDir, model: &ScriptedModel) -> Agent {
    let roles = Module::text("roles", "Roles: scout.");
    let prompt = SystemPrompt::default().after("skills", roles).as_messages([
        "instructions",
        "roles",
        "skills",
        "environment",
    ]);
    let gather = GatherOptions::default()
        .home(folder.path().join("home"))
        .clock(Today::parse("2026-03-05").unwrap());
    let stack = LintedStack::new()
        .layer(ModeMessagesLayer::new(prompt.clone()))
        .layer(AcceptInputLayer)
        .layer(SystemPromptLayer::new(prompt).gather(gather))
        .layer(ToolLoopLayer)
        .model(model.clone());
    Agent::builder(stack).cwd(folder.path()).build().unwrap()
}

/// The roles of a request, and a word of each message that says which one it is.
fn outline(turn: &Turn) -> Vec<(Role, &'static str)> {
    let words = [
        "<env>",
        "release",
        "Roles: scout.",
        "Speak plainly.",
        "Use tabs.",
        "Headless",
        "hi",
        "again",
        "Hello.",
    ];
    let word = |text: &str| words.into_iter().find(|word| text.contains(word)).unwrap_or("prompt");
    turn.log
        .iter()
        .map(|message| match message.role {
            Role::System => (Role::System, "prompt"),
            role => (role, word(&message.text())),
        })
        .collect()
}

const BASE: [(Role, &str); 6] = [
    (Role::System, "prompt"),
    (Role::Developer, "<env>"),
    (Role::Developer, "release"),
    (Role::Developer, "Roles: scout."),
    (Role::Developer, "Speak plainly."),
    (Role::Developer, "Use tabs."),
];

#[tokio::test]
async fn they_stand_before_the_messages_of_modes_and_the_first_input() {
    let (folder, session) = (project(), Session::new());
    let model = ScriptedModel::answering(|_| Script::text("Hello."));
    set_headless(&session, true);
    agent(&folder, &model).send(&session, "hi").await.unwrap();
    let first = [&BASE[..], &[(Role::Developer, "Headless"), (Role::User, "hi")]].concat();
    assert_eq!(outline(&model.requests()[0]), first);
}

#[tokio::test]
async fn each_stands_once_in_every_call_also_after_the_session_was_reopened() {
    let (folder, session) = (project(), Session::new());
    let model = ScriptedModel::answering(|_| Script::text("Hello."));
    agent(&folder, &model).send(&session, "hi").await.unwrap();
    let reopened = Session::from_json(&session.to_json().unwrap()).unwrap();
    let later =
        [&BASE[..], &[(Role::User, "hi"), (Role::Assistant, "Hello."), (Role::User, "again")]]
            .concat();
    for session in [&session, &reopened] {
        agent(&folder, &model).send(session, "again").await.unwrap();
        let request = model.requests().pop().unwrap();
        assert_eq!(outline(&request), later);
    }
    let texts = |index: usize| -> Vec<String> {
        model.requests()[index].log.iter().take(6).map(|message| message.text()).collect()
    };
    assert!(texts(0) == texts(1) && texts(1) == texts(2), "their bytes stay");
    assert!(session.log().iter().all(|message| message.role != Role::Developer));
}

#[tokio::test]
async fn another_session_gets_its_own_and_a_reload_reads_them_again() {
    let (folder, parent) = (project(), Session::new());
    let model = ScriptedModel::answering(|_| Script::text("Hello."));
    agent(&folder, &model).send(&parent, "hi").await.unwrap();
    fs::write(folder.path().join("AGENTS.md"), "Use spaces.").unwrap();
    let rules_of = |index: usize| model.requests()[index].log.get(5).unwrap().text();
    agent(&folder, &model).send(&Session::new(), "hi").await.unwrap();
    agent(&folder, &model).send(&parent, "hi").await.unwrap();
    reload_prompt_facts(&parent);
    agent(&folder, &model).send(&parent, "hi").await.unwrap();
    let tabs: Vec<_> = (0..4).map(|index| rules_of(index).contains("Use tabs.")).collect();
    assert_eq!(tabs, [true, false, true, false]);
}
