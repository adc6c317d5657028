//! Cells of llama.cpp's own server, with a tiny model whose words are known.

use std::sync::Arc;

use brute_core::{Agent, ErrorKind, Event, Session, StopReason, ToolChoice};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    behaviour as check,
    kit::{
        Cell,
        Server::Llama,
        Wire::{self, Anthropic, Chat, Responses},
        answer_calls, ask, offers, run_loop, says, watch,
    },
};

const WIRES: [Wire; 3] = [Anthropic, Chat, Responses];

/// What the model says when it may.
const WORDS: &str = "Hello from a tiny local model.";

pub(crate) fn cells() -> Vec<Cell> {
    // Over Responses it calls an answer complete that it cut, and no answer lasts long enough to
    // be cancelled.
    let of_some = [
        Cell::new(Llama, Anthropic, "output limit", |_, wire| output_limit(wire)),
        Cell::new(Llama, Chat, "output limit", |_, wire| output_limit(wire)),
        Cell::new(Llama, Chat, "answer to a schema", |_, wire| schema(wire)),
        Cell::new(Llama, Chat, "answer of a type", |_, wire| typed(wire, true)),
        Cell::new(Llama, Chat, "answer of a type by a tool", |_, wire| typed(wire, false)),
        Cell::new(Llama, Anthropic, "answer of a type by a tool", |_, wire| typed(wire, false)),
        Cell::new(Llama, Chat, "stop sequence", |_, wire| stop_sequence(wire)),
        Cell::new(Llama, Anthropic, "stop sequence", |_, wire| stop_sequence(wire)),
    ];
    WIRES.into_iter().flat_map(of).chain(of_some).collect()
}

fn of(wire: Wire) -> Vec<Cell> {
    vec![
        Cell::new(Llama, wire, "plain", |server, wire| {
            check::plain(server, wire, "hi", Some(WORDS))
        }),
        Cell::new(Llama, wire, "usage", |server, wire| {
            check::counts(server, wire, "Say something.")
        }),
        Cell::new(Llama, wire, "streamed", |server, wire| check::streamed(server, wire, "hi", 6)),
        Cell::new(Llama, wire, "tool loop", |_, wire| tool_loop(wire)),
        Cell::new(Llama, wire, "tool choice none", |_, wire| no_tools(wire)),
        Cell::new(Llama, wire, "too long a request", |_, wire| too_long(wire)),
    ]
}

async fn tool_loop(wire: Wire) {
    let model = wire.model(Llama);
    let mut turn = offers("What is the weather?");
    turn.settings_mut().tool_choice = ToolChoice::Required;
    let (reply, seen) = watch(&model, turn.clone()).await;
    let reply = reply.unwrap();
    assert_eq!(reply.stop, StopReason::ToolCalls);
    let message = reply.last_assistant().unwrap();
    let call = message.tool_calls().next().unwrap();
    assert_eq!(&*call.name, "get_weather");
    assert!(call.arguments.object().unwrap()["city"].is_string());
    assert_eq!(seen.arguments()[0].0, *call.id);
    let pieces =
        seen.all().into_iter().filter(|event| matches!(event, Event::ToolArguments { .. }));
    assert!(pieces.count() > 1, "the arguments did not come in pieces");
    answer_calls(&mut turn, &reply).await;
    turn.settings_mut().tool_choice = ToolChoice::Auto;
    let (reply, asked) = run_loop(&model, &mut turn).await;
    assert_eq!((reply.answer().as_str(), asked), (WORDS, 1));
}

async fn no_tools(wire: Wire) {
    let mut turn = offers("What is the weather?");
    turn.settings_mut().tool_choice = ToolChoice::None;
    let reply = ask(&wire.model(Llama), turn).await.unwrap();
    assert_eq!((reply.answer().as_str(), reply.stop), (WORDS, StopReason::EndTurn));
}

async fn output_limit(wire: Wire) {
    let mut turn = says("hi");
    turn.settings_mut().max_output_tokens = Some(3);
    let reply = ask(&wire.model(Llama), turn).await.unwrap();
    assert_eq!(reply.stop, StopReason::MaxTokens);
    assert!(WORDS.starts_with(&reply.answer()), "{}", reply.answer());
    assert_eq!(reply.usage.output, 3);
}

async fn too_long(wire: Wire) {
    let error = check::failure(Llama, wire, &"long ".repeat(8_000)).await;
    assert_eq!(error.kind(), ErrorKind::ContextOverflow, "{error:?}");
    assert!(!error.is_retryable());
}

async fn schema(wire: Wire) {
    let mut turn = says("hi");
    let schema = json!({
        "type": "object",
        "properties": { "city": { "type": "string" } },
        "required": ["city"],
        "additionalProperties": false,
    });
    turn.settings_mut().response_schema = Some(Arc::new(schema));
    let reply = ask(&wire.model(Llama), turn).await.unwrap();
    let answer: Value = serde_json::from_str(&reply.answer()).unwrap();
    assert!(answer["city"].is_string(), "{answer}");
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Place {
    #[allow(dead_code, reason = "that it could be read is the point")]
    city: String,
}

async fn typed(wire: Wire, native: bool) {
    let provider = wire.provider(Llama).native_schema(native);
    let model = provider.model(wire.model_name()).unwrap();
    let agent = Agent::builder(model).build().unwrap();
    agent.ask::<Place>(&Session::new(), "Where?").await.unwrap();
}

async fn stop_sequence(wire: Wire) {
    let mut turn = says("hi");
    turn.settings_mut().stop_sequences = vec!["tiny".into()];
    let reply = ask(&wire.model(Llama), turn).await.unwrap();
    assert_eq!(reply.answer().trim(), "Hello from a");
    // Chat Completions does not tell it from any other end.
    let expected = if wire == Chat { StopReason::EndTurn } else { StopReason::StopSequence };
    assert_eq!(reply.stop, expected);
}
