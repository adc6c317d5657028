//! What the way through our types costs beside rig's own client, for the same request.
#![allow(clippy::print_stdout, reason = "a measurement is told")]

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    thread,
    time::Duration,
};

use brute_core::{
    Message, ToolCall, ToolResult, Turn,
    models::{self, RemoteModel},
};
use cpu_time::ThreadTime;
use rig_core::{
    Model,
    completion::CompletionRequest,
    message::{
        AssistantContent, AssistantMessage, CallId, Message as RigMessage, Text,
        ToolCall as RigCall, ToolFunction, ToolName, ToolResultContent, UserContent,
    },
    providers::anthropic::{AnthropicConfig, wire::Messages},
};
use serde_json::json;
use tokio::runtime::Runtime;
use tower::ServiceExt;

const WORDS: &str = "These are some words that a person or a model may have said in the course of a conversation about the failing test and its cause.";

const ANSWER: &str = r#"event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"m","stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Done."}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}

event: message_stop
data: {"type":"message_stop"}

"#;

/// Answers every request with the same stream, on threads whose time is not counted.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || while answer(&stream).is_some() {});
        }
    });
    url
}

fn answer(mut stream: &TcpStream) -> Option<()> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let head = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        if let Some(head) = head {
            let text = String::from_utf8_lossy(&bytes[..head]).to_lowercase();
            let length = text.split("content-length: ").nth(1)?.split("\r\n").next()?;
            if bytes.len() >= head + 4 + length.parse::<usize>().ok()? {
                break;
            }
        }
        let read = stream.read(&mut buffer).ok().filter(|&read| read > 0)?;
        bytes.extend_from_slice(&buffer[..read]);
    }
    let length = ANSWER.len();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
    stream.write_all(format!("{head}content-length: {length}\r\n\r\n{ANSWER}").as_bytes()).ok()
}

/// A conversation of four messages again and again: a question, a call, a result, an answer.
fn ours(messages: usize) -> Turn {
    let mut turn = Turn::default();
    for number in 0..messages / 4 {
        let id = format!("toolu_{number}");
        turn.log.push(Message::user(WORDS));
        let call = ToolCall::new(id.as_str(), "read", json!({ "path": "src/main.rs" }));
        turn.log.push(Message::new(
            brute_core::Role::Assistant,
            vec![brute_core::Part::text(WORDS), brute_core::Part::ToolCall(call)],
        ));
        turn.log.push(Message::tool_result(ToolResult::ok(id, WORDS)));
        turn.log.push(Message::assistant(WORDS));
    }
    turn.log.push(Message::user("Go on."));
    turn
}

fn of_rig(messages: usize) -> CompletionRequest {
    let mut history = Vec::new();
    let name = ToolName::new("read").unwrap();
    for number in 0..messages / 4 {
        let id = CallId::from_wire(format!("toolu_{number}"));
        history.push(RigMessage::user(WORDS));
        let arguments = json!({ "path": "src/main.rs" });
        let call = RigCall::new(id, ToolFunction::new(name.clone(), arguments));
        let result = call.result(vec![ToolResultContent::text(WORDS)]);
        history.push(RigMessage::Assistant(AssistantMessage::new(vec![
            AssistantContent::Text(Text::new(WORDS)),
            AssistantContent::ToolCall(call),
        ])));
        history.push(RigMessage::User { content: vec![UserContent::ToolResult(result)] });
        history.push(RigMessage::Assistant(AssistantMessage::new(vec![AssistantContent::Text(
            Text::new(WORDS),
        )])));
    }
    CompletionRequest::new(RigMessage::user("Go on.")).messages(history)
}

async fn ask_ours(model: &RemoteModel, turn: &Turn) {
    let reply = model.clone().oneshot(turn.clone()).await.unwrap();
    assert_eq!(reply.answer(), "Done.");
}

async fn ask_rig(model: &Model<Messages>, request: &CompletionRequest) {
    let reply = model.stream(request.clone()).unwrap().finish().await.unwrap();
    assert_eq!(reply.text(), "Done.");
}

/// Returns the CPU time of one call, the shortest of several measurements.
fn measure(runtime: &Runtime, calls: u32, ask: impl AsyncFn()) -> Duration {
    let once = || {
        let start = ThreadTime::now();
        for _ in 0..calls {
            runtime.block_on(ask());
        }
        start.elapsed() / calls
    };
    (0..7).map(|_| once()).min().unwrap()
}

/// Tells how much longer a call takes through our types.
fn compare(messages: usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let url = serve();
    let model = models::anthropic().key("k").base_url(&url).model("claude-sonnet-4-5").unwrap();
    let (turn, request) = (ours(messages), of_rig(messages));
    let config = AnthropicConfig::new("k").with_base_url(&url);
    let mut rig = config.client().completion("claude-sonnet-4-5");
    // Both mark what the provider shall keep in its cache.
    rig.wire = rig.wire.with_prompt_caching();
    let calls = if messages > 500 { 5 } else { 20 };
    let theirs = measure(&runtime, calls, async || ask_rig(&rig, &request).await);
    let ours = measure(&runtime, calls, async || ask_ours(&model, &turn).await);
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    println!("{messages:5} messages: ours {ours:?}, rig {theirs:?}, {ratio:.2} times");
}

fn main() {
    for messages in [0, 100, 1_000] {
        compare(messages);
    }
}
