//! What a server that judges its clients says of our retries; it is started by
//! `scripts/model-servers start`.
#![cfg(feature = "rig")]

use std::{
    env,
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use brute_core::{
    Agent, Session,
    models::{anthropic, google, openai, openai_compatible},
};
use brute_middleware::{RetryLayer, default_stack};
use serde_json::json;

fn port() -> u16 {
    env::var("BRUTE_LLMOCK_PORT").ok().and_then(|port| port.parse().ok()).unwrap_or(4020)
}

/// Sends one request to the server and returns what it answers, or nothing where it is down.
fn http(method: &str, path: &str, body: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port())).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let length = body.len();
    let head = format!("{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n");
    let head = format!("{head}content-type: application/json\r\ncontent-length: {length}\r\n\r\n");
    stream.write_all((head + body).as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    Some(answer)
}

/// Asks once through [`RetryLayer`] while the server limits and fails, and returns its verdict.
async fn verdict(agent: Agent) -> String {
    http("POST", "/_llmock/reset", "").unwrap();
    let behaviours = json!({ "behaviors": [
        { "type": "fail", "status": 429, "retry_after": 0.4, "times": 2 },
        { "type": "fail", "status": 503, "times": 1 },
    ] });
    http("POST", "/_llmock/scenario", &behaviours.to_string()).unwrap();
    let reply = agent.send(&Session::new(), "hello").await.unwrap();
    assert!(!reply.answer().is_empty());
    http("GET", "/_llmock/verdict?format=text", "").unwrap()
}

#[tokio::test]
async fn the_server_passes_our_retries_over_every_wire() {
    if http("GET", "/_llmock/verdict?format=text", "").is_none() {
        eprintln!("skipped: llmock is down; `scripts/model-servers start` starts it");
        return;
    }
    let url = format!("http://127.0.0.1:{}", port());
    let models = [
        anthropic().base_url(format!("{url}/anthropic")).key("k").model("claude-sonnet-4-5"),
        openai().base_url(format!("{url}/v1")).key("k").model("gpt-4.1"),
        openai_compatible(format!("{url}/v1")).key("k").model("gpt-4.1"),
        google().base_url(format!("{url}/gemini")).key("k").model("gemini-2.5-flash"),
    ];
    for model in models {
        let model = model.unwrap();
        let retry = RetryLayer::new().retries(4).base(Duration::from_millis(100));
        let id = model.id().clone();
        let agent =
            Agent::builder(default_stack().around_model(retry).model(model)).build().unwrap();
        let verdict = verdict(agent).await;
        assert!(verdict.contains("PASS") && !verdict.contains("FAIL"), "{id}: {verdict}");
    }
}
