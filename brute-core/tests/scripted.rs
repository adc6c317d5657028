//! The scripted model does what it is told, and tells what it was asked.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use brute_core::models::{Script, ScriptedModel};
use brute_core::{
    Arguments, Error, ErrorKind, Event, Events, Message, ModelId, Part, Reply, StopReason,
    ToolChoice, Turn, Usage, partial_json,
};
use futures::FutureExt;
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::time::Instant;
use tower::ServiceExt;

/// Plays one script and lists the events beside its outcome.
async fn play(script: Script) -> (Result<Reply, Error>, Vec<Event>) {
    let list = Arc::new(Mutex::new(Vec::new()));
    let kept = list.clone();
    let events = Events::inline(move |event| kept.lock().unwrap().push(event));
    let turn = Turn { events, ..Turn::default() };
    let outcome = ScriptedModel::new([script]).oneshot(turn).await;
    let events = list.lock().unwrap().clone();
    (outcome, events)
}

fn play_now(script: Script) -> (Result<Reply, Error>, Vec<Event>) {
    play(script).now_or_never().expect("nothing waits")
}

fn text_deltas(events: &[Event]) -> Vec<&str> {
    let deltas = events.iter().filter_map(|event| match event {
        Event::Text { delta } => Some(&**delta),
        _ => None,
    });
    deltas.collect()
}

fn request(text: &str) -> Turn {
    let mut turn = Turn::default();
    turn.log.push(Message::user(text));
    turn
}

#[test]
fn scripts_are_played_in_order_one_for_each_request() {
    let model = ScriptedModel::new([Script::text("one"), Script::text("two")]);
    for expected in ["one", "two"] {
        let reply = model.clone().oneshot(request("hi")).now_or_never().unwrap().unwrap();
        assert_eq!((reply.answer().as_str(), reply.stop), (expected, StopReason::EndTurn));
    }
}

#[test]
fn a_request_beyond_the_last_script_fails_and_shows_the_request() {
    let model = ScriptedModel::new([Script::text("one")]);
    model.clone().oneshot(request("first")).now_or_never().unwrap().unwrap();
    let mut second = request("what nobody expected");
    second.facts.step = 7;
    let error = model.clone().oneshot(second).now_or_never().unwrap().unwrap_err();
    let text = error.to_string();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(!error.is_retryable());
    for piece in ["request 2", "step 7", "what nobody expected"] {
        assert!(text.contains(piece), "{text}");
    }
    assert_eq!(model.requests().len(), 2);
}

#[test]
fn requests_are_kept_exactly_as_they_came_in_order() {
    let model = ScriptedModel::answering(|_| Script::text("hi"));
    let mut first = request("one");
    first.settings_mut().tool_choice = ToolChoice::Required;
    first.facts.set("rules", "none");
    first.model = ModelId::new("a", "b");
    let mut second = request("two");
    second.log.push_front(Message::system("Be brief."));
    for turn in [&first, &second] {
        model.clone().oneshot(turn.clone()).now_or_never().unwrap().unwrap();
    }
    let kept = model.requests();
    assert_eq!(kept.len(), 2);
    assert_eq!((&kept[0].log, &kept[1].log), (&first.log, &second.log));
    assert_eq!(kept[0].settings, first.settings);
    assert_eq!(kept[0].facts.get("rules"), Some(&json!("none")));
    assert_eq!(kept[0].model, first.model);
    assert!(kept[1].log.has_system() && !kept[0].log.has_system());
}

#[test]
fn a_request_is_kept_as_soon_as_it_is_made_even_if_nobody_waits_for_the_answer() {
    let model = ScriptedModel::answering(|_| Script::text("hi").pending(1));
    assert!(model.clone().oneshot(request("hi")).now_or_never().is_none());
    assert_eq!(model.requests().len(), 1);
}

