//! No secret gets into a cassette, in however many pieces it was streamed.

use std::fs;

use brute_core::{
    Error, Event, Events, Reply, StopReason, Turn,
    models::{ReplyBuilder, Script, ScriptedModel},
    testing::Recorder,
};
use brute_middleware::{CassetteLayer, Secrets};
use tempfile::TempDir;
use tower::{Layer, ServiceExt, service_fn};

const SECRET: &str = "sk-abcdef-123456";

/// What came of a stream of each kind, with `|` between the pieces, and the reply.
type Streamed = (String, String, String, Reply);

/// Sends one request through a layer above a model.
async fn streamed(layer: CassetteLayer, model: ScriptedModel) -> Streamed {
    let [text, reasoning, arguments] = [(); 3].map(|()| Recorder::default());
    let notes = [text.clone(), reasoning.clone(), arguments.clone()];
    let events = Events::inline(move |event| match event {
        Event::Text { delta } => notes[0].note(&*delta),
        Event::Reasoning { delta } => notes[1].note(&*delta),
        Event::ToolArguments { delta, .. } => notes[2].note(&*delta),
        _ => {}
    });
    let turn = Turn { events, ..Turn::default() };
    let reply = layer.layer(model).oneshot(turn).await.unwrap();
    let all = |recorder: Recorder| recorder.list().join("|");
    (all(text), all(reasoning), all(arguments), reply)
}

/// Records one reply; returns the file's text and what is replayed from it.
async fn replayed(model: ScriptedModel) -> (String, Streamed) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cassette.jsonl");
    let secrets = || Secrets::new([SECRET]);
    streamed(CassetteLayer::record(&path).secrets(secrets()), model).await;
    let written = fs::read_to_string(&path).unwrap();
    let replay = CassetteLayer::replay(&path).unwrap().secrets(secrets());
    (written, streamed(replay, ScriptedModel::new([])).await)
}

/// Checks that no two letters of the secret stand in the deltas of a cassette.
#[track_caller]
fn check_deltas(written: &str, pieces: &[&str]) {
    let (_, deltas) = written.split_once("\"deltas\"").unwrap();
    for piece in pieces {
        assert!(!deltas.contains(piece), "{piece} in {written}");
    }
}

#[tokio::test]
async fn a_secret_that_was_streamed_in_pieces_is_not_written() {
    let text = format!("the key is {SECRET} ok");
    for pieces in 1..=text.len() {
        let script = Script::text(&text).pieces(pieces);
        let (written, (text, _, _, reply)) = replayed(ScriptedModel::new([script])).await;
        check_deltas(&written, &["sk", "abc", "def", "123", "456"]);
        assert_eq!(text.replace('|', ""), "the key is [redacted] ok");
        assert_eq!(reply.answer(), "the key is [redacted] ok");
        assert!(pieces < 4 || text.matches('|').count() > 1, "{text}");
    }
}

#[tokio::test]
async fn each_stream_is_looked_through_by_itself() {
    let script = Script::text(&format!("a {SECRET}"))
        .and_reasoning(&format!("b {SECRET}"))
        .and_raw_call("look", ["{\"key\": \"sk-abc", "def-123", "456\", \"n\": ", "1}"]);
    let (written, streamed) = replayed(ScriptedModel::new([script.pieces(4)])).await;
    check_deltas(&written, &["sk", "abc", "def", "123", "456"]);
    let (text, reasoning, arguments, _) = streamed;
    assert_eq!(text.replace('|', ""), "a [redacted]");
    assert_eq!(reasoning.replace('|', ""), "b [redacted]");
    assert_eq!(arguments, "{\"key\": \"[redacted]|\", \"n\": |1}");
}

#[tokio::test]
async fn arguments_that_spell_a_secret_with_escapes_are_redacted_as_those_of_the_reply() {
    let pieces = ["{\"key\": \"sk-abc", "def\\u002d123", "456\"}"];
    let script = Script::text("").and_raw_call("look", pieces);
    let (written, (_, _, arguments, reply)) = replayed(ScriptedModel::new([script])).await;
    check_deltas(&written, &["sk", "def", "123456"]);
    assert_eq!(arguments, "{\"key\":\"[redacted]\"}");
    let call = reply.added[0].tool_calls().next().unwrap();
    assert_eq!(call.arguments.to_wire().to_string(), arguments);
}

/// Answers with two calls at the same time, whose pieces come in turn.
async fn two_calls(turn: Turn) -> Result<Reply, Error> {
    let mut builder = ReplyBuilder::new(turn.events);
    for id in ["one", "two"] {
        builder.call(id, "look");
    }
    for piece in ["{\"key\": \"sk-abc", "def-123", "456\"}"] {
        builder.arguments("one", piece);
        builder.arguments("two", piece);
    }
    Ok(builder.finish(StopReason::ToolCalls))
}

#[tokio::test]
async fn the_arguments_of_calls_at_the_same_time_are_not_mixed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cassette.jsonl");
    let layer = CassetteLayer::record(&path).secrets(Secrets::new([SECRET]));
    layer.layer(service_fn(two_calls)).oneshot(Turn::default()).await.unwrap();
    check_deltas(&fs::read_to_string(&path).unwrap(), &["sk", "abc", "def", "123", "456"]);
    let replay = CassetteLayer::replay(&path).unwrap();
    let (_, _, arguments, _) = streamed(replay, ScriptedModel::new([])).await;
    assert_eq!(arguments.matches("{\"key\": \"[redacted]").count(), 2, "{arguments}");
}
