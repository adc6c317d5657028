//! What only one provider understands goes back to it as it came, over the wires that no server of
//! others has it on.

use brute_core::{Arguments, Message, Part, Role, ToolCall, ToolResult};
use serde_json::{Value, json};

use super::{
    kit::{
        Cell,
        Server::{Aimock, Nobody},
        Wire::{self, Anthropic, Chat, Google, Ollama, Responses},
        answer_calls, ask, exported_and_imported, offers, reasoning, run_loop,
    },
    stub::{Stub, answer, stream},
};

pub(crate) fn cells() -> Vec<Cell> {
    let invalid = [Anthropic, Chat, Responses, Google, Ollama].into_iter().map(|wire| {
        Cell::new(Nobody, wire, "invalid arguments go back in an object", |_, wire| invalid(wire))
    });
    let of_some = [
        Cell::new(Nobody, Responses, "encrypted reasoning goes back unchanged", |_, wire| {
            goes_back(wire, responses(), "/input", vec![reasoning_item(), call_item()])
        }),
        Cell::new(Nobody, Google, "thought signatures go back unchanged", |_, wire| {
            goes_back(wire, google(), "/contents/1/parts", vec![signed_call()])
        }),
        Cell::new(Nobody, Chat, "reasoning is told apart", |_, wire| told_apart(wire)),
        Cell::new(Aimock, Anthropic, "signed and redacted thinking, whole loop", |_, wire| {
            signed(wire)
        }),
    ];
    invalid.chain(of_some).collect()
}

fn reasoning_item() -> Value {
    json!({ "type": "reasoning", "id": "rs_1", "summary": [
        { "type": "summary_text", "text": "Look outside." },
    ], "encrypted_content": "ENCRYPTED" })
}

fn call_item() -> Value {
    json!({ "type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "get_weather",
        "arguments": "{\"city\":\"Paris\"}", "status": "completed" })
}

fn responses() -> String {
    let done = |index: usize, item: Value| {
        [
            json!({ "type": "response.output_item.added", "output_index": index, "item": item }),
            json!({ "type": "response.output_item.done", "output_index": index, "item": item }),
        ]
    };
    let usage = json!({ "input_tokens": 3, "output_tokens": 4, "total_tokens": 7 });
    let response = |status: &str| {
        json!({ "id": "resp_1", "object": "response", "status": status, "model": "gpt-5.2",
            "output": [reasoning_item(), call_item()], "usage": usage })
    };
    let mut frames =
        vec![json!({ "type": "response.created", "response": response("in_progress") })];
    frames.extend(done(0, reasoning_item()));
    frames.extend(done(1, call_item()));
    frames.push(json!({ "type": "response.completed", "response": response("completed") }));
    stream(&frames)
}

fn signed_call() -> Value {
    json!({ "functionCall": { "name": "get_weather", "args": { "city": "Paris" } },
        "thoughtSignature": "U0lHTkVE" })
}

fn google() -> String {
    stream(&[json!({
        "candidates": [{
            "content": { "role": "model", "parts": [signed_call()] }, "finishReason": "STOP", "index": 0,
        }],
        "usageMetadata": { "promptTokenCount": 3, "candidatesTokenCount": 4, "totalTokenCount": 7 },
    })])
}

/// Answers a call, goes on after export and import, and finds the items in what is sent.
async fn goes_back(wire: Wire, first: String, place: &str, items: Vec<Value>) {
    let stub = Stub::answering([first, answer("400 Bad Request", "", "{}")]);
    let model = wire.provider(Nobody).base_url(&stub.url).model(wire.model_name()).unwrap();
    let mut turn = offers("What is the weather?");
    let reply = ask(&model, turn.clone()).await.unwrap();
    answer_calls(&mut turn, &reply).await;
    turn.log = exported_and_imported(&turn.log);
    ask(&model, turn).await.expect_err("the stub answered");
    let body = stub.body();
    let sent = body.pointer(place).and_then(Value::as_array).unwrap_or_else(|| panic!("{body:#}"));
    for item in items {
        assert!(sent.contains(&item), "{item:#} is not in {body:#}");
    }
    assert!(body.to_string().contains("21C in"), "the result is lost: {body:#}");
}

async fn told_apart(wire: Wire) {
    let delta = |delta: Value, finish: Value| {
        json!({ "id": "1", "object": "chat.completion.chunk", "model": "m", "choices": [
            { "index": 0, "delta": delta, "finish_reason": finish },
        ] })
    };
    let frames = [
        delta(json!({ "role": "assistant", "reasoning_content": "Hm." }), Value::Null),
        delta(json!({ "content": "Yes." }), Value::Null),
        delta(json!({}), "stop".into()),
    ];
    let stub = Stub::answering([stream(&frames)]);
    let model = wire.provider(Nobody).base_url(&stub.url).model("m").unwrap();
    let reply = ask(&model, offers("Really?")).await.unwrap();
    assert_eq!((reasoning(&reply).as_str(), reply.answer().as_str()), ("Hm.", "Yes."));
}

async fn signed(wire: Wire) {
    let model = wire.model(Aimock);
    let mut turn = offers("sig loop");
    let (reply, asked) = run_loop(&model, &mut turn).await;
    assert_eq!((reply.answer().as_str(), asked), ("It is 21C.", 2));
    let natives: Vec<_> = turn
        .log
        .get(1)
        .unwrap()
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Reasoning(reasoning) => reasoning.native.as_deref(),
            _ => None,
        })
        .collect();
    assert!(natives.iter().any(|native| native["signature"] == "EqQBc2lnbmF0dXJlLWJsb2I="));
    assert!(natives.iter().any(|native| native["data"] == "REDACTED-BLOB"), "{natives:?}");
}

async fn invalid(wire: Wire) {
    let stub = Stub::answering([answer("400 Bad Request", "", "{}")]);
    let model = wire.provider(Nobody).base_url(&stub.url).model(wire.model_name()).unwrap();
    let mut turn = offers("What is the weather?");
    let arguments = Arguments::Invalid("{\"city\": ".into());
    let mut call = ToolCall::new("call_1", "get_weather", json!({}));
    call.arguments = arguments;
    turn.log.push(Message::new(Role::Assistant, vec![Part::ToolCall(call)]));
    turn.log.push(Message::tool_result(ToolResult::error("call_1", "no json")));
    ask(&model, turn).await.expect_err("the stub answered");
    let text = stub.body().to_string();
    assert!(text.contains("invalid_arguments") && text.contains("no json"), "{text}");
}