#[test]
fn a_function_makes_up_the_script_from_the_request() {
    let model = ScriptedModel::answering(|turn| Script::text(&turn.log.last().unwrap().text()));
    for text in ["one", "two"] {
        let reply = model.clone().oneshot(request(text)).now_or_never().unwrap().unwrap();
        assert_eq!(reply.answer(), text);
    }
}

proptest! {
    #[test]
    fn pieces_are_cut_between_letters_and_nothing_is_lost(
        text in any::<String>(),
        pieces in 0..20_usize,
    ) {
        let (reply, events) = play_now(Script::text(&text).pieces(pieces));
        let deltas = text_deltas(&events);
        prop_assert_eq!(deltas.concat(), text.as_str());
        prop_assert!(deltas.len() <= pieces.max(1));
        prop_assert!(deltas.iter().all(|delta| !delta.is_empty()));
        prop_assert_eq!(reply.unwrap().answer(), text);
    }
}

#[test]
fn a_text_comes_in_as_many_pieces_as_asked_for() {
    let (_, events) = play_now(Script::text("abcdefgh").pieces(4));
    assert_eq!(text_deltas(&events), ["ab", "cd", "ef", "gh"]);
    let (_, events) = play_now(Script::text("é🦀é").pieces(100));
    assert_eq!(text_deltas(&events), ["é", "🦀", "é"]);
    let (_, events) = play_now(Script::text("abc"));
    assert_eq!(text_deltas(&events), ["abc"]);
}

#[test]
fn reasoning_text_calls_and_parts_keep_their_order() {
    let native = Part::Provider { native: Arc::new(json!({ "type": "odd" })) };
    let script = Script::empty()
        .and_reasoning("hm")
        .and_text("Let me look.")
        .and_part(native.clone())
        .and_call("list", json!({ "path": "." }))
        .and_text("And read.")
        .and_call_with_id("mine", "read", json!({}));
    let (reply, events) = play_now(script);
    let reply = reply.unwrap();
    let parts = &reply.added[0].parts;
    assert!(matches!(&parts[0], Part::Reasoning(reasoning) if &*reasoning.text == "hm"));
    assert!(matches!(&parts[1], Part::Text(text) if &*text.text == "Let me look."));
    assert_eq!(parts[2], native);
    let ids: Vec<_> = reply.added[0].tool_calls().map(|call| (&*call.id, &*call.name)).collect();
    assert_eq!(ids, [("call_1_1", "list"), ("mine", "read")]);
    assert_eq!(reply.stop, StopReason::ToolCalls);
    assert_eq!(events[0], Event::Reasoning { delta: "hm".into() });
    assert_eq!(events.len(), 5);
}

#[test]
fn calls_of_different_requests_have_different_ids() {
    let model = ScriptedModel::answering(|_| Script::call("t", json!({})).and_call("t", json!({})));
    let mut ids = Vec::new();
    for _ in 0..3 {
        let reply = model.clone().oneshot(request("hi")).now_or_never().unwrap().unwrap();
        ids.extend(reply.added[0].tool_calls().map(|call| call.id.to_string()));
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 6);
}

