//! An input that begins anew is given the notes of the last days, once.

use std::fs;

use brute_core::{
    Agent, Message, Next, Part, Session, Turn,
    models::{Script, ScriptedModel},
    testing::{LintedStack, Recorder},
};
use brute_middleware::{AcceptInputLayer, RecentNotesLayer, SlashCommandsLayer, default_stack};
use brute_prompts::gather::{RecentNotes, Today};
use tempfile::TempDir;

fn workspace() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("memory")).unwrap();
    fs::write(folder.path().join("memory/2026-03-04.md"), "Half done. {{ goal }}").unwrap();
    folder
}

fn layer(folder: &TempDir) -> RecentNotesLayer {
    let options = RecentNotes::default().clock(Today::parse("2026-03-05").unwrap());
    RecentNotesLayer::new(folder.path()).options(options)
}

fn agent(layer: RecentNotesLayer) -> Agent {
    let stack = LintedStack::new()
        .layer(layer)
        .layer(AcceptInputLayer)
        .model(ScriptedModel::answering(|_| Script::text("Hello.")));
    Agent::builder(stack).build().unwrap()
}

/// What is recorded of an input.
async fn recorded(layer: RecentNotesLayer, input: Message) -> String {
    let session = Session::new();
    agent(layer).send(&session, input).await.unwrap();
    session.log().get(0).unwrap().text()
}

#[tokio::test]
async fn only_a_bare_input_that_begins_anew_is_given_the_notes() {
    let folder = workspace();
    for (input, is_told) in [
        ("/new", true),
        (" /reset\n", true),
        ("/new please", false),
        ("/newer", false),
        ("new", false),
        ("hi", false),
    ] {
        let said = recorded(layer(&folder), Message::user(input)).await;
        assert_eq!(said.contains("Half done. {{ goal }}"), is_told, "{input:?}: {said}");
        assert!(said.ends_with(input), "{said}");
    }
    let said = recorded(layer(&folder).inputs(["go"]), Message::user("go")).await;
    assert!(said.contains("Half done.") && said.ends_with("\n\ngo"), "{said}");
}

#[tokio::test]
async fn generated_text_is_no_input_that_begins_anew_and_does_not_hide_one() {
    let folder = workspace();
    let mut input = Message::user("hi");
    input.parts.insert(0, Part::generated("/new"));
    assert_eq!(recorded(layer(&folder), input).await, "/newhi");
    let mut input = Message::user("/new");
    input.parts.insert(0, Part::generated("Context. "));
    assert!(recorded(layer(&folder), input).await.contains("Half done."));
}

#[tokio::test]
async fn notes_are_told_once() {
    let (folder, session) = (workspace(), Session::new());
    let agent = agent(layer(&folder));
    agent.send(&session, "/new").await.unwrap();
    agent.send(&session, "hi").await.unwrap();
    let told = session.log().iter().filter(|message| message.text().contains("Half done.")).count();
    assert_eq!((told, session.log().len()), (1, 4));
}

#[tokio::test]
async fn a_workspace_without_notes_changes_nothing() {
    let folder = TempDir::new().unwrap();
    assert_eq!(recorded(layer(&folder), Message::user("/new")).await, "/new");
}

#[tokio::test]
async fn the_default_stack_knows_the_command_where_the_host_says_so() {
    let folder = workspace();
    let plain = SlashCommandsLayer::new();
    let knowing = plain.clone().command("new", |turn: Turn, _: String, next: Next| next.run(turn));
    for (commands, complaints) in [(knowing, 0), (plain, 1)] {
        let stack = default_stack()
            .slash_commands(commands)
            .around_input(layer(&folder))
            .model(ScriptedModel::text("Hello."));
        let (session, told) = (Session::new(), Recorder::default());
        let agent = Agent::builder(stack).events(told.diagnostics()).build().unwrap();
        agent.send(&session, "/new").await.unwrap();
        assert!(session.log().get(0).unwrap().text().contains("Half done."));
        let named = told.list().iter().filter(|note| note.contains("\"new\"")).count();
        assert_eq!(named, complaints, "{:?}", told.list());
    }
}
