//! What every cell is made of: a server, a wire, a turn, the loop around the tools.

use std::{
    env,
    fmt::{self, Debug},
    net::{SocketAddr, TcpStream},
    panic::{self, AssertUnwindSafe},
    sync::{Arc, Mutex},
    time::Duration,
};

use brute_core::{
    Arguments, Error, Event, Events, Log, Message, Part, Reply, ToolResult, ToolSpec, Turn,
    models::{self, Provider, RemoteModel},
};
use futures::future::BoxFuture;
use rig_reqwest::reqwest::Client;
use serde_json::json;
use tower::ServiceExt;

/// The key that is sent everywhere, and that nobody may ever see.
pub(crate) const KEY: &str = "key-that-must-not-leak-0123456789";

/// A server that somebody else wrote, except the last two.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Server {
    Aimock,
    Llmock,
    Llama,
    Edge,
    /// None at all: what is tested needs no server, or is one of two lines.
    Nobody,
}

impl Server {
    pub(crate) const ALL: [Self; 4] = [Self::Aimock, Self::Llmock, Self::Llama, Self::Edge];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Aimock => "aimock",
            Self::Llmock => "llmock",
            Self::Llama => "llama.cpp",
            Self::Edge => "edge cases",
            Self::Nobody => "nobody",
        }
    }

    fn port(self) -> u16 {
        let (variable, port) = match self {
            Self::Aimock => ("BRUTE_AIMOCK_PORT", 4010),
            Self::Llmock => ("BRUTE_LLMOCK_PORT", 4020),
            Self::Llama => ("BRUTE_LLAMA_PORT", 4030),
            Self::Edge => ("BRUTE_EDGE_PORT", 4040),
            Self::Nobody => return 0,
        };
        env::var(variable).ok().and_then(|port| port.parse().ok()).unwrap_or(port)
    }

    pub(crate) fn url(self) -> String {
        format!("http://127.0.0.1:{}", self.port())
    }

    pub(crate) fn is_up(self) -> bool {
        let address = SocketAddr::from(([127, 0, 0, 1], self.port()));
        self == Self::Nobody
            || TcpStream::connect_timeout(&address, Duration::from_millis(500)).is_ok()
    }
}

/// A wire format, or a provider's way with one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    Anthropic,
    Chat,
    Responses,
    Google,
    Ollama,
    OpenAiChat,
    OpenRouter,
    Azure,
    Groq,
    Mistral,
    Xai,
}

impl Wire {
    /// Returns the provider that speaks it, at the place where a server answers it.
    pub(crate) fn provider(self, server: Server) -> Provider {
        let (url, is_llmock) = (server.url(), server == Server::Llmock);
        let under = |path: &str| format!("{url}{path}");
        let provider = match self {
            Self::Anthropic if is_llmock => models::anthropic().base_url(under("/anthropic")),
            Self::Anthropic => models::anthropic().base_url(url),
            Self::Chat => models::openai_compatible(under("/v1")),
            Self::Responses => models::openai().base_url(under("/v1")),
            Self::Google if is_llmock => models::google().base_url(under("/gemini")),
            Self::Google => models::google().base_url(url),
            Self::Ollama => models::ollama().base_url(url),
            Self::OpenAiChat => models::openai_chat().base_url(under("/v1")),
            Self::OpenRouter => models::openrouter().base_url(under("/api/v1")),
            Self::Azure => models::azure().base_url(url),
            Self::Groq => models::groq().base_url(under("/groq/openai/v1")),
            Self::Mistral => models::mistral().base_url(under("/mistral/v1")),
            Self::Xai => models::xai().base_url(under("/xai/v1")),
        };
        provider.key(KEY)
    }

