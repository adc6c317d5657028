//! The model is told once, in front of the next input, that a mode begins or ends.

use std::sync::Arc;

use brute_core::{
    Agent, Error, ErrorKind, Input, Message, Next, Role, Session, Turn, from_fn,
    models::{Script, ScriptedModel},
    testing::{LintedStack, Recorder},
};
use brute_middleware::{
    AcceptInputLayer, ModeMessagesLayer, ToolLoopLayer, default_stack, set_headless, set_worktree,
};
use brute_prompts::{SystemPrompt, Texts, Worktree};
use serde_json::json;

fn hello() -> ScriptedModel {
    ScriptedModel::answering(|_| Script::text("Hello."))
}

fn agent(layer: ModeMessagesLayer, model: &ScriptedModel) -> Agent {
    let stack = LintedStack::new()
        .layer(layer)
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .model(model.clone());
    Agent::builder(stack).build().unwrap()
}

/// A layer whose messages are short enough to compare.
fn short() -> ModeMessagesLayer {
    let texts = Texts::shipped().with([
        ("headless_enter/default.txt", "alone"),
        ("headless_leave/default.txt", "watched"),
        ("worktree_enter/default.txt", "in {{ worktree.path }}"),
        ("worktree_leave/default.txt", "out of {{ worktree.path }}"),
    ]);
    ModeMessagesLayer::new(SystemPrompt::default().texts(texts.unwrap()))
}

fn worktree(path: &str) -> Worktree {
    Worktree { branch: Some("topic".into()), path: path.into(), main: "/srv/app".into() }
}

/// Everything that is recorded, developer messages in brackets.
fn record(session: &Session) -> Vec<String> {
    let said = |message: &Message| match message.role {
        Role::Developer => format!("[{}]", message.text()),
        _ => message.text(),
    };
    session.log().iter().map(|message| said(message)).collect()
}

fn texts(turn: &Turn) -> Vec<String> {
    turn.log.iter().map(|message| message.text()).collect()
}

#[tokio::test]
async fn each_change_is_told_once_in_front_of_the_next_input() {
    let (model, session) = (hello(), Session::new());
    let agent = agent(short(), &model);
    let steps: [(&dyn Fn(), &[&str]); 7] = [
        (&|| {}, &[]),
        (&|| set_headless(&session, true), &["alone"]),
        (&|| {}, &[]),
        (&|| set_headless(&session, true), &[]),
        (&|| set_worktree(&session, Some(&worktree("/one"))), &["in /one"]),
        (&|| set_worktree(&session, Some(&worktree("/two"))), &["in /two"]),
        (
            &|| {
                set_headless(&session, false);
                set_worktree(&session, None);
            },
            &["watched", "out of /two"],
        ),
    ];
    for (number, (change, told)) in steps.into_iter().enumerate() {
        let before = session.log().len();
        change();
        agent.send(&session, "hi").await.unwrap();
        let mut expected: Vec<_> = told.iter().map(|text| format!("[{text}]")).collect();
        expected.extend(["hi".to_owned(), "Hello.".to_owned()]);
        assert_eq!(record(&session)[before..], expected, "step {number}");
        let mut seen = texts(&model.requests()[number]);
        seen.push("Hello.".to_owned());
        let recorded: Vec<_> = session.log().iter().map(|message| message.text()).collect();
        assert_eq!(seen, recorded, "the model sees what is recorded");
    }
}

#[tokio::test]
async fn what_was_told_is_known_after_the_session_was_reopened() {
    let (model, session) = (hello(), Session::new());
    set_headless(&session, true);
    agent(short(), &model).send(&session, "hi").await.unwrap();
    let reopened = Session::from_json(&session.to_json().unwrap()).unwrap();
    agent(short(), &model).send(&reopened, "again").await.unwrap();
    assert_eq!(record(&reopened), ["[alone]", "hi", "Hello.", "again", "Hello."]);
    set_headless(&reopened, false);
    agent(short(), &model).send(&reopened, "back").await.unwrap();
    assert_eq!(record(&reopened)[5..], ["[watched]", "back", "Hello."]);
}

#[tokio::test]
async fn a_fact_of_the_turn_wins_over_what_the_session_remembers() {
    let (model, session) = (hello(), Session::new());
    let agent = agent(short(), &model);
    agent.turn(&session, "hi").fact("headless", true).await.unwrap();
    set_headless(&session, true);
    agent.turn(&session, "hi").fact("headless", false).await.unwrap();
    let tree = json!({ "path": "/tree", "main": "/srv/app" });
    agent.turn(&session, "hi").fact("worktree", tree).fact("headless", false).await.unwrap();
    let record = record(&session);
    let told: Vec<_> = record.iter().filter(|text| text.starts_with('[')).collect();
    assert_eq!(told, ["[alone]", "[watched]", "[in /tree]"]);
}

#[tokio::test]
async fn nothing_is_told_where_the_layer_does_not_apply_or_nothing_is_said() {
    let (model, session) = (hello(), Session::new());
    session.push(Message::user("earlier")).unwrap();
    set_headless(&session, true);
    let quiet = short().when(|turn| turn.facts.get("workflow").is_none());
    let agent = agent(quiet, &model);
    agent.turn(&session, "hi").fact("workflow", "release").await.unwrap();
    agent.send(&session, Input::none()).await.unwrap();
    agent.send(&session, " ").await.unwrap_err();
    assert!(!record(&session).contains(&"[alone]".to_owned()));
    agent.send(&session, "hi").await.unwrap();
    assert!(record(&session).contains(&"[alone]".to_owned()));
}

