//! Which wire a provider is spoken to with, and what it is used to.

use std::sync::Arc;

use rig_core::{
    DynModel, Model,
    operation::Completion,
    providers::{
        anthropic::AnthropicConfig,
        gemini::GeminiConfig,
        ollama::OllamaConfig,
        openai::{
            OpenAIConfig,
            wire::{self, Auth, Dialect},
        },
    },
    wire::{Encoded, Wire, WireFrame},
};

use super::{
    line::{Call, Line},
    patient::Patient,
};
use crate::{
    Error, ErrorKind,
    models::provider::{Family, Provider, has_doubtful_user, shown_address},
};

/// What a server that speaks the Chat Completions format is called in records.
const COMPATIBLE: Dialect = Dialect::gateway("openai_compatible", "", "");

/// The output limit where a wire wants one and neither caller nor wire knows a better one.
const OUTPUT_LIMIT: u64 = 8_192;

type Connect = Arc<dyn Fn(&str, Line) -> DynModel<Completion> + Send + Sync>;

/// A wire, ready to be spoken.
pub(super) struct Connection {
    connect: Connect,
    http: Patient,
    base_url: String,
    pub(super) habits: Habits,
}

/// What a wire is used to.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a habit of its own")]
pub(super) struct Habits {
    /// The wire format, as messages remember it.
    pub(super) api: String,
    /// The provider, as messages remember it.
    pub(super) provider: String,
    /// Whether the system prompt goes as one block for each zone.
    pub(super) zones: bool,
    /// Whether a system message may stand in the course of the conversation.
    pub(super) late_system: bool,
    /// Whether the provider can hold an answer to a schema.
    pub(super) schema: Schema,
    /// Whether settings are written as Chat Completions names them: of a server that it does not
    /// know, rig assumes that it knows none.
    pub(super) plain_settings: bool,
    /// Whether it can be said which tools may be called.
    pub(super) tool_choice: bool,
}

/// Whether a provider can hold an answer to a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Schema {
    Native,
    /// While no tools are on offer.
    NativeAlone,
    Tool,
}

impl Connection {
    pub(super) fn new(provider: &Provider) -> Result<Self, Error> {
        let http = Patient::new(provider.patience)?;
        let base_url = provider.base_url.clone().unwrap_or_default();
        check_address(provider, &base_url)?;
        let mut connection = match provider.family {
            Family::Anthropic => Self::anthropic(provider, http),
            Family::Google => Self::google(provider, http),
            Family::Ollama => Self::ollama(provider, http),
            Family::OpenAi => Self::responses(provider, http),
            _ => Self::chat(provider, http),
        };
        if let Some(can) = provider.native_schema {
            connection.habits.schema = if can { Schema::Native } else { Schema::Tool };
        }
        Ok(connection)
    }

    pub(super) fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Makes the model for one call.
    pub(super) fn model(&self, name: &str, call: Arc<Call>) -> DynModel<Completion> {
        (self.connect)(name, Line::new(self.http.clone(), call))
    }

    fn anthropic(provider: &Provider, http: Patient) -> Self {
        let mut config = AnthropicConfig::new(key(provider));
        if let Some(base_url) = &provider.base_url {
            config = config.with_base_url(base_url);
        }
        let base_url = config.base_url.clone();
        let client = config.connect(http.clone());
        let wire = move |model: &str| {
            let mut wire = client.completion(model).wire;
            wire.default_max_tokens.get_or_insert(OUTPUT_LIMIT);
            wire
        };
        let habits = |habits| Habits { zones: true, schema: Schema::Native, ..habits };
        Self::of(http, base_url, wire, habits)
    }

    fn google(provider: &Provider, http: Patient) -> Self {
        // The key goes in a header: rig would put it into the address, which ends in logs.
        let mut config = GeminiConfig::new("");
        if let Some(base_url) = &provider.base_url {
            config = config.with_base_url(base_url);
        }
        let base_url = config.base_url.clone();
        let client = config.connect(http.clone());
        let habits = |habits| Habits { schema: Schema::NativeAlone, ..habits };
        Self::of(http, base_url, move |model| client.completion(model).wire, habits)
    }

    fn ollama(provider: &Provider, http: Patient) -> Self {
        let mut config = OllamaConfig::new().with_api_key(key(provider));
        if let Some(base_url) = &provider.base_url {
            config = config.with_base_url(base_url);
        }
        let base_url = config.base_url.clone();
        let client = config.connect(http.clone());
        let habits = |habits| Habits { schema: Schema::NativeAlone, tool_choice: false, ..habits };
        Self::of(http, base_url, move |model| client.native_completion(model).wire, habits)
    }

