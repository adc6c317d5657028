//! Cells that need none of the servers: nobody answers, or a server of two lines does.

use std::{
    net::TcpListener,
    time::{Duration, Instant, SystemTime},
};

use brute_core::{Error, ErrorKind};
use serde_json::json;

use super::{
    behaviour::check_failure,
    kit::{
        Cell, KEY,
        Server::Nobody,
        Wire::{self, Anthropic, Chat, Google, Ollama, Responses},
        ask, assert_hides_key, says,
    },
    stub::{Stub, answer, stream},
};

const WIRES: [Wire; 5] = [Anthropic, Chat, Responses, Google, Ollama];

pub(crate) fn cells() -> Vec<Cell> {
    let mut cells: Vec<_> = WIRES.into_iter().flat_map(of).collect();
    let in_band = [Chat, Responses, Google]
        .map(|wire| Cell::new(Nobody, wire, "in-band error", |_, wire| in_band(wire)));
    cells.extend(in_band);
    cells.push(Cell::new(Nobody, Chat, "what an answer means", |_, wire| judged(wire)));
    cells
}

/// The cell that looks back on all others.
pub(crate) fn last() -> Vec<Cell> {
    let look_back = |_, wire| async move {
        refused(wire).await;
        super::spy::assert_hides_key();
    };
    vec![Cell::new(Nobody, Anthropic, "no log shows the key", look_back)]
}

fn of(wire: Wire) -> Vec<Cell> {
    vec![
        Cell::new(Nobody, wire, "connection refused", |_, wire| refused(wire)),
        Cell::new(Nobody, wire, "hang before the first byte", |_, wire| silent(wire)),
        Cell::new(Nobody, wire, "retry-after in three ways", |_, wire| waits(wire)),
        Cell::new(Nobody, wire, "a redirect is not followed", |_, wire| redirected(wire)),
        Cell::new(Nobody, wire, "the key is not shown", |_, wire| hidden(wire)),
    ]
}

async fn ask_at(wire: Wire, url: &str) -> Result<brute_core::Reply, Error> {
    let patience = Duration::from_millis(300);
    let provider = wire.provider(Nobody).base_url(url).first_event_timeout(patience);
    ask(&provider.model(wire.model_name()).unwrap(), says("hello")).await
}

async fn refused(wire: Wire) {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = ask_at(wire, &format!("http://{address}")).await.unwrap_err();
    check_failure(&error, ErrorKind::Network, true, None);
    assert!(error.to_string().to_lowercase().contains("connect"), "{error}");
    assert_hides_key(&error);
}

async fn silent(wire: Wire) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let start = Instant::now();
    let error = ask_at(wire, &format!("http://{}", listener.local_addr().unwrap())).await;
    check_failure(&error.unwrap_err(), ErrorKind::Timeout, true, None);
    assert!(start.elapsed() < Duration::from_secs(5));
}

async fn waits(wire: Wire) {
    let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(100));
    let headers = [
        "retry-after-ms: 1500\r\nretry-after: 9\r\n".to_owned(),
        "retry-after: 3\r\n".to_owned(),
        format!("retry-after: {date}\r\n"),
        "retry-after: -1\r\n".to_owned(),
    ];
    let stub =
        Stub::answering(headers.map(|headers| answer("429 Too Many Requests", &headers, "{}")));
    let mut waits = Vec::new();
    for _ in 0..4 {
        waits.push(ask_at(wire, &stub.url).await.unwrap_err().retry_after());
    }
    assert_eq!(waits[..2], [Some(Duration::from_millis(1500)), Some(Duration::from_secs(3))]);
    let until = waits[2].unwrap();
    assert!(until > Duration::from_secs(90) && until <= Duration::from_secs(100), "{until:?}");
    assert_eq!(waits[3], None);
}

async fn redirected(wire: Wire) {
    let other = Stub::silent();
    let headers = format!("location: {}/elsewhere\r\n", other.url);
    let stub = Stub::answering([answer("307 Temporary Redirect", &headers, "")]);
    let error = ask_at(wire, &stub.url).await.unwrap_err();
    assert_eq!(error.status(), Some(307), "{error:?}");
    assert_eq!(other.asked().len(), 0, "the request, with its key, went elsewhere");
}

