//! The recorder notes who was called, in which order, and changes nothing.

use brute_core::models::{Script, ScriptedModel};
use brute_core::testing::{LintedStack, Recorder};
use brute_core::{Agent, Error, ErrorKind, Session};
use futures::FutureExt;

fn agent(recorder: &Recorder, script: Script) -> Agent {
    let stack = LintedStack::new()
        .layer(recorder.layer("outer"))
        .layer(recorder.layer("inner"))
        .model(ScriptedModel::new([script]));
    Agent::builder(stack).build().unwrap()
}

#[tokio::test]
async fn layers_are_noted_when_they_are_entered_and_left() {
    let recorder = Recorder::default();
    let reply = agent(&recorder, Script::text("hi")).send(&Session::new(), "hi").await.unwrap();
    assert_eq!(reply.answer(), "hi");
    assert_eq!(recorder.list(), ["enter outer", "enter inner", "leave inner", "leave outer"]);
}

#[tokio::test]
async fn a_failure_is_left_too_and_comes_out_unchanged() {
    let recorder = Recorder::default();
    let script = Script::fail(Error::new(ErrorKind::Network, "reset"));
    let error = agent(&recorder, script).send(&Session::new(), "hi").await.unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Network, "reset"));
    assert_eq!(recorder.list()[2..], ["leave inner", "leave outer"]);
}

#[test]
fn a_turn_that_is_dropped_was_entered_and_never_left() {
    let recorder = Recorder::default();
    let agent = agent(&recorder, Script::text("hi").pending(1));
    assert!(agent.send(&Session::new(), "hi").now_or_never().is_none());
    assert_eq!(recorder.list(), ["enter outer", "enter inner"]);
}

#[test]
fn a_clone_is_another_handle_on_the_same_list() {
    let recorder = Recorder::default();
    recorder.clone().note("one");
    recorder.note("two".to_owned());
    assert_eq!(recorder.list(), ["one", "two"]);
    assert!(Recorder::default().list().is_empty());
}
