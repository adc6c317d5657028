//! Exchanges with a model are recorded once and replayed in tests.

use std::{fs, path::Path};

use brute_core::{
    Agent, Error, ErrorKind, Event, Events, Reply, Session, StopReason, ToolContext, Turn,
    models::{ReplyBuilder, Script, ScriptedModel},
    testing::{LintedStack, Recorder},
    tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, CassetteLayer, JournalLayer, Secrets, ToolCallsLayer, ToolLoopLayer,
};
use serde_json::{Value, json};
use tower::{Layer, ServiceExt, service_fn};

const SECRET: &str = "sk-canary-123";

async fn look(_: Value, _: ToolContext) -> Result<String, Error> {
    Ok(format!("the key is {SECRET}"))
}

fn agent(layer: CassetteLayer, model: &ScriptedModel) -> Agent {
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .layer(layer)
        .model(model.clone());
    Agent::builder(stack).tool(tool_fn("look", "Looks.", look)).model("a", "b").build().unwrap()
}

fn model() -> ScriptedModel {
    let asking = Script::text("Let me look.").pieces(3).and_raw_call("look", ["{", "}"]);
    ScriptedModel::new([asking.and_reasoning("hm"), Script::text("done").pieces(2)])
}

/// Takes a turn; returns the answer and all that was streamed.
async fn turn(
    layer: CassetteLayer,
    model: &ScriptedModel,
    input: &str,
) -> Result<(String, Vec<String>), Error> {
    let recorder = Recorder::default();
    let notes = recorder.clone();
    let events = Events::inline(move |event| match event {
        Event::Text { .. } | Event::Reasoning { .. } | Event::ToolArguments { .. } => {
            notes.note(format!("{event:?}"));
        }
        _ => {}
    });
    let reply = agent(layer, model).turn(&Session::new(), input).events(events).await?;
    Ok((reply.answer(), recorder.list()))
}

async fn recorded(path: &Path) -> (String, Vec<String>) {
    turn(CassetteLayer::record(path).secrets(Secrets::new([SECRET])), &model(), "hi").await.unwrap()
}

#[tokio::test]
async fn what_was_recorded_is_replayed_with_its_deltas_and_without_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cassettes/hello.json");
    let first = recorded(&path).await;
    let silent = ScriptedModel::new([]);
    let replay = CassetteLayer::replay(&path).unwrap().secrets(Secrets::new([SECRET]));
    assert_eq!(turn(replay, &silent, "hi").await.unwrap(), first);
    assert!(silent.requests().is_empty());
}

#[tokio::test]
async fn secrets_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hello.json");
    recorded(&path).await;
    let written = fs::read_to_string(&path).unwrap();
    assert!(!written.contains(SECRET) && written.contains("[redacted]"));
    let shown = format!("{:?}", CassetteLayer::record(&path).secrets(Secrets::new([SECRET])));
    assert!(!shown.contains(SECRET), "{shown}");
}

#[tokio::test]
async fn another_request_is_an_error_that_shows_the_difference() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hello.json");
    recorded(&path).await;
    let replay = CassetteLayer::replay(&path).unwrap().secrets(Secrets::new([SECRET]));
    let error = turn(replay, &ScriptedModel::new([]), "ho").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(
        error.to_string().contains("\"hi\"") && error.to_string().contains("\"ho\""),
        "{error}"
    );
}

#[tokio::test]
async fn one_request_more_than_recorded_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hello.json");
    recorded(&path).await;
    let agent = agent(
        CassetteLayer::replay(&path).unwrap().secrets(Secrets::new([SECRET])),
        &ScriptedModel::new([]),
    );
    let session = Session::new();
    agent.send(&session, "hi").await.unwrap();
    let error = agent.send(&session, "again").await.unwrap_err();
    assert!(error.to_string().contains("request 3"), "{error}");
}

#[test]
fn a_file_that_is_no_cassette_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.json");
    for content in ["", "{}", "[{}]", "[1"] {
        fs::write(&path, content).unwrap();
        let error = CassetteLayer::replay(&path).unwrap_err();
        assert!(error.to_string().contains("broken.json"), "{error}");
    }
    assert!(CassetteLayer::replay(folder.path().join("missing.json")).is_err());
    fs::write(&path, json!([]).to_string()).unwrap();
    assert!(CassetteLayer::replay(&path).is_ok());
}

/// Answers with two calls under one id, as some servers do.
async fn one_id_twice(turn: Turn) -> Result<Reply, Error> {
    let mut builder = ReplyBuilder::new(turn.events);
    for number in ["1", "2"] {
        builder.call("id", "look");
        builder.arguments("id", "{\"n\": ");
        builder.arguments("id", &format!("{number}}}"));
    }
    Ok(builder.finish(StopReason::ToolCalls))
}

/// Sends one request through a cassette; returns what came of arguments at each piece.
async fn arguments(layer: CassetteLayer) -> Vec<String> {
    let recorder = Recorder::default();
    let notes = recorder.clone();
    let events = Events::inline(move |event| match event {
        Event::ToolArguments { so_far, .. } => notes.note(so_far.text()),
        other => panic!("{other:?}"),
    });
    let turn = Turn { events, ..Turn::default() };
    layer.layer(service_fn(one_id_twice)).oneshot(turn).await.unwrap();
    recorder.list()
}

#[tokio::test]
async fn arguments_grow_as_they_did_even_where_two_calls_have_one_id() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.json");
    let first = arguments(CassetteLayer::record(&path)).await;
    assert_eq!(first, ["{\"n\": ", "{\"n\": 1}", "{\"n\": ", "{\"n\": 2}"]);
    assert_eq!(arguments(CassetteLayer::replay(&path).unwrap()).await, first);
}