/// A provider that repeats the key in its error, as some do.
async fn hidden(wire: Wire) {
    let body = json!({ "error": { "message": format!("wrong key {KEY}"), "type": "bad" } });
    let stub = Stub::answering([answer("401 Unauthorized", "", &body.to_string())]);
    let error = ask_at(wire, &stub.url).await.unwrap_err();
    assert_hides_key(&error);
    assert!(error.to_string().contains("wrong key [key]"), "{error}");
    let (head, _) = stub.asked().pop().unwrap();
    let first_line = head.lines().next().unwrap();
    assert!(!first_line.contains(KEY), "the key stands in the address: {first_line}");
    assert!(head.contains(KEY), "the key was not sent: {head}");
    assert_hides_key(&wire.provider(Nobody));
    assert_hides_key(&wire.model(Nobody));
}

/// An error in the middle of a stream that began well.
async fn in_band(wire: Wire) {
    let frames = match wire {
        Responses => vec![
            json!({ "type": "response.created", "response": { "id": "r", "status": "in_progress" } }),
            json!({ "type": "response.failed", "response": { "id": "r", "status": "failed",
                "error": { "code": "rate_limit_exceeded", "message": "slow down" } } }),
        ],
        Google => vec![
            json!({ "candidates": [{ "content": { "role": "model", "parts": [{ "text": "A" }] } }] }),
            json!({ "error": { "code": 429, "status": "RESOURCE_EXHAUSTED", "message": "slow down" } }),
        ],
        _ => vec![
            json!({ "id": "1", "object": "chat.completion.chunk", "model": "m", "choices": [
                { "index": 0, "delta": { "role": "assistant", "content": "A" }, "finish_reason": null },
            ] }),
            json!({ "error": { "code": "rate_limit_exceeded", "message": "slow down" } }),
        ],
    };
    let stub = Stub::answering([stream(&frames)]);
    let error = ask_at(wire, &stub.url).await.unwrap_err();
    // Google writes the status into its error.
    check_failure(&error, ErrorKind::RateLimited, true, (wire == Google).then_some(429));
    assert!(error.to_string().contains("slow down"), "{error}");
}

/// Answers with a status and an error, and what they mean.
async fn judged(wire: Wire) {
    use ErrorKind::{
        Authentication, ContextOverflow, Invalid, Model, Overloaded, RateLimited, Timeout,
    };
    let answers = [
        ("400 Bad Request", "bad_request", Invalid, false),
        ("400 Bad Request", "context_length_exceeded", ContextOverflow, false),
        ("401 Unauthorized", "invalid_api_key", Authentication, false),
        ("403 Forbidden", "denied", Authentication, false),
        ("404 Not Found", "model_not_found", Model, false),
        ("408 Request Timeout", "slow", Timeout, true),
        ("413 Payload Too Large", "long", ContextOverflow, false),
        ("422 Unprocessable", "bad", Invalid, false),
        ("429 Too Many Requests", "rate_limit", RateLimited, true),
        ("429 Too Many Requests", "insufficient_quota", RateLimited, false),
        ("500 Oops", "server_error", Model, true),
        ("502 Bad Gateway", "gateway", Model, true),
        ("503 Busy", "unavailable", Overloaded, true),
        ("504 Late", "late", Timeout, true),
        ("529 Overloaded", "overloaded_error", Overloaded, true),
    ];
    for (status, code, kind, retryable) in answers {
        let body = json!({ "error": { "code": code, "message": "the reason" } }).to_string();
        let stub = Stub::answering([answer(status, "x-request-id: req_7\r\n", &body)]);
        let error = ask_at(wire, &stub.url).await.unwrap_err();
        check_failure(&error, kind, retryable, status.split(' ').next().unwrap().parse().ok());
        assert!(error.to_string().contains("the reason"), "{error}");
    }
}
