//! A layer that stands where it cannot do its work says so.

use std::fs;

use brute_core::{
    Agent, BuiltStack, ErrorKind, Event, Events, Session, Stack, TurnService,
    models::{Script, ScriptedModel},
    testing::Recorder,
};
use brute_middleware::{
    AcceptInputLayer, ModeMessagesLayer, PreambleLayer, RecentNotesLayer, SessionStatusLayer,
    SkillsLayer, SlashCommandsLayer, ToolLoopLayer, default_stack,
};
use brute_prompts::preamble::{Run, Stage};

fn hello() -> ScriptedModel {
    ScriptedModel::answering(|_| Script::text("Hello."))
}

/// What is told in a turn that goes well.
async fn told<S: TurnService>(stack: BuiltStack<S>) -> Vec<String> {
    let told = Recorder::default();
    let notes = told.clone();
    let events = Events::inline(move |event| {
        if let Event::Diagnostic { message } = event {
            notes.note(&*message);
        }
    });
    let agent = Agent::builder(stack).events(events).build().unwrap();
    agent.send(&Session::new(), "hi").await.unwrap();
    told.list()
}

fn preamble() -> PreambleLayer {
    PreambleLayer::new(Run { stages: vec![Stage::new("plan")], ..Run::default() })
}

#[tokio::test]
async fn a_layer_that_shapes_the_input_says_that_it_stands_below_where_that_is_recorded() {
    let complaints = [
        told(default_stack().around_turn(preamble()).model(hello())).await,
        told(default_stack().around_turn(SlashCommandsLayer::new()).model(hello())).await,
        told(default_stack().around_turn(ModeMessagesLayer::default()).model(hello())).await,
        told(default_stack().around_model(RecentNotesLayer::new(".")).model(hello())).await,
    ];
    let names = ["Preamble", "SlashCommands", "ModeMessages", "RecentNotes"];
    for (complaint, name) in complaints.into_iter().zip(names) {
        let [complaint] = complaint.try_into().expect(name);
        assert!(complaint.starts_with(name) && complaint.contains("around_input"), "{complaint}");
    }
}

#[tokio::test]
async fn a_layer_in_its_place_says_nothing() {
    let stack = default_stack().around_input(preamble()).around_input(RecentNotesLayer::new("."));
    assert_eq!(told(stack.model(hello())).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_tool_that_nothing_would_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let skill = folder.path().join(".brute/skills/greet");
    fs::create_dir_all(&skill).unwrap();
    fs::write(skill.join("SKILL.md"), "---\nname: greet\ndescription: Greets.\n---\nHi.\n")
        .unwrap();
    let status = default_stack().around_model(SessionStatusLayer::new()).model(hello());
    let skills = Stack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(SkillsLayer::new())
        .model(hello());
    let refused = [
        Agent::builder(status).build().unwrap().send(&Session::new(), "hi").await,
        Agent::builder(skills)
            .cwd(folder.path())
            .build()
            .unwrap()
            .send(&Session::new(), "hi")
            .await,
    ];
    for (refused, name) in refused.into_iter().zip(["SessionStatus", "Skills"]) {
        let error = refused.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.to_string().contains(name), "{error}");
    }
}
