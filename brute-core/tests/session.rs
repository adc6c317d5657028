//! A session is kept whole: one turn at a time, and equal after it was written and read.

use std::{sync::Arc, time::Duration};

use brute_core::models::{Script, ScriptedModel};
use brute_core::{
    Agent, Error, ErrorKind, Input, Log, Message, MessageId, Part, Reply, Role, Session, ToolCall,
    ToolResult, Turn,
};
use futures::FutureExt;
use serde_json::{Value, json};

fn calls(ids: &[&str]) -> Message {
    let parts = ids.iter().map(|id| Part::ToolCall(ToolCall::new(*id, "tool", json!({}))));
    Message::new(Role::Assistant, parts.collect())
}

fn result(id: &str) -> Message {
    Message::tool_result(ToolResult::ok(id, "ok"))
}

fn texts(session: &Session) -> Vec<String> {
    session.log().iter().map(|message| message.text()).collect()
}

/// Takes a turn whose only layer does this work.
fn in_turn(session: &Session, work: impl Fn(&Turn) + Clone + Send + Sync + 'static) {
    let service = tower::service_fn(move |turn| {
        work(&turn);
        async { Ok::<_, Error>(Reply::default()) }
    });
    let agent = Agent::builder(service).build().unwrap();
    agent.send(session, Input::none()).now_or_never().unwrap().unwrap();
}

/// A session with parallel calls whose results came in the wrong order.
fn lived() -> Session {
    let session = Session::new();
    session.push(Message::system("Be brief.")).unwrap();
    in_turn(&session, |turn| {
        turn.journal.record(Arc::new(Message::user("hi \u{0}\u{1f980}\u{2028}")));
        turn.journal.record(Arc::new(calls(&["a", "b"])));
        turn.journal.record_result(1, Arc::new(result("b")));
        turn.journal.record_result(0, Arc::new(result("a")));
        turn.journal.record(Arc::new(Message::assistant("done")));
        turn.journal.remember("mode", json!({ "plan": [1.5, null] }));
    });
    session
}

fn document(messages: impl Into<Value>) -> String {
    json!({ "brute_session": 1, "messages": messages.into() }).to_string()
}

#[track_caller]
fn check_refused(text: &str, pieces: &[&str]) {
    let error = Session::from_json(text).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Store);
    let text = error.to_string();
    assert!(pieces.iter().all(|piece| text.contains(piece)), "{text}");
}

#[test]
fn a_session_comes_back_from_json_equal() {
    let session = lived();
    let text = session.to_json().unwrap();
    let back = Session::from_json(&text).unwrap();
    assert_eq!(back.log(), session.log());
    assert_eq!(back.meta(), session.meta());
    assert_eq!(back.to_json().unwrap(), text);
    assert!(!back.is_busy());
}

#[test]
fn ids_go_on_after_the_largest_one_that_was_read() {
    let back = Session::from_json(&lived().to_json().unwrap()).unwrap();
    let largest = back.log().iter().map(|message| message.id).max().unwrap();
    back.push(Message::user("more")).unwrap();
    assert_eq!(back.log().last().unwrap().id, MessageId(largest.0 + 1));
}

#[test]
fn an_empty_session_can_be_written_and_read() {
    let back = Session::from_json(&Session::new().to_json().unwrap()).unwrap();
    assert!(back.log().is_empty());
}

#[test]
fn every_truncated_text_is_an_error_and_no_panic() {
    let text = lived().to_json().unwrap();
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        let error = Session::from_json(&text[..end]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Store, "{end}");
        assert!(std::error::Error::source(&error).is_some());
    }
    check_refused(&format!("{text}}}"), &["trailing"]);
}

