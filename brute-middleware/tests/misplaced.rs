//! A layer that stands where it cannot do its work says so.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
};

use brute_core::{
    Agent, BuiltStack, Session, Stack, TurnService,
    models::{Script, ScriptedModel},
    testing::Recorder,
    tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, JournalLayer, ModeMessagesLayer, PreambleLayer, RecentNotesLayer,
    SessionStatusLayer, SkillsLayer, SlashCommandsLayer, ToolCallsLayer, ToolLoopLayer,
    default_stack,
};
use brute_prompts::{
    gather::GatherOptions,
    preamble::{Run, Stage},
};
use serde_json::{Value, json};

fn hello() -> ScriptedModel {
    ScriptedModel::answering(|_| Script::text("Hello."))
}

/// What is told in a turn that goes well.
async fn told<S: TurnService>(stack: BuiltStack<S>) -> Vec<String> {
    let told = Recorder::default();
    let events = told.diagnostics();
    let look = tool_fn("look", "Looks.", |_: Value, _| {
        std::future::ready(Ok::<_, brute_core::Error>("seen"))
    });
    let agent = Agent::builder(stack).events(events).tool(look).build().unwrap();
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
async fn a_tool_that_nothing_may_run_is_told_once_in_a_turn() {
    let folder = tempfile::tempdir().unwrap();
    let skill = folder.path().join(".brute/skills/greet");
    fs::create_dir_all(&skill).unwrap();
    fs::write(skill.join("SKILL.md"), "---\nname: greet\ndescription: Greets.\n---\nHi.\n")
        .unwrap();
    let look = |call: u32| match call {
        0 => Script::call("look", json!({})),
        _ => Script::text("Done."),
    };
    let count = Arc::new(AtomicU32::new(0));
    let model = || {
        let count = count.clone();
        ScriptedModel::answering(move |_| look(count.fetch_add(1, SeqCst) % 2))
    };
    let status = default_stack().around_model(SessionStatusLayer::new()).model(model());
    let skills = Stack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(SkillsLayer::new().gather(GatherOptions::new(folder.path())))
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(model());
    for (told, name) in [(told(status).await, "SessionStatus"), (told(skills).await, "Skills")] {
        let [complaint] = told.try_into().expect(name);
        assert!(complaint.starts_with(name) && complaint.contains("around_input"), "{complaint}");
    }
}