    fn responses(provider: &Provider, http: Patient) -> Self {
        let config = openai(provider, &wire::OPENAI);
        let base_url = config.base_url.clone();
        let client = config.connect(http.clone());
        let habits = |habits| Habits { schema: Schema::Native, late_system: true, ..habits };
        Self::of(http, base_url, move |model| client.responses(model).wire, habits)
    }

    fn chat(provider: &Provider, http: Patient) -> Self {
        let dialect = dialect(provider.family);
        let config = openai(provider, dialect);
        let base_url = config.base_url.clone();
        let quirks = dialect.quirks;
        let schema = match (quirks.supports_response_format, quirks.response_format_with_tools) {
            (true, true) => Schema::Native,
            (true, false) => Schema::NativeAlone,
            (false, _) => Schema::Tool,
        };
        let late_system = matches!(provider.family, Family::OpenAiChat | Family::Azure);
        let client = config.connect(http.clone());
        let plain_settings = provider.family == Family::Compatible;
        let habits = move |habits| Habits { late_system, schema, plain_settings, ..habits };
        Self::of(http, base_url, move |model| client.chat(model).wire, habits)
    }

    fn of<W>(
        http: Patient,
        base_url: String,
        wire: impl Fn(&str) -> W + Send + Sync + 'static,
        habits: impl FnOnce(Habits) -> Habits,
    ) -> Self
    where
        W: Wire<Op = Completion, Payload = Encoded, Frame = WireFrame>,
    {
        let names = names(&wire("any"));
        let connect = Arc::new(move |name: &str, line| Model::new(wire(name), line).erase());
        Self { connect, http, base_url, habits: habits(names) }
    }
}

/// Asks a wire for the names under which its messages are remembered.
fn names<W: Wire>(wire: &W) -> Habits {
    let described = wire.describe();
    let api = described.replay.map_or_else(String::new, |target| target.api().to_string());
    Habits {
        api,
        provider: described.name.to_owned(),
        zones: false,
        late_system: false,
        schema: Schema::Tool,
        plain_settings: false,
        tool_choice: true,
    }
}

fn key(provider: &Provider) -> String {
    provider.key.as_ref().map(|key| key.expose().to_owned()).unwrap_or_default()
}

fn openai(provider: &Provider, dialect: &Dialect) -> OpenAIConfig {
    let mut config = OpenAIConfig::with_key(dialect, key(provider));
    if let Some(base_url) = &provider.base_url {
        config = config.with_base_url(without_version(base_url, dialect));
    }
    if let Some(version) = &provider.api_version {
        config = config.with_api_version(version);
    }
    if provider.family == Family::Compatible {
        config = config.with_auth(Auth::OptionalBearer);
    }
    config
}

/// Takes the version off an address where the path of the wire brings it.
fn without_version<'a>(base_url: &'a str, dialect: &Dialect) -> &'a str {
    let base_url = base_url.trim_end_matches('/');
    if dialect.quirks.completion_path.starts_with("/v1/") {
        return base_url.strip_suffix("/v1").unwrap_or(base_url);
    }
    base_url
}

fn dialect(family: Family) -> &'static Dialect {
    let name = match family {
        Family::OpenRouter => return &wire::OPENROUTER,
        Family::Azure => return &wire::AZURE,
        Family::Mistral => return &wire::MISTRAL,
        Family::Groq => return &wire::GROQ,
        Family::DeepSeek => return &wire::DEEPSEEK,
        Family::Xai => "xai",
        Family::Compatible => return &COMPATIBLE,
        _ => return &wire::OPENAI,
    };
    wire::by_name(name).unwrap_or(&COMPATIBLE)
}

/// Refuses an address that no request can go to, and one with a query or fragment: the path of a
/// request would be glued behind it, and what is secret in it would stand in errors and logs. One
/// whose password is not escaped would even go to another host.
fn check_address(provider: &Provider, base_url: &str) -> Result<(), Error> {
    if provider.base_url.is_none() {
        return Ok(());
    }
    let (shown, name) = (shown_address(base_url), provider.name());
    let refused = |why: &str| {
        let message = format!("the address {shown:?} of {name} {why}");
        Err(Error::new(ErrorKind::Invalid, message))
    };
    let address = base_url.parse::<http::Uri>().ok();
    let is_http = address.as_ref().and_then(http::Uri::scheme_str);
    if !matches!(is_http, Some("http" | "https")) {
        return refused("is no http or https address");
    }
    if has_doubtful_user(base_url) {
        return refused(
            "has an `@` behind a `/`, `?` or `#`: in a password these are written %2F, %3F and %23, and an `@` in a path %40",
        );
    }
    if base_url.contains('?') {
        return refused("must not go on with a query, from `?` on; a key is given as a key");
    }
    if base_url.contains('#') {
        return refused("must not go on with a fragment, from `#` on");
    }
    Ok(())
}
