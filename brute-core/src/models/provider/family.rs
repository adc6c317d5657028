//! What is known of each provider before it is called.

use crate::{Error, ErrorKind};

/// A provider, and the wire that it is spoken to with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::models) enum Family {
    Anthropic,
    OpenAi,
    OpenAiChat,
    Google,
    OpenRouter,
    Azure,
    Xai,
    Mistral,
    Groq,
    DeepSeek,
    Ollama,
    Compatible,
}

impl Family {
    /// All of them, in the order in which keys are looked for.
    pub(in crate::models) const ALL: [Self; 12] = [
        Self::Anthropic,
        Self::OpenAi,
        Self::Google,
        Self::OpenRouter,
        Self::Azure,
        Self::Xai,
        Self::Mistral,
        Self::Groq,
        Self::DeepSeek,
        Self::OpenAiChat,
        Self::Ollama,
        Self::Compatible,
    ];

    pub(in crate::models) fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::OpenAiChat => "openai_chat",
            Self::Google => "google",
            Self::OpenRouter => "openrouter",
            Self::Azure => "azure",
            Self::Xai => "xai",
            Self::Mistral => "mistral",
            Self::Groq => "groq",
            Self::DeepSeek => "deepseek",
            Self::Ollama => "ollama",
            Self::Compatible => "openai_compatible",
        }
    }

    /// Returns the name under which the registry knows its models.
    pub(in crate::models) fn registry_name(self) -> &'static str {
        match self {
            Self::OpenAiChat | Self::Azure => "openai",
            other => other.name(),
        }
    }

    pub(super) fn key_variables(self) -> &'static [&'static str] {
        match self {
            Self::Anthropic => &["ANTHROPIC_API_KEY"],
            Self::OpenAi | Self::OpenAiChat => &["OPENAI_API_KEY"],
            Self::Google => &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
            Self::OpenRouter => &["OPENROUTER_API_KEY"],
            Self::Azure => &["AZURE_OPENAI_API_KEY", "AZURE_API_KEY"],
            Self::Xai => &["XAI_API_KEY"],
            Self::Mistral => &["MISTRAL_API_KEY"],
            Self::Groq => &["GROQ_API_KEY"],
            Self::DeepSeek => &["DEEPSEEK_API_KEY"],
            Self::Ollama => &["OLLAMA_API_KEY"],
            Self::Compatible => &[],
        }
    }

    pub(super) fn base_url_variables(self) -> &'static [&'static str] {
        match self {
            Self::Anthropic => &["ANTHROPIC_BASE_URL"],
            Self::OpenAi | Self::OpenAiChat => &["OPENAI_BASE_URL"],
            Self::Azure => &["AZURE_OPENAI_ENDPOINT", "AZURE_ENDPOINT"],
            Self::Ollama => &["OLLAMA_BASE_URL"],
            _ => &[],
        }
    }

    pub(super) fn needs_key(self) -> bool {
        !matches!(self, Self::Ollama | Self::Compatible)
    }

    pub(super) fn needs_base_url(self) -> bool {
        matches!(self, Self::Azure | Self::Compatible)
    }

    /// Tells whether a key in the environment is enough to choose it.
    pub(super) fn is_found_by_key(self) -> bool {
        self.needs_key() && self != Self::OpenAiChat
    }

    pub(super) fn no_key(self) -> Error {
        let message = format!(
            "there is no key for {}: set {} or give one with `Provider::key`",
            self.name(),
            self.key_variables().join(" or "),
        );
        Error::new(ErrorKind::Authentication, message)
    }

    pub(super) fn no_base_url(self) -> Error {
        let variables = self.base_url_variables();
        let set = match variables {
            [] => String::new(),
            _ => format!("set {} or ", variables.join(" or ")),
        };
        let message = format!(
            "there is no address for {}: {set}give one with `Provider::base_url`",
            self.name()
        );
        Error::new(ErrorKind::Invalid, message)
    }
}