#[test]
fn what_is_no_session_says_where_it_goes_wrong() {
    check_refused("", &["no exported session", "EOF"]);
    check_refused("[]", &["no exported session"]);
    check_refused("{}", &["brute_session"]);
    check_refused(r#"{"brute_session": 1}"#, &["messages"]);
    check_refused(r#"{"brute_session": "1", "messages": []}"#, &["string", "line 1"]);
    check_refused(&document(json!([{ "role": "king", "parts": [] }])), &["king"]);
    check_refused(&document(json!([{ "role": "user", "parts": [{ "type": "x" }] }])), &["`x`"]);
    check_refused(r#"{"brute_session": 1, "messages": [], "messages": []}"#, &["duplicate"]);
}

#[test]
fn a_session_of_another_format_is_refused_with_both_numbers() {
    for version in [0_u32, 2, 9_999] {
        let text = json!({ "brute_session": version, "messages": [] }).to_string();
        check_refused(&text, &[&version.to_string(), "format 1"]);
    }
    check_refused(r#"{"brute_session": -1, "messages": []}"#, &["-1"]);
}

#[test]
fn an_orphan_result_is_named_with_its_place() {
    let user = || json!(Message::user("hi"));
    let orphan = || json!(result("x"));
    let asked = || json!(calls(&["a"]));
    check_refused(&document(json!([user(), orphan()])), &["entry 1", "\"x\""]);
    check_refused(&document(json!([orphan()])), &["entry 0", "\"x\""]);
    check_refused(&document(json!([asked(), orphan()])), &["entry 1", "\"x\""]);
    check_refused(&document(json!([asked(), user(), result("a")])), &["entry 2", "\"a\""]);
    check_refused(&document(json!([asked(), result("a"), result("a")])), &["entry 2", "\"a\""]);
    let with_meta = json!({
        "brute_session": 1,
        "meta": { "one": 1, "two": 2 },
        "messages": [user(), orphan()],
    });
    check_refused(&with_meta.to_string(), &["entry 1", "\"x\""]);
}

#[test]
fn a_result_that_is_not_alone_in_a_message_of_a_tool_is_refused() {
    let one = |id: &str| Part::ToolResult(ToolResult::ok(id, "ok"));
    for (role, parts) in [
        (Role::Tool, vec![one("a"), one("b")]),
        (Role::Tool, vec![Part::text("no result")]),
        (Role::Tool, vec![]),
        (Role::User, vec![one("a")]),
        (Role::Assistant, vec![one("a")]),
    ] {
        let odd = Message::new(role, parts);
        check_refused(&document(json!([calls(&["a", "b"]), odd])), &["entry 1"]);
    }
}

#[test]
fn calls_without_results_are_closed_when_they_are_read() {
    let text = document(json!([calls(&["a", "b"]), result("b"), Message::user("more")]));
    let log = Session::from_json(&text).unwrap().log();
    let results: Vec<_> = log.iter().flat_map(|message| message.tool_results()).collect();
    assert_eq!((&*results[0].call_id, results[0].is_error), ("a", true));
    assert_eq!((&*results[1].call_id, results[1].is_error), ("b", false));
    assert_eq!(log.len(), 4);
}

#[test]
fn ids_that_repeat_or_are_missing_are_given_anew_and_no_message_is_lost() {
    let message = |id: u64, text: &str| Message { id: MessageId(id), ..Message::user(text) };
    let text = document(json!([
        message(3, "a"),
        message(3, "b"),
        message(0, "c"),
        message(4, "d"),
        message(1, "e"),
    ]));
    let session = Session::from_json(&text).unwrap();
    assert_eq!(texts(&session), ["a", "b", "c", "d", "e"]);
    let mut ids: Vec<_> = session.log().iter().map(|message| message.id.0).collect();
    assert_eq!((ids[0], ids[4]), (3, 1));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 5);
    assert!(ids.iter().all(|id| *id > 0));
}

#[test]
fn an_id_given_to_a_closed_call_is_not_given_twice() {
    let text = document(json!([
        Message { id: MessageId(1), ..calls(&["a"]) },
        Message { id: MessageId(2), ..Message::user("b") },
        Message { id: MessageId(3), ..Message::assistant("c") },
    ]));
    let log = Session::from_json(&text).unwrap().log();
    let ids: std::collections::BTreeSet<_> = log.iter().map(|message| message.id).collect();
    assert_eq!((log.len(), ids.len()), (4, 4));
}

#[test]
fn an_absurd_id_is_refused_instead_of_breaking_the_counter() {
    for id in [u64::MAX, u64::MAX - 1] {
        let message = Message { id: MessageId(id), ..Message::user("hi") };
        check_refused(&document(json!([message])), &["entry 0", &id.to_string()]);
    }
    let message = Message { id: MessageId(u64::MAX >> 1), ..Message::user("hi") };
    let session = Session::from_json(&document(json!([message]))).unwrap();
    session.push(Message::user("more")).unwrap();
    assert!(session.log().last().unwrap().id > MessageId(u64::MAX >> 1));
}

#[test]
fn a_call_id_used_twice_is_answered_in_order() {
    let text = document(json!([calls(&["x", "x"]), result("x"), result("x"), calls(&["x"])]));
    let session = Session::from_json(&text).unwrap();
    assert_eq!(session.log().len(), 5);
    assert!(session.log().last().unwrap().tool_results().next().unwrap().is_error);
}

#[test]
fn nesting_without_end_is_an_error_and_no_overflow() {
    let deep = "[".repeat(1_000_000);
    check_refused(&deep, &["no exported session"]);
    let native = format!(r#"{{"type":"provider","native":{deep}"#);
    let text = format!(r#"{{"brute_session":1,"messages":[{{"role":"user","parts":[{native}"#);
    check_refused(&text, &["recursion limit"]);
}

#[test]
fn a_value_that_could_not_be_read_again_is_not_written() {
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    let session = lived();
    session.remember("deep", deep);
    let error = session.to_json().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Store);
    assert!(error.to_string().contains("read again"), "{error}");
}

#[test]
fn a_huge_session_is_read_whole() {
    let session = Session::new();
    let text = "x".repeat(100);
    in_turn(&session, move |turn| {
        for _ in 0..10_000 {
            turn.journal.record(Arc::new(calls(&["a", "b"])));
            turn.journal.record_result(1, Arc::new(result("b")));
            turn.journal.record_result(0, Arc::new(result("a")));
        }
        turn.journal.record(Arc::new(Message::user(text.repeat(50_000))));
    });
    let back = Session::from_json(&session.to_json().unwrap()).unwrap();
    assert_eq!(back.log().len(), 30_001);
    assert_eq!(back.log(), session.log());
}

#[test]
fn a_second_turn_is_refused_while_one_runs() {
    let session = Session::new();
    let model = ScriptedModel::answering(|_| Script::text("hi").pending(1));
    let agent = Agent::builder(model.clone()).build().unwrap();
    let mut first = agent.send(&session, "one");
    assert!((&mut first).now_or_never().is_none());
    assert!(session.is_busy());
    let error = agent.send(&session.clone(), "two").now_or_never().unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy);
    assert!(!error.is_retryable());
    assert_eq!(session.push(Message::user("x")).unwrap_err().kind(), ErrorKind::Busy);
    assert_eq!(model.requests().len(), 1);
    drop(first);
    assert!(!session.is_busy());
    session.push(Message::user("x")).unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_refused_turn_does_not_harm_the_one_that_runs() {
    let session = Session::new();
    let model = ScriptedModel::answering(|_| Script::text("hi").delay(Duration::from_secs(1)));
    let agent = Agent::builder(model).build().unwrap();
    let (first, second) = tokio::join!(agent.send(&session, "one"), agent.send(&session, "two"));
    assert_eq!(first.unwrap().answer(), "hi");
    assert_eq!(second.unwrap_err().kind(), ErrorKind::Busy);
    assert_eq!(texts(&session), ["hi"]);
}

#[test]
fn during_a_turn_the_log_leaves_out_a_message_whose_calls_are_open() {
    let session = Session::new();
    let seen = session.clone();
    in_turn(&session, move |turn| {
        let lens = |expected: usize| {
            assert_eq!(seen.log().len(), expected);
            assert_eq!(seen.fork().log(), seen.log());
            assert!(Session::from_json(&seen.to_json().unwrap()).unwrap().log() == seen.log());
        };
        turn.journal.record(Arc::new(Message::user("hi")));
        lens(1);
        turn.journal.record(Arc::new(calls(&["a", "b", "c"])));
        lens(1);
        turn.journal.record_result(2, Arc::new(result("c")));
        turn.journal.record_result(0, Arc::new(result("a")));
        lens(1);
        turn.journal.record_result(1, Arc::new(result("b")));
        lens(5);
    });
    assert_eq!(session.log().len(), 5);
}

#[test]
fn forks_go_their_own_ways() {
    let session = lived();
    let fork = session.fork();
    assert_eq!((fork.log(), fork.meta()), (session.log(), session.meta()));
    fork.push(Message::user("left")).unwrap();
    fork.remember("mode", "build");
    session.push(Message::user("right")).unwrap();
    assert_eq!(texts(&fork).last().unwrap(), "left");
    assert_eq!(texts(&session).last().unwrap(), "right");
    assert_ne!(fork.meta(), session.meta());
}

#[test]
fn a_fork_is_not_busy_with_the_turn_it_was_made_in() {
    let session = Session::new();
    let seen = session.clone();
    in_turn(&session, move |_| {
        let fork = seen.fork();
        assert!(seen.is_busy() && !fork.is_busy());
        fork.push(Message::user("aside")).unwrap();
    });
    assert!(session.log().is_empty());
}

#[test]
fn a_clone_is_another_handle_on_the_same_conversation() {
    let session = Session::new();
    session.clone().push(Message::user("hi")).unwrap();
    assert_eq!(texts(&session), ["hi"]);
}

#[test]
fn only_a_turn_records_calls_and_results() {
    let session = Session::new();
    let empty_result = Message::new(Role::Tool, Vec::new());
    for message in [calls(&["a"]), result("a"), empty_result] {
        let error = session.push(message).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
    }
    assert!(session.log().is_empty() && !session.is_busy());
}

#[test]
fn an_input_holds_no_calls_and_no_results() {
    let agent = Agent::builder(ScriptedModel::answering(|_| Script::text("hm"))).build().unwrap();
    let session = Session::new();
    for message in [calls(&["a"]), result("a"), Message::new(Role::Tool, Vec::new())] {
        let error = agent.send(&session, message).now_or_never().unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
    }
    assert!(session.log().is_empty() && !session.is_busy());
}

#[test]
fn a_session_goes_on_from_a_log() {
    let log: Log = [Message::system("s"), calls(&["a"]), result("a")].into_iter().collect();
    let session = Session::from_log(&log).unwrap();
    assert!(session.log().has_system());
    assert_eq!(session.log().len(), 3);
    let orphan: Log = [result("a")].into_iter().collect();
    assert_eq!(Session::from_log(&orphan).unwrap_err().kind(), ErrorKind::Store);
}
