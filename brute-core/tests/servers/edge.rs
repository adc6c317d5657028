//! Cells of our own server of edge cases: what no other server emits.

use std::{sync::Arc, time::Duration};

use brute_core::{ErrorKind, Log, Message, Part, Text, Turn};
use serde_json::{Value, json};

use super::{
    behaviour as check,
    kit::{
        Cell,
        Server::Edge,
        Wire::{self, Anthropic},
        answer_calls, ask, exported_and_imported, http, offers, reasoning, watch,
    },
};

pub(crate) fn cells() -> Vec<Cell> {
    vec![
        Cell::new(Edge, Anthropic, "server tools and citations go back unchanged", |_, wire| {
            goes_back(wire, "server_tool", server_tool())
        }),
        Cell::new(Edge, Anthropic, "interleaved thinking goes back unchanged", |_, wire| {
            goes_back(wire, "interleaved", interleaved())
        }),
        Cell::new(Edge, Anthropic, "a signature without text goes back unchanged", |_, wire| {
            goes_back(wire, "omitted", omitted())
        }),
        Cell::new(Edge, Anthropic, "an edited block is encoded anew", |_, wire| edited(wire)),
        Cell::new(Edge, Anthropic, "interleaved thinking is in order", |_, wire| in_order(wire)),
        Cell::new(Edge, Anthropic, "overloaded in mid-stream", |_, wire| overloaded(wire)),
        Cell::new(Edge, Anthropic, "usage of the cache", |_, wire| cache_usage(wire)),
        Cell::new(Edge, Anthropic, "cancel closes the connection", |_, wire| cancelled(wire)),
    ]
}

fn server_tool() -> Value {
    json!([
        { "type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": { "query": "x" } },
        { "type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [
            { "type": "web_search_result", "url": "https://e.x", "title": "t", "encrypted_content": "ENC" },
        ] },
        { "type": "text", "text": "Found.", "citations": [
            { "type": "web_search_result_location", "url": "https://e.x", "cited_text": "c", "encrypted_index": "IDX" },
        ] },
    ])
}

fn interleaved() -> Value {
    json!([
        { "type": "thinking", "thinking": "one", "signature": "S1" },
        { "type": "text", "text": "A" },
        { "type": "thinking", "thinking": "two", "signature": "S2" },
        { "type": "text", "text": "B" },
        { "type": "tool_use", "id": "toolu_9", "name": "get_weather", "input": { "city": "Paris" } },
    ])
}

fn omitted() -> Value {
    json!([
        { "type": "thinking", "thinking": "", "signature": "S3" },
        { "type": "tool_use", "id": "toolu_8", "name": "get_weather", "input": { "city": "Paris" } },
    ])
}

/// Returns what the server was told last.
async fn last_request() -> Value {
    let requests = http("GET", &Edge.url(), None).await;
    requests.as_array().unwrap().last().unwrap().clone()
}

/// Returns what goes back of the model's words after another question.
async fn sent_back(wire: Wire, log: Log) -> Value {
    let mut turn = offers("Go on.");
    let question = turn.log.last().unwrap().clone();
    turn.log = log;
    if turn.log.last().is_none_or(|message| message.tool_results().next().is_none()) {
        turn.log.push(question);
    }
    ask(&wire.model(Edge), turn).await.unwrap();
    let mut content = last_request().await["body"]["messages"][1]["content"].clone();
    // The mark for the cache is ours.
    for block in content.as_array_mut().unwrap() {
        block.as_object_mut().unwrap().shift_remove("cache_control");
    }
    content
}

async fn first_round(wire: Wire, question: &str) -> Turn {
    let mut turn = offers(question);
    let reply = ask(&wire.model(Edge), turn.clone()).await.unwrap();
    answer_calls(&mut turn, &reply).await;
    turn
}

async fn goes_back(wire: Wire, question: &str, blocks: Value) {
    let turn = first_round(wire, question).await;
    assert_eq!(sent_back(wire, turn.log.clone()).await, blocks);
    let imported = exported_and_imported(&turn.log);
    assert_eq!(sent_back(wire, imported).await, blocks, "after export and import");
}

async fn edited(wire: Wire) {
    let turn = first_round(wire, "interleaved").await;
    let mut messages: Vec<Arc<Message>> = turn.log.iter().cloned().collect();
    let said = Arc::make_mut(&mut messages[1]);
    for part in &mut said.parts {
        if let Part::Text(Text { text, .. }) = part
            && **text == *"A"
        {
            *text = "[removed]".into();
        }
    }
    let mut expected = interleaved();
    expected[1] = json!({ "type": "text", "text": "[removed]" });
    assert_eq!(sent_back(wire, messages.into_iter().collect()).await, expected);
}

async fn in_order(wire: Wire) {
    let (reply, seen) = watch(&wire.model(Edge), offers("interleaved")).await;
    let reply = reply.unwrap();
    assert_eq!((reasoning(&reply).as_str(), seen.reasoning().as_str()), ("onetwo", "onetwo"));
    assert_eq!(reply.answer(), "AB");
    let kinds: Vec<_> = reply.added[0].parts.iter().map(kind).collect();
    assert_eq!(kinds, ["reasoning", "text", "reasoning", "text", "call"]);
}

fn kind(part: &Part) -> &'static str {
    match part {
        Part::Reasoning(_) => "reasoning",
        Part::Text(_) => "text",
        Part::ToolCall(_) => "call",
        _ => "other",
    }
}

async fn overloaded(wire: Wire) {
    let error = check::failure(Edge, wire, "overloaded").await;
    check::check_failure(&error, ErrorKind::Overloaded, true, None);
    assert_eq!(error.request_id(), Some("req_edge"), "{error:?}");
}

async fn cache_usage(wire: Wire) {
    let reply = ask(&wire.model(Edge), offers("omitted")).await.unwrap();
    let usage = reply.usage;
    assert_eq!((usage.input, usage.output), (10, 9), "{usage:?}");
    assert_eq!((usage.cache_read, usage.cache_write, usage.cache_write_1h), (100, 20, 15));
    let raw = reply.added[0].provenance.as_ref().unwrap().usage.clone().unwrap();
    assert_eq!(raw["cache_creation"]["ephemeral_5m_input_tokens"], 5, "{raw}");
}

async fn cancelled(wire: Wire) {
    let model = wire.model(Edge);
    let seen = super::kit::Seen::default();
    let mut turn = offers("slow");
    turn.events = seen.events();
    let call = ask(&model, turn);
    tokio::time::timeout(Duration::from_millis(400), call).await.expect_err("the call ended");
    assert!(!seen.texts().is_empty());
    tokio::time::sleep(Duration::from_millis(400)).await;
    let after = last_request().await["cancelled_after"].as_u64();
    assert!(after.is_some_and(|after| after < 20), "the server wrote on: {after:?}");
}
