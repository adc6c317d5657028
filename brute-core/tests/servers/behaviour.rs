//! What has to hold the same of every server and wire.

use std::time::{Duration, Instant};

use brute_core::{Error, ErrorKind, Reply, StopReason};

use super::kit::{Server, Wire, ask, assert_hides_key, offers, reasoning, run_loop, says, watch};

/// Checks a reply against what was streamed: both must say the same.
#[track_caller]
fn check_same(reply: &Reply, seen: &super::kit::Seen) {
    assert_eq!(seen.texts().concat(), reply.answer(), "streamed text and reply differ");
    let message = reply.last_assistant().unwrap();
    let calls: Vec<_> = message.tool_calls().map(|call| call.id.to_string()).collect();
    let streamed: Vec<_> = seen.arguments().into_iter().map(|(id, _)| id).collect();
    assert_eq!(streamed, calls, "streamed calls and reply differ");
    assert_eq!(message.usage, Some(reply.usage));
    assert_eq!(message.stop, Some(reply.stop));
    assert!(message.provenance.is_some(), "the message does not say where it came from");
    assert_hides_key(&seen.all());
    assert_hides_key(reply);
}

pub(crate) async fn plain(server: Server, wire: Wire, question: &str, answer: Option<&str>) {
    let (reply, seen) = watch(&wire.model(server), says(question)).await;
    let reply = reply.unwrap();
    check_same(&reply, &seen);
    assert_eq!(reply.stop, StopReason::EndTurn);
    assert!(!reply.answer().is_empty());
    if let Some(answer) = answer {
        assert_eq!(reply.answer(), answer);
    }
}

pub(crate) async fn counts(server: Server, wire: Wire, question: &str) {
    let reply = ask(&wire.model(server), says(question)).await.unwrap();
    assert!(reply.usage.input > 0 && reply.usage.output > 0, "{:?}", reply.usage);
    let provenance = reply.last_assistant().unwrap().provenance.clone().unwrap();
    if wire != Wire::Ollama {
        assert!(provenance.usage.is_some(), "the provider's own usage is lost: {provenance:?}");
    }
}

pub(crate) async fn streamed(server: Server, wire: Wire, question: &str, least: usize) {
    let (reply, seen) = watch(&wire.model(server), says(question)).await;
    check_same(&reply.unwrap(), &seen);
    let pieces = seen.texts().len();
    assert!(pieces >= least, "the text came in {pieces} pieces: {:?}", seen.texts());
}

pub(crate) async fn parallel_tools(server: Server, wire: Wire, question: &str) {
    let (reply, seen) = watch(&wire.model(server), offers(question)).await;
    let reply = reply.unwrap();
    check_same(&reply, &seen);
    assert_eq!(reply.stop, StopReason::ToolCalls);
    let message = reply.last_assistant().unwrap();
    let cities: Vec<_> = message
        .tool_calls()
        .map(|call| call.arguments.object().unwrap()["city"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(cities, ["Paris", "Rome"]);
    let ids: std::collections::HashSet<_> = message.tool_calls().map(|call| &call.id).collect();
    assert_eq!(ids.len(), 2, "two calls share an id");
    for (call, (_, streamed)) in message.tool_calls().zip(seen.arguments()) {
        let streamed: serde_json::Value = serde_json::from_str(&streamed).unwrap();
        assert_eq!(Some(&streamed), call.arguments.object());
    }
}

pub(crate) async fn tool_loop(server: Server, wire: Wire, question: &str, answer: Option<&str>) {
    let model = wire.model(server);
    let mut turn = offers(question);
    let (reply, asked) = run_loop(&model, &mut turn).await;
    assert_eq!(asked, 2, "the loop took {asked} calls");
    assert!(!reply.answer().is_empty());
    if let Some(answer) = answer {
        assert_eq!(reply.answer(), answer);
    }
    brute_core::testing::assert_paired(&turn.log);
}

pub(crate) async fn thinking(
    server: Server,
    wire: Wire,
    question: &str,
    thought: &str,
    answer: &str,
) {
    let (reply, seen) = watch(&wire.model(server), says(question)).await;
    let reply = reply.unwrap();
    check_same(&reply, &seen);
    assert_eq!(reasoning(&reply), thought);
    assert_eq!(seen.reasoning(), thought);
    assert_eq!(reply.answer(), answer);
}

/// Asks and expects a failure that shows no key.
pub(crate) async fn failure(server: Server, wire: Wire, question: &str) -> Error {
    let error = ask(&wire.model(server), says(question)).await.expect_err("the call succeeded");
    assert_hides_key(&error);
    assert!(!error.to_string().contains(super::kit::KEY));
    error
}

#[track_caller]
pub(crate) fn check_failure(error: &Error, kind: ErrorKind, retryable: bool, status: Option<u16>) {
    assert_eq!(error.kind(), kind, "{error:?}");
    assert_eq!(error.is_retryable(), retryable, "{error:?}");
    assert_eq!(error.status(), status, "{error:?}");
}

pub(crate) async fn rate_limited(server: Server, wire: Wire, question: &str, wait: Duration) {
    let error = failure(server, wire, question).await;
    check_failure(&error, ErrorKind::RateLimited, true, Some(429));
    assert_eq!(error.retry_after(), Some(wait), "{error:?}");
}

pub(crate) async fn server_error(server: Server, wire: Wire, question: &str) {
    let error = failure(server, wire, question).await;
    check_failure(&error, ErrorKind::Model, true, Some(500));
}

pub(crate) async fn truncated(server: Server, wire: Wire, question: &str) {
    let error = failure(server, wire, question).await;
    check_failure(&error, ErrorKind::Truncated, true, None);
}

pub(crate) async fn malformed(server: Server, wire: Wire, question: &str) {
    let error = failure(server, wire, question).await;
    assert_eq!(error.kind(), ErrorKind::Model, "{error:?}");
}

pub(crate) async fn disconnected(server: Server, wire: Wire, question: &str) {
    let error = failure(server, wire, question).await;
    assert!(matches!(error.kind(), ErrorKind::Network | ErrorKind::Truncated), "{error:?}");
    assert!(error.is_retryable(), "{error:?}");
}

/// Asks a server that goes silent, with little patience.
pub(crate) async fn hangs(server: Server, wire: Wire, question: &str) {
    let patience = Duration::from_millis(300);
    let provider = wire.provider(server).first_event_timeout(patience).idle_timeout(patience);
    let model = provider.model(wire.model_name()).unwrap();
    let start = Instant::now();
    let error = ask(&model, says(question)).await.expect_err("the call succeeded");
    check_failure(&error, ErrorKind::Timeout, true, None);
    assert!(start.elapsed() < Duration::from_secs(5), "it took {:?}", start.elapsed());
}

/// Drops a call after its first piece; the next call answers.
pub(crate) async fn cancelled(server: Server, wire: Wire, long: &str, short: &str) {
    let model = wire.model(server);
    let seen = super::kit::Seen::default();
    let mut turn = says(long);
    turn.events = seen.events();
    let mut call = Box::pin(ask(&model, turn));
    while seen.texts().is_empty() {
        let pause = tokio::time::sleep(Duration::from_millis(10));
        tokio::select! {
            reply = &mut call => panic!("the call ended before it could be dropped: {reply:?}"),
            () = pause => {}
        }
    }
    drop(call);
    let pieces = seen.texts().len();
    let reply = ask(&model, says(short)).await.unwrap();
    assert!(!reply.answer().is_empty());
    assert_eq!(seen.texts().len(), pieces, "a dropped call went on");
}
