//! What is asked for goes over each wire, and nothing else.

use std::sync::Arc;

use brute_core::{
    Media, MediaSource, Message, Part, ReasoningEffort, Role, ToolChoice, Turn,
    models::{self, Provider},
};
use serde_json::{Value, json};

use super::{
    kit::{
        Cell, Seen,
        Server::Nobody,
        Wire::{self, Anthropic, Chat, Google, Ollama, Responses},
        ask, offers, says, watch,
    },
    stub::{Stub, answer},
};

const WIRES: [Wire; 5] = [Anthropic, Chat, Responses, Google, Ollama];

pub(crate) fn cells() -> Vec<Cell> {
    let of_some = [
        Cell::new(Nobody, Anthropic, "a refused setting is told", |_, wire| refused(wire)),
        Cell::new(Nobody, Responses, "a refused setting is told", |_, wire| refused(wire)),
        Cell::new(Nobody, Chat, "settings", |_, wire| plain_settings(wire)),
        Cell::new(Nobody, Chat, "reasoning of another provider stays out", |_, wire| foreign(wire)),
        Cell::new(Nobody, Chat, "headers", |_, wire| headers(wire)),
        Cell::new(Nobody, Anthropic, "the caller's own marks stay alone", |_, wire| {
            own_marks(wire)
        }),
        Cell::new(Nobody, Anthropic, "marks for an hour", |_, wire| long_marks(wire)),
    ];
    WIRES.into_iter().flat_map(of).chain(of_some).collect()
}

fn of(wire: Wire) -> Vec<Cell> {
    vec![
        Cell::new(Nobody, wire, "nothing is sent that nobody set", |_, wire| nothing(wire)),
        Cell::new(Nobody, wire, "tool choice none keeps the tools", |_, wire| no_choice(wire)),
        Cell::new(Nobody, wire, "an image", |_, wire| image(wire)),
        Cell::new(Nobody, wire, "a reminder", |_, wire| reminder(wire)),
        Cell::new(Nobody, wire, "members of the caller's own", |_, wire| extra(wire)),
    ]
}

/// Asks a server that refuses, and returns what it was asked.
async fn asked(wire: Wire, turn: Turn) -> Value {
    asked_of(wire.provider(Nobody), wire.model_name(), turn).await
}

async fn asked_of(provider: Provider, model: &str, turn: Turn) -> Value {
    let stub = Stub::answering([answer("400 Bad Request", "", "{}")]);
    let model = provider.base_url(&stub.url).model(model).unwrap();
    ask(&model, turn).await.expect_err("the stub answered");
    stub.body()
}

/// The members that a request cannot do without on any wire.
const NEEDED: [&str; 8] =
    ["model", "messages", "input", "contents", "stream", "stream_options", "max_tokens", "store"];

async fn nothing(wire: Wire) {
    let body = asked(wire, says("hello")).await;
    let members = body.as_object().unwrap().iter();
    let names = members.filter(|(_, value)| !value.is_null()).map(|(name, _)| name.as_str());
    let names: Vec<_> = names.collect();
    let others: Vec<_> = names.iter().filter(|name| !NEEDED.contains(name)).collect();
    assert!(others.is_empty(), "{others:?} were sent: {body:#}");
    assert_eq!(body.get("max_tokens").is_some(), wire == Anthropic, "{body:#}");
}

async fn no_choice(wire: Wire) {
    let mut turn = offers("hello");
    turn.settings_mut().tool_choice = ToolChoice::None;
    let seen = Seen::default();
    turn.events = seen.events();
    let body = asked(wire, turn).await;
    assert!(body["tools"].to_string().contains("get_weather"), "{body:#}");
    match wire {
        Anthropic => assert_eq!(body["tool_choice"], json!({ "type": "none" })),
        Chat | Responses => assert_eq!(body["tool_choice"], "none"),
        Google => assert_eq!(body["toolConfig"]["functionCallingConfig"]["mode"], "NONE"),
        // Ollama has no such setting, and the caller is told.
        Ollama => {
            let told = seen.diagnostics();
            assert!(told.iter().any(|told| told.contains("`tool_choice`")), "{told:?}");
        }
        _ => {}
    }
}

/// One white pixel.
const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTlXWQAAAABJRU5ErkJggg==";

async fn image(wire: Wire) {
    let media = Media { mime: "image/png".into(), source: MediaSource::Base64(PIXEL.into()) };
    let mut turn = Turn::default();
    turn.log.push(Message::new(Role::User, vec![Part::text("See:"), Part::Media(media)]));
    let body = asked_of(wire.provider(Nobody), seeing(wire), turn).await;
    assert!(body.to_string().contains(PIXEL), "{body:#}");
}

/// Returns a model that is known to read images.
fn seeing(wire: Wire) -> &'static str {
    if wire == Ollama { "llava" } else { wire.model_name() }
}

