//! The next model is asked when one fails in a way that another may not.

use std::sync::Arc;

use brute_core::{
    Agent, Error, ErrorKind, Event, Events, Message, Part, Reasoning, Role, Session, StopReason,
    models::{Script, ScriptedModel},
    testing::{LintedStack, Recorder},
};
use brute_middleware::{AcceptInputLayer, FallbackLayer, JournalLayer, RefusalLayer};
use serde_json::json;

fn failing(kind: ErrorKind) -> ScriptedModel {
    ScriptedModel::new([Script::fail(Error::new(kind, "no"))])
}

fn agent(layer: FallbackLayer, model: ScriptedModel) -> Agent {
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(JournalLayer)
        .layer(layer)
        .layer(RefusalLayer)
        .model(model);
    Agent::builder(stack).model("first", "one").build().unwrap()
}

#[tokio::test]
async fn the_second_model_gets_the_same_messages_under_its_own_name() {
    let second = ScriptedModel::text("I can.");
    let layer = FallbackLayer::new().then("second", "two", second.clone());
    let session = Session::new();
    let recorder = Recorder::default();
    let notes = recorder.clone();
    let events = Events::inline(move |event| {
        if let Event::Fallback { from, kind, to } = event {
            notes.note(format!("{from} {kind:?} {to}"));
        }
    });
    let reply =
        agent(layer, failing(ErrorKind::Model)).turn(&session, "hi").events(events).await.unwrap();
    assert_eq!(reply.answer(), "I can.");
    assert_eq!(second.requests()[0].model.to_string(), "second/two");
    assert_eq!(second.requests()[0].log.last().unwrap().text(), "hi");
    assert_eq!(
        (session.log().len(), recorder.list()),
        (2, vec!["first/one Model second/two".to_owned()])
    );
}

#[tokio::test]
async fn what_only_the_first_provider_understands_is_left_out_of_the_view_and_stays_in_the_record()
{
    let native = || Some(Arc::new(json!({ "signature": "secret" })));
    let mut said = Message::assistant("I think.");
    said.parts.insert(0, Part::Reasoning(Reasoning { text: "hm".into(), native: native() }));
    said.parts.push(Part::Provider { native: Arc::new(json!({ "type": "server_tool_use" })) });
    if let Part::Text(text) = &mut said.parts[1] {
        text.native = native();
    }
    let session = Session::from_log(&[Message::user("hi"), said].into_iter().collect()).unwrap();
    let second = ScriptedModel::text("ok");
    let layer = FallbackLayer::new().then("second", "two", second.clone());
    agent(layer, failing(ErrorKind::Network)).send(&session, "again").await.unwrap();
    let seen = second.requests()[0].log.get(1).unwrap().clone();
    assert_eq!(seen.parts, [Part::text("I think.")]);
    assert_eq!(session.log().get(1).unwrap().parts.len(), 3);
}

#[tokio::test]
async fn when_all_fail_the_error_names_them_all() {
    let layer = FallbackLayer::new().then("second", "two", failing(ErrorKind::Overloaded)).then(
        "third",
        "three",
        failing(ErrorKind::RateLimited),
    );
    let error =
        agent(layer, failing(ErrorKind::Model)).send(&Session::new(), "hi").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RateLimited);
    assert_eq!(
        error.to_string(),
        "all models failed: first/one: no; second/two: no; third/three: no"
    );
}

#[tokio::test]
async fn a_request_that_is_invalid_as_such_passes_through_at_once() {
    let second = ScriptedModel::text("ok");
    let layer = FallbackLayer::new().then("second", "two", second.clone());
    let error =
        agent(layer, failing(ErrorKind::Invalid)).send(&Session::new(), "hi").await.unwrap_err();
    assert_eq!((error.to_string().as_str(), second.requests().len()), ("no", 0));
}

#[tokio::test]
async fn the_caller_decides_which_failures_count() {
    let second = ScriptedModel::text("ok");
    let layer = FallbackLayer::new()
        .then("second", "two", second.clone())
        .on(|error| error.kind() == ErrorKind::ContextOverflow);
    agent(layer, failing(ErrorKind::Model)).send(&Session::new(), "hi").await.unwrap_err();
    assert!(second.requests().is_empty());
}

#[tokio::test]
async fn a_refusal_is_a_failure_that_another_model_may_not_have() {
    let refusing = ScriptedModel::new([Script::text("I will not.").stop(StopReason::Refusal)]);
    let layer = FallbackLayer::new().then("second", "two", ScriptedModel::text("I will."));
    let session = Session::new();
    assert_eq!(agent(layer, refusing).send(&session, "hi").await.unwrap().answer(), "I will.");
    assert_eq!(session.log().iter().filter(|message| message.role == Role::Assistant).count(), 1);
}