#[tokio::test]
async fn a_turn_that_is_tried_again_holds_and_records_the_message_once() {
    let again = from_fn(|turn: Turn, next: Next| async move {
        next.clone().run(turn.clone()).await.unwrap_err();
        next.run(turn).await
    });
    let model = ScriptedModel::new([
        Script::fail(Error::new(ErrorKind::Overloaded, "later")),
        Script::text("Hello."),
    ]);
    let stack = LintedStack::new()
        .layer(again)
        .layer(short())
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .model(model.clone());
    let session = Session::new();
    set_headless(&session, true);
    Agent::builder(stack).build().unwrap().send(&session, "hi").await.unwrap();
    assert_eq!(record(&session), ["[alone]", "hi", "Hello."]);
    for request in model.requests() {
        assert_eq!(texts(&request), ["alone", "hi"]);
    }
}

#[tokio::test]
async fn what_another_layer_recorded_in_front_of_the_input_is_not_told_twice() {
    let note = from_fn(|mut turn: Turn, next: Next| async move {
        let note = turn.journal.record(Arc::new(Message::developer("note")));
        turn.log.push(note);
        next.run(turn).await
    });
    for (headless, expected) in [(false, &["note", "hi"][..]), (true, &["note", "alone", "hi"])] {
        let (model, session) = (hello(), Session::new());
        set_headless(&session, headless);
        let stack = LintedStack::new()
            .layer(note)
            .layer(short())
            .layer(AcceptInputLayer)
            .layer(ToolLoopLayer)
            .model(model.clone());
        Agent::builder(stack).build().unwrap().send(&session, "hi").await.unwrap();
        assert_eq!(texts(&model.requests()[0]), expected);
    }
}

#[tokio::test]
async fn a_failed_turn_has_told_it() {
    let model = ScriptedModel::new([
        Script::fail(Error::new(ErrorKind::Overloaded, "later")),
        Script::text("Hello."),
    ]);
    let (agent, session) = (agent(short(), &model), Session::new());
    set_headless(&session, true);
    agent.send(&session, "hi").await.unwrap_err();
    agent.send(&session, "again").await.unwrap();
    assert_eq!(record(&session), ["[alone]", "hi", "again", "Hello."]);
}

#[tokio::test]
async fn words_that_fail_are_an_error_and_nothing_is_recorded() {
    let texts = Texts::shipped().with([("headless_enter/default.txt", "{{ nobody_knows_me }}")]);
    let layer = ModeMessagesLayer::new(SystemPrompt::default().texts(texts.unwrap()));
    let (model, session) = (hello(), Session::new());
    set_headless(&session, true);
    let error = agent(layer, &model).send(&session, "hi").await.unwrap_err();
    assert_eq!((error.kind(), model.requests().len()), (ErrorKind::Prompt, 0));
    assert!(session.log().is_empty());
}

#[tokio::test]
async fn what_is_not_understood_changes_nothing_and_is_told() {
    let told = Recorder::default();
    let events = told.diagnostics();
    let (model, session) = (hello(), Session::new());
    let agent = agent(short(), &model);
    set_headless(&session, true);
    set_worktree(&session, Some(&worktree("/one")));
    agent.send(&session, "hi").await.unwrap();
    let turn = agent.turn(&session, "hi").events(events);
    turn.fact("headless", "yes").fact("worktree", json!({ "path": 3 })).await.unwrap();
    assert_eq!(record(&session), ["[alone]", "[in /one]", "hi", "Hello.", "hi", "Hello."]);
    let told = told.list();
    assert!(told.len() == 2 && told[0].contains("\"headless\""), "{told:?}");
    assert!(told[1].contains("\"worktree\""), "{told:?}");

    let odd = Session::new();
    odd.remember("modes_told", json!([1, 2]));
    agent.send(&odd, "hi").await.unwrap();
    assert_eq!(record(&odd), ["hi", "Hello."]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_worktree_whose_path_is_not_utf_8_is_told_as_it_can_be_shown() {
    use std::os::unix::ffi::OsStrExt;

    let (model, session) = (hello(), Session::new());
    let path = std::ffi::OsStr::from_bytes(b"/srv/\xff").into();
    set_worktree(&session, Some(&Worktree { path, ..worktree("/one") }));
    agent(short(), &model).send(&session, "hi").await.unwrap();
    assert_eq!(record(&session)[0], "[in /srv/\u{fffd}]");
}

#[tokio::test]
async fn the_default_stack_tells_with_the_words_of_its_prompt() {
    let texts = Texts::shipped().with([("headless_enter/default.txt", "You are alone.")]).unwrap();
    let model = hello();
    let quiet = ModeMessagesLayer::default().when(|turn| turn.facts.get("workflow").is_none());
    let stack = default_stack().mode_messages(quiet).model(model.clone());
    let session = Session::new();
    set_headless(&session, true);
    let agent = Agent::builder(stack).build().unwrap();
    agent.turn(&session, "hi").fact("workflow", "release").await.unwrap();
    assert_eq!(record(&session), ["hi", "Hello."], "a host says where not");

    let stack = default_stack().prompt(SystemPrompt::default().texts(texts)).model(model.clone());
    let session = Session::new();
    set_headless(&session, true);
    Agent::builder(stack).build().unwrap().send(&session, "hi").await.unwrap();
    assert_eq!(record(&session)[0], "[You are alone.]");
    assert!(session.log().iter().all(|message| message.role != Role::System));
}