async fn reminder(wire: Wire) {
    let mut turn = says("hello");
    turn.log.push_front(Message::system("Be brief."));
    turn.log.push(Message::developer("Plan mode is on."));
    let body = asked(wire, turn).await;
    let text = body.to_string();
    let plan = text.find("Plan mode is on.").expect("the reminder is lost");
    let hello = text.find("hello").unwrap();
    assert!(plan > hello, "the reminder does not stand at the end: {body:#}");
    assert!(text.contains("Be brief."), "{body:#}");
}

async fn extra(wire: Wire) {
    let mut turn = says("hello");
    turn.settings_mut().extra = Some(Arc::new(json!({ "seed": 7 })));
    let body = asked(wire, turn).await;
    assert!(body.to_string().contains("\"seed\":7"), "{body:#}");
}

async fn refused(wire: Wire) {
    let stub = Stub::answering([answer("400 Bad Request", "", "{}")]);
    let provider = wire.provider(Nobody).base_url(&stub.url);
    let mut turn = says("hello");
    let settings = turn.settings_mut();
    (settings.top_p, settings.reasoning) = (Some(0.5), Some(ReasoningEffort::High));
    settings.stop_sequences = vec!["END".into()];
    let model = if wire == Anthropic { "claude-opus-5-5" } else { "gpt-5.2" };
    let (_, seen) = watch(&provider.model(model).unwrap(), turn).await;
    let option = if wire == Anthropic { "top_p" } else { "stop" };
    let told = seen.diagnostics();
    assert!(told.iter().any(|told| told.contains(&format!("`{option}`"))), "{told:?}");
    let body = stub.body();
    assert!(body.get(option).is_none(), "{body:#}");
    assert!(body.to_string().contains("high"), "the effort is lost: {body:#}");
}

async fn plain_settings(wire: Wire) {
    let mut turn = says("hello");
    let settings = turn.settings_mut();
    (settings.top_p, settings.reasoning) = (Some(0.5), Some(ReasoningEffort::Low));
    settings.stop_sequences = vec!["END".into()];
    let body = asked(wire, turn).await;
    assert_eq!((&body["top_p"], &body["reasoning_effort"]), (&json!(0.5), &json!("low")));
    assert_eq!(body["stop"], json!(["END"]));
}

async fn foreign(wire: Wire) {
    let stub = Stub::answering([answer("400 Bad Request", "", "{}")]);
    let mut said = Message::assistant("An answer.");
    let thought = json!({ "type": "thinking", "thinking": "hm", "signature": "S" });
    let native = Some(Arc::new(thought));
    said.parts.insert(0, Part::Reasoning(brute_core::Reasoning { text: "hm".into(), native }));
    let from = brute_core::Provenance::new("anthropic.messages", "anthropic", "claude-opus-5-5");
    said.provenance = Some(Arc::new(from.seal(&said.parts)));
    let mut turn = says("hello");
    turn.log.push(said);
    turn.log.push(Message::user("Go on."));
    let provider = wire.provider(Nobody).base_url(&stub.url);
    ask(&provider.model("m").unwrap(), turn).await.unwrap_err();
    let text = stub.body().to_string();
    assert!(
        text.contains("An answer.") && !text.contains("hm") && !text.contains("\"S\""),
        "{text}"
    );
}

async fn own_marks(wire: Wire) {
    let mut turn = offers("hello");
    let own =
        json!([{ "type": "text", "text": "Mine.", "cache_control": { "type": "ephemeral" } }]);
    turn.settings_mut().extra = Some(Arc::new(json!({ "system": own })));
    let body = asked(wire, turn).await;
    assert_eq!(body["system"], own);
    assert_eq!(body.to_string().matches("cache_control").count(), 1, "{body:#}");
}

async fn long_marks(wire: Wire) {
    let mut turn = offers("hello");
    turn.log.push_front(Message::system("Be brief."));
    let provider = wire.provider(Nobody).cache(models::CacheTime::Long);
    let body = asked_of(provider, wire.model_name(), turn).await;
    let hour = json!({ "type": "ephemeral", "ttl": "1h" });
    assert_eq!(body["tools"][0]["cache_control"], hour, "{body:#}");
    assert_eq!(body["system"][0]["cache_control"], hour);
    let said = &body["messages"][0]["content"][0];
    assert_eq!(said["cache_control"], json!({ "type": "ephemeral" }));
}

async fn headers(wire: Wire) {
    let stub = Stub::answering([answer("400 Bad Request", "", "{}")]);
    let provider = models::openai_compatible(&stub.url).header("x-team", "blue").unwrap();
    ask(&provider.model(wire.model_name()).unwrap(), says("hello")).await.unwrap_err();
    let (head, _) = stub.asked().pop().unwrap();
    assert!(head.contains("x-team: blue"), "{head}");
    assert!(
        !head.to_lowercase().contains("authorization"),
        "a key was sent that nobody gave: {head}"
    );
}
