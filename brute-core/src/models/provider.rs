//! Real models: which provider, under which address, with which key and patience.

mod address;
mod environment;
mod family;
mod key;

use std::{fmt, time::Duration};

use http::{HeaderName, HeaderValue};

pub use self::environment::{from_env, from_variables};
pub(super) use self::{
    address::{has_doubtful_user, shown_address},
    family::Family,
    key::Key,
};
use super::{Registry, RemoteModel};
use crate::{Error, ErrorKind};

/// A provider of models: an address, a key, headers and patience.
///
/// ```no_run
/// use brute_core::models;
///
/// # fn main() -> Result<(), brute_core::Error> {
/// let model = models::anthropic().model("claude-opus-5-5")?; // the key is ANTHROPIC_API_KEY
/// let local = models::openai_compatible("http://127.0.0.1:8080/v1").model("qwen3")?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Provider {
    pub(super) family: Family,
    pub(super) key: Option<Key>,
    pub(super) base_url: Option<String>,
    pub(super) api_version: Option<String>,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) patience: Patience,
    pub(super) cache: CacheTime,
    pub(super) native_schema: Option<bool>,
}

/// How long is waited for what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    pub(super) connect: Duration,
    pub(super) first_event: Duration,
    pub(super) idle: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_event: Duration::from_mins(5),
            idle: Duration::from_mins(2),
        }
    }
}

/// How long a provider that is told so keeps the beginning of a request in its cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheTime {
    /// Nothing is marked.
    Off,
    /// Five minutes.
    #[default]
    Short,
    /// An hour for tools and system prompt, five minutes for the conversation.
    Long,
}

/// Makes models of Anthropic; the key is `ANTHROPIC_API_KEY`.
pub fn anthropic() -> Provider {
    Provider::new(Family::Anthropic)
}

/// Makes models of `OpenAI`, spoken to in the Responses format; the key is `OPENAI_API_KEY`.
pub fn openai() -> Provider {
    Provider::new(Family::OpenAi)
}

/// Makes models of `OpenAI`, spoken to in the Chat Completions format.
pub fn openai_chat() -> Provider {
    Provider::new(Family::OpenAiChat)
}

/// Makes models of Google; the key is `GEMINI_API_KEY` or `GOOGLE_API_KEY`.
pub fn google() -> Provider {
    Provider::new(Family::Google)
}

/// Makes models that an Ollama serves, by default on this machine.
pub fn ollama() -> Provider {
    Provider::new(Family::Ollama)
}

/// Makes models of any server that speaks the Chat Completions format, such as
/// `http://127.0.0.1:8080/v1`; without a key none is sent.
pub fn openai_compatible(base_url: impl Into<String>) -> Provider {
    Provider::new(Family::Compatible).base_url(base_url)
}

/// Makes models that `OpenRouter` passes on; the key is `OPENROUTER_API_KEY`.
pub fn openrouter() -> Provider {
    Provider::new(Family::OpenRouter)
}

/// Makes models deployed on Azure; the model is the name of the deployment.
///
/// The key is `AZURE_OPENAI_API_KEY` or `AZURE_API_KEY`, the address `AZURE_OPENAI_ENDPOINT` or
/// `AZURE_ENDPOINT`.
pub fn azure() -> Provider {
    Provider::new(Family::Azure)
}

/// Makes models of xAI; the key is `XAI_API_KEY`.
pub fn xai() -> Provider {
    Provider::new(Family::Xai)
}

/// Makes models of Mistral; the key is `MISTRAL_API_KEY`.
pub fn mistral() -> Provider {
    Provider::new(Family::Mistral)
}

/// Makes models that Groq serves; the key is `GROQ_API_KEY`.
pub fn groq() -> Provider {
    Provider::new(Family::Groq)
}

/// Makes models of `DeepSeek`; the key is `DEEPSEEK_API_KEY`.
pub fn deepseek() -> Provider {
    Provider::new(Family::DeepSeek)
}

/// Finds a provider by its name, such as `anthropic` or `openai_compatible`.
///
/// # Errors
/// Fails with [`ErrorKind::Invalid`] for a name that is not known, and says which are.
pub fn provider(name: &str) -> Result<Provider, Error> {
    let known = Family::ALL.into_iter().find(|family| family.name() == name);
    known.map(Provider::new).ok_or_else(|| {
        let names: Vec<_> = Family::ALL.iter().map(|family| family.name()).collect();
        let message = format!("unknown provider {name:?}: those known are {}", names.join(", "));
        Error::new(ErrorKind::Invalid, message)
    })
}