    pub(crate) fn model_name(self) -> &'static str {
        match self {
            Self::Anthropic => "claude-sonnet-4-5",
            Self::Chat | Self::Responses | Self::OpenAiChat | Self::Azure => "gpt-4.1",
            Self::Google => "gemini-2.5-flash",
            Self::Ollama => "qwen3",
            Self::OpenRouter => "anthropic/claude-sonnet-4.5",
            Self::Groq => "openai/gpt-oss-120b",
            Self::Mistral => "mistral-large-latest",
            Self::Xai => "grok-4.5",
        }
    }

    pub(crate) fn model(self, server: Server) -> RemoteModel {
        self.provider(server).model(self.model_name()).unwrap()
    }
}

impl fmt::Display for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Anthropic => "anthropic",
            Self::Chat => "chat",
            Self::Responses => "responses",
            Self::Google => "google",
            Self::Ollama => "ollama",
            Self::OpenAiChat => "chat of openai",
            Self::OpenRouter => "chat of openrouter",
            Self::Azure => "chat of azure",
            Self::Groq => "chat of groq",
            Self::Mistral => "chat of mistral",
            Self::Xai => "chat of xai",
        })
    }
}

type Run = Arc<dyn Fn() -> BoxFuture<'static, ()>>;

/// One behaviour of one server over one wire.
pub(crate) struct Cell {
    pub(crate) server: Server,
    pub(crate) wire: Wire,
    pub(crate) behaviour: &'static str,
    run: Run,
}

impl Cell {
    pub(crate) fn new<F>(
        server: Server,
        wire: Wire,
        behaviour: &'static str,
        run: impl Fn(Server, Wire) -> F + 'static,
    ) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let run = Arc::new(move || -> BoxFuture<'static, ()> { Box::pin(run(server, wire)) });
        Self { server, wire, behaviour, run }
    }

    pub(crate) fn name(&self) -> String {
        format!("{} {} {}", self.server.name(), self.wire, self.behaviour)
    }

    /// Runs the cell on a runtime of its own; what panics becomes a complaint.
    pub(crate) fn run(&self) -> Result<(), String> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let limit = Duration::from_mins(1);
        let run = || runtime.block_on(async { tokio::time::timeout(limit, (self.run)()).await });
        match panic::catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(format!("it took longer than {limit:?}")),
            Err(panic) => Err(complaint(&*panic)),
        }
    }
}

fn complaint(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned())).unwrap_or_default()
}

/// What a call emitted.
#[derive(Clone, Default)]
pub(crate) struct Seen(Arc<Mutex<Vec<Event>>>);

impl Seen {
    pub(crate) fn events(&self) -> Events {
        let seen = self.0.clone();
        Events::inline(move |event| seen.lock().unwrap().push(event))
    }

    pub(crate) fn all(&self) -> Vec<Event> {
        self.0.lock().unwrap().clone()
    }

    pub(crate) fn texts(&self) -> Vec<String> {
        let text = |event| match event {
            Event::Text { delta } => Some(delta.to_string()),
            _ => None,
        };
        self.all().into_iter().filter_map(text).collect()
    }

    pub(crate) fn reasoning(&self) -> String {
        let delta = |event| match event {
            Event::Reasoning { delta } => Some(delta.to_string()),
            _ => None,
        };
        self.all().into_iter().filter_map(delta).collect()
    }

    /// Returns the last state of the arguments of each call, by its id.
    pub(crate) fn arguments(&self) -> Vec<(String, String)> {
        let mut calls: Vec<(String, String)> = Vec::new();
        for event in self.all() {
            let Event::ToolArguments { call_id, so_far, .. } = event else { continue };
            match calls.iter_mut().find(|(id, _)| **id == *call_id) {
                Some((_, arguments)) => *arguments = so_far.to_string(),
                None => calls.push((call_id.to_string(), so_far.to_string())),
            }
        }
        calls
    }

    pub(crate) fn diagnostics(&self) -> Vec<String> {
        let message = |event| match event {
            Event::Diagnostic { message } => Some(message.to_string()),
            _ => None,
        };
        self.all().into_iter().filter_map(message).collect()
    }
}

/// A tool that is offered and never run by itself: the loop below answers for it.
struct Weather;

