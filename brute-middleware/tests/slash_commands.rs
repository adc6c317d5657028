//! Commands at the start of what the user wrote: those of the host first, then skills.

use std::{fs, path::Path};

use brute_core::{
    Agent, ErrorKind, Event, Events, Input, Message, Next, Part, Reply, Role, Session, Turn,
    models::{Script, ScriptedModel},
    testing::{LintedStack, Recorder},
};
use brute_middleware::{AcceptInputLayer, JournalLayer, SlashCommandsLayer};
use brute_prompts::{gather::GatherOptions, skill::UnknownCommand};

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, body) in [("greet", "Say hello to {{ user_input }}."), ("wave", "Wave.")] {
        let skill = folder.path().join(".brute/skills").join(name);
        fs::create_dir_all(&skill).unwrap();
        let text = format!("---\nname: {name}\ndescription: Is polite.\n---\n{body}\n");
        fs::write(skill.join("SKILL.md"), text).unwrap();
    }
    folder
}

fn agent(folder: &Path, layer: SlashCommandsLayer, model: &ScriptedModel) -> Agent {
    let layer = layer.gather(GatherOptions::default().home(folder.join("home")));
    let stack = LintedStack::new()
        .layer(layer)
        .layer(AcceptInputLayer)
        .layer(JournalLayer)
        .model(model.clone());
    Agent::builder(stack).cwd(folder).build().unwrap()
}

/// Sends an input and returns the text of the user message as it was recorded, and what was told.
async fn recorded(layer: SlashCommandsLayer, input: impl Into<Input>) -> (String, Vec<String>) {
    let (folder, session) = (project(), Session::new());
    let model = ScriptedModel::answering(|_| Script::text("ok"));
    let recorder = Recorder::default();
    let notes = recorder.clone();
    let events = Events::inline(move |event| match event {
        Event::SkillExpanded { name } => notes.note(format!("expanded {name}")),
        Event::Diagnostic { message } => notes.note(&*message),
        _ => {}
    });
    agent(folder.path(), layer, &model).turn(&session, input).events(events).await.unwrap();
    let text = session.log().get(0).unwrap().text();
    assert_eq!(model.requests()[0].log.last().unwrap().text(), text);
    (text.trim().to_owned(), recorder.list())
}

async fn becomes(input: &str) -> String {
    recorded(SlashCommandsLayer::new(), input).await.0
}

#[tokio::test]
async fn a_leading_command_becomes_the_text_of_its_skill() {
    assert_eq!(becomes("/greet Ann").await, "Say hello to Ann.");
    assert_eq!(becomes("  /greet Ann\nand Bob").await, "Say hello to Ann\nand Bob.");
    assert_eq!(becomes("/greet").await, "Say hello to .");
    assert_eq!(becomes("/wave at Ann").await, "Wave.");
}

#[tokio::test]
async fn what_is_no_leading_command_stays() {
    for text in ["Please /greet Ann", "/usr/bin/bash", "/Greet Ann", "/greeting Ann", "/greet, Ann"]
    {
        assert_eq!(becomes(text).await, text);
    }
}

#[tokio::test]
async fn arguments_go_in_literally_and_once() {
    assert_eq!(
        becomes("/greet {{user_input}} /wave $1").await,
        "Say hello to {{user_input}} /wave $1."
    );
}

#[tokio::test]
async fn arguments_are_appended_by_option() {
    let layer = SlashCommandsLayer::new().append_arguments();
    assert_eq!(recorded(layer, "/wave at Ann").await.0, "Wave.\n\nat Ann");
}

#[tokio::test]
async fn an_expansion_is_told_and_an_unknown_name_too() {
    assert_eq!(recorded(SlashCommandsLayer::new(), "/greet Ann").await.1, ["expanded greet"]);
    let (text, told) = recorded(SlashCommandsLayer::new(), "/nope Ann").await;
    assert_eq!(text, "/nope Ann");
    assert!(told[0].contains("nope"), "{told:?}");
}

#[tokio::test]
async fn an_unknown_name_can_be_an_error_that_names_the_known_ones() {
    let folder = project();
    let layer = SlashCommandsLayer::new().unknown(UnknownCommand::Error);
    let agent = agent(folder.path(), layer, &ScriptedModel::text("ok"));
    let session = Session::new();
    let error = agent.send(&session, "/nope").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains("greet, wave"), "{error}");
    assert!(session.log().is_empty());
}

#[tokio::test]
async fn only_what_the_user_wrote_is_a_command() {
    let preamble = |rest: &str| {
        Message::new(Role::User, vec![Part::generated("/wave is a command.\n\n"), Part::text(rest)])
    };
    let (text, _) = recorded(SlashCommandsLayer::new(), preamble("Go on.")).await;
    assert_eq!(text, "/wave is a command.\n\nGo on.");
    let (text, _) = recorded(SlashCommandsLayer::new(), preamble("/greet Ann")).await;
    assert_eq!(text, "/wave is a command.\n\nSay hello to Ann.");
}

#[tokio::test]
async fn an_earlier_message_is_never_touched() {
    let (folder, session) = (project(), Session::new());
    session.push(Message::user("/greet Ann")).unwrap();
    let model = ScriptedModel::text("ok");
    agent(folder.path(), SlashCommandsLayer::new(), &model).send(&session, "Go on.").await.unwrap();
    assert_eq!(session.log().get(0).unwrap().text(), "/greet Ann");
}

#[tokio::test]
async fn a_command_of_the_host_comes_before_a_skill_and_may_answer_by_itself() {
    let layer = || {
        SlashCommandsLayer::new()
            .command("greet", |_: Turn, name: String, _: Next| async move {
                Ok(Reply::text(format!("Hello, {name}, says the host.")))
            })
            .command("loudly", |mut turn: Turn, rest: String, next: Next| async move {
                turn.input = rest.to_uppercase().into();
                next.run(turn).await
            })
    };
    let (folder, session, model) = (project(), Session::new(), ScriptedModel::text("ok"));
    let agent = agent(folder.path(), layer(), &model);
    let reply = agent.send(&session, "/greet Ann").await.unwrap();
    assert_eq!(
        (reply.answer().as_str(), model.requests().len()),
        ("Hello, Ann, says the host.", 0)
    );
    assert_eq!(recorded(layer(), "/loudly go on").await.0, "GO ON");
}

#[tokio::test]
async fn it_can_be_off_for_models_that_take_commands_themselves() {
    let layer = SlashCommandsLayer::new().when(|turn| turn.model.provider() == "other");
    assert_eq!(recorded(layer, "/greet Ann").await.0, "/greet Ann");
}

#[tokio::test]
async fn without_skills_a_command_stays_as_it_is() {
    let layer = SlashCommandsLayer::new().unknown(UnknownCommand::Error);
    let folder = tempfile::tempdir().unwrap();
    let (session, model) = (Session::new(), ScriptedModel::text("ok"));
    agent(folder.path(), layer, &model).send(&session, "/greet Ann").await.unwrap();
    assert_eq!(session.log().get(0).unwrap().text(), "/greet Ann");
}