impl Provider {
    pub(super) fn new(family: Family) -> Self {
        Self {
            family,
            key: None,
            base_url: None,
            api_version: None,
            headers: Vec::new(),
            patience: Patience::default(),
            cache: CacheTime::default(),
            native_schema: None,
        }
    }

    /// Sets the key, which is never shown.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(Key::new(key));
        self
    }

    /// Sets the address that the wire's own path is added to; it has no query and no fragment.
    #[must_use]
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = Some(base_url.into());
        self
    }

    /// Sets the version of the interface, where a provider wants one; by default
    /// `AZURE_API_VERSION`.
    #[must_use]
    pub fn api_version(mut self, version: impl Into<String>) -> Self {
        self.api_version = Some(version.into());
        self
    }

    /// Sends a header with every request.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Invalid`] if name or value cannot stand in a header; the value is
    /// not shown, it may be a secret.
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, Error> {
        let invalid = |what: &str| {
            Error::new(
                ErrorKind::Invalid,
                format!("the {what} of the header {name:?} is no header"),
            )
        };
        let named: HeaderName = name.parse().map_err(|_| invalid("name"))?;
        let mut value: HeaderValue = value.parse().map_err(|_| invalid("value"))?;
        value.set_sensitive(true);
        self.headers.push((named, value));
        Ok(self)
    }

    /// Sets how long a connection may take to stand; 10 seconds by default.
    #[must_use]
    pub fn connect_timeout(mut self, longest: Duration) -> Self {
        self.patience.connect = longest;
        self
    }

    /// Sets how long the first byte of an answer may take; 5 minutes by default.
    #[must_use]
    pub fn first_event_timeout(mut self, longest: Duration) -> Self {
        self.patience.first_event = longest;
        self
    }

    /// Sets how long a stream may be silent between two pieces; 2 minutes by default.
    #[must_use]
    pub fn idle_timeout(mut self, longest: Duration) -> Self {
        self.patience.idle = longest;
        self
    }

    /// Sets how long the provider keeps the beginning of a request, where it is told so by marks.
    #[must_use]
    pub fn cache(mut self, time: CacheTime) -> Self {
        self.cache = time;
        self
    }

    /// Says whether the server can hold an answer to a JSON Schema by itself; where it cannot, the
    /// model is given a tool to answer with.
    #[must_use]
    pub fn native_schema(mut self, can: bool) -> Self {
        self.native_schema = Some(can);
        self
    }

    /// Returns the provider's name.
    pub fn name(&self) -> &'static str {
        self.family.name()
    }

    /// Returns the model that is asked where the caller names none, if one is known.
    pub fn default_model(&self) -> Option<&'static str> {
        Registry::builtin_default(self.family.registry_name())
    }

    /// Makes the service that asks a model; clones of it share their connections.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Authentication`] if there is no key, naming where one was looked
    /// for, and with [`ErrorKind::Invalid`] if there is no address or none that can be used.
    pub fn model(&self, model: impl Into<String>) -> Result<RemoteModel, Error> {
        let ready = self.clone().completed(|name| std::env::var(name).ok())?;
        RemoteModel::new(ready, model.into())
    }

    /// Looks for what is missing among variables.
    fn completed(mut self, variable: impl Fn(&str) -> Option<String>) -> Result<Self, Error> {
        self.fill(&variable);
        if self.key.is_none() && self.family.needs_key() {
            return Err(self.family.no_key());
        }
        if self.base_url.is_none() && self.family.needs_base_url() {
            return Err(self.family.no_base_url());
        }
        Ok(self)
    }

    fn fill(&mut self, variable: &impl Fn(&str) -> Option<String>) {
        let first = |names: &[&str]| {
            let values = names.iter().filter_map(|name| variable(name));
            values.map(|value| value.trim().to_owned()).find(|value| !value.is_empty())
        };
        if self.key.is_none() {
            self.key = first(self.family.key_variables()).map(Key::new);
        }
        if self.base_url.is_none() {
            self.base_url = first(self.family.base_url_variables());
        }
        if self.api_version.is_none() && self.family == Family::Azure {
            self.api_version = first(&["AZURE_API_VERSION"]);
        }
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider")
            .field("name", &self.name())
            .field("key", &self.key)
            .field("base_url", &self.base_url.as_deref().map(shown_address))
            .field("headers", &self.headers.iter().map(|(name, _)| name).collect::<Vec<_>>())
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}