#[async_trait::async_trait]
impl brute_core::Tool for Weather {
    fn spec(&self) -> ToolSpec {
        ToolSpec::new("get_weather", "Tells the weather in a city.").parameters(json!({
            "type": "object",
            "properties": { "city": { "type": "string", "description": "The city." } },
            "required": ["city"],
        }))
    }

    async fn call(
        &self,
        arguments: &serde_json::Value,
        _: &brute_core::ToolContext,
    ) -> Result<brute_core::ToolOutput, Error> {
        Ok(format!("21C in {}", arguments["city"].as_str().unwrap_or("nowhere")).into())
    }
}

/// A turn that says something to a model.
pub(crate) fn says(text: &str) -> Turn {
    let mut turn = Turn::default();
    turn.log.push(Message::user(text));
    turn
}

/// The same, with a tool on offer.
pub(crate) fn offers(text: &str) -> Turn {
    let mut turn = says(text);
    turn.tools = turn.tools.with(Weather).unwrap();
    turn
}

/// Asks once.
pub(crate) async fn ask(model: &RemoteModel, turn: Turn) -> Result<Reply, Error> {
    model.clone().oneshot(turn).await
}

/// Asks once, and keeps what was emitted.
pub(crate) async fn watch(model: &RemoteModel, mut turn: Turn) -> (Result<Reply, Error>, Seen) {
    let seen = Seen::default();
    turn.events = seen.events();
    (ask(model, turn).await, seen)
}

/// Answers every call of a reply, as a tool loop does.
pub(crate) async fn answer_calls(turn: &mut Turn, reply: &Reply) {
    let message = reply.last_assistant().unwrap().clone();
    turn.log.push(message.clone());
    for call in message.tool_calls() {
        let result = match &call.arguments {
            Arguments::Object(arguments) if &*call.name == "get_weather" => {
                ToolResult::ok(call.id.clone(), format!("21C in {}", arguments["city"]))
            }
            Arguments::Object(_) => ToolResult::error(call.id.clone(), "there is no such tool"),
            Arguments::Invalid(raw) => {
                ToolResult::error(call.id.clone(), format!("no json object: {raw}"))
            }
        };
        turn.log.push(Message::tool_result(result));
    }
}

/// Asks until the model calls no tool any more; returns the last reply and the number of calls.
pub(crate) async fn run_loop(model: &RemoteModel, turn: &mut Turn) -> (Reply, usize) {
    for asked in 1..=6 {
        let reply = ask(model, turn.clone()).await.unwrap();
        if !reply.last_assistant().unwrap().has_tool_calls() {
            return (reply, asked);
        }
        answer_calls(turn, &reply).await;
    }
    panic!("the model went on calling tools: {:#?}", turn.log);
}

/// Returns the reasoning of a reply.
pub(crate) fn reasoning(reply: &Reply) -> String {
    let parts = reply.last_assistant().into_iter().flat_map(|message| &message.parts);
    parts
        .filter_map(|part| match part {
            Part::Reasoning(reasoning) => Some(&*reasoning.text),
            _ => None,
        })
        .collect()
}

/// Asserts that something that can be shown does not show the key.
#[track_caller]
pub(crate) fn assert_hides_key(shown: &impl Debug) {
    let shown = format!("{shown:?}");
    assert!(!shown.contains(KEY), "the key stands in {shown}");
}

/// Sends or reads JSON over HTTP without the code under test.
pub(crate) async fn http(
    method: &str,
    url: &str,
    body: Option<serde_json::Value>,
) -> serde_json::Value {
    let mut request = Client::new().request(method.parse().unwrap(), url);
    if let Some(body) = body {
        request = request.json(&body);
    }
    let text = request.send().await.unwrap().text().await.unwrap();
    serde_json::from_str(&text).unwrap_or_else(|_| text.into())
}

/// The log that a session holds after it was exported and imported.
pub(crate) fn exported_and_imported(log: &Log) -> Log {
    let session = brute_core::Session::from_log(log).unwrap();
    let json = session.to_json().unwrap();
    assert!(!json.contains(KEY), "the key stands in the exported session");
    brute_core::Session::from_json(&json).unwrap().log()
}