#[test]
fn arguments_that_come_in_pieces_can_be_read_as_far_as_they_go_and_make_one_call() {
    let pieces = [r#"{"path": "src"#, r#"/main.rs", "li"#, r#"mit": 1"#, "0}"];
    let (reply, events) = play_now(Script::empty().and_raw_call("read", pieces));
    let so_far: Vec<_> = events
        .iter()
        .map(|event| match event {
            Event::ToolArguments { call_id, name, so_far, .. } => {
                assert_eq!((&**call_id, &**name), ("call_1_1", "read"));
                partial_json(&so_far.text()).unwrap()
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let whole = json!({ "path": "src/main.rs", "limit": 10 });
    let path = json!({ "path": "src/main.rs" });
    assert_eq!(so_far, [json!({ "path": "src" }), path.clone(), path, whole.clone()]);
    let reply = reply.unwrap();
    let calls: Vec<_> = reply.added[0].tool_calls().collect();
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].arguments.object(), Some(&whole));
}

#[test]
fn broken_arguments_are_kept_as_the_model_wrote_them() {
    for raw in ["{\"path\": ", "[1, 2]", "nonsense"] {
        let (reply, _) = play_now(Script::empty().and_raw_call("read", [raw]));
        let reply = reply.unwrap();
        let call = reply.added[0].tool_calls().next().unwrap();
        assert_eq!(call.arguments, Arguments::Invalid(raw.into()));
    }
    let (reply, _) = play_now(Script::empty().and_raw_call("read", []));
    assert_eq!(reply.unwrap().added[0].tool_calls().next().unwrap().arguments, json!({}).into());
}

#[test]
fn a_failure_comes_before_or_after_what_is_streamed() {
    let error = || Error::new(ErrorKind::RateLimited, "slow down").after(Duration::from_secs(3));
    let (outcome, events) = play_now(Script::fail(error()));
    assert_eq!(outcome.unwrap_err().retry_after(), Some(Duration::from_secs(3)));
    assert!(events.is_empty());
    let (outcome, events) = play_now(Script::text("half").pieces(2).and_fail(error()));
    assert_eq!(outcome.unwrap_err().kind(), ErrorKind::RateLimited);
    assert_eq!(text_deltas(&events), ["ha", "lf"]);
}

#[tokio::test(start_paused = true)]
async fn a_delay_passes_before_each_delta_and_before_the_end() {
    let start = Instant::now();
    let times = Arc::new(Mutex::new(Vec::new()));
    let kept = times.clone();
    let events = Events::inline(move |_| kept.lock().unwrap().push(start.elapsed().as_secs()));
    let script = Script::text("ab")
        .pieces(2)
        .and_reasoning("c")
        .and_raw_call("t", ["{", "}"])
        .delay(Duration::from_secs(2));
    let turn = Turn { events, ..Turn::default() };
    ScriptedModel::new([script]).oneshot(turn).await.unwrap();
    // "c" is cut into two pieces as well, but one letter cannot be.
    assert_eq!(*times.lock().unwrap(), [2, 4, 6, 8, 10]);
    assert_eq!(start.elapsed().as_secs(), 12);
}

#[tokio::test(start_paused = true)]
async fn a_failure_waits_too() {
    let start = Instant::now();
    let script = Script::fail(Error::new(ErrorKind::Model, "no")).delay(Duration::from_secs(2));
    assert!(play(script).await.0.is_err());
    assert_eq!(start.elapsed().as_secs(), 2);
}

#[test]
fn it_returns_to_the_executor_as_often_as_asked_for() {
    let model = ScriptedModel::new([Script::text("ab").pieces(2).pending(3)]);
    let mut call = model.oneshot(Turn::default());
    // Three times before each of two deltas and before the end, then it is done.
    let polls = (1..100).find(|_| (&mut call).now_or_never().is_some());
    assert_eq!(polls, Some(10));
}

#[test]
fn stop_and_usage_are_in_the_reply_and_in_the_message() {
    let usage = Usage { input: 1, output: 2, ..Usage::default() };
    let script = Script::call("t", json!({})).usage(usage).stop(StopReason::MaxTokens);
    let reply = play_now(script).0.unwrap();
    assert_eq!((reply.usage, reply.stop), (usage, StopReason::MaxTokens));
    assert_eq!((reply.added[0].usage, reply.added[0].stop), (Some(usage), Some(reply.stop)));
}

#[test]
fn an_empty_script_answers_nothing() {
    let reply = play_now(Script::empty()).0.unwrap();
    assert_eq!(reply.added.len(), 1);
    assert!(reply.added[0].parts.is_empty() && reply.added[0].is_blank());
    assert_eq!(reply.stop, StopReason::EndTurn);
}

#[test]
fn values_of_any_form_are_arguments() {
    let script = Script::call("t", Value::Null);
    let reply = play_now(script).0.unwrap();
    let call = reply.added[0].tool_calls().next().unwrap();
    assert_eq!(call.arguments, Arguments::Invalid("null".into()));
}
