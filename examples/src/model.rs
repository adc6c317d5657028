//! Chooses the model that is asked: a real one, or the offline one.

#[cfg(feature = "rig")]
mod remote;
mod stack;
#[cfg(not(feature = "rig"))]
mod without;

use std::io::{self, Write};

use anstyle::Style;
use brute_core::{
    ModelId,
    models::{ModelInfo, OfflineModel, Prices},
};
use brute_prompts::plain;
use clap::Args;
use tower::BoxError;

#[cfg(feature = "rig")]
use self::remote as choice;
pub(crate) use self::stack::{Shape, base_stack, erased};
#[cfg(not(feature = "rig"))]
use self::without as choice;

const DIM: Style = Style::new().dimmed();

/// The name that the offline model goes by.
const OFFLINE: &str = "offline";

/// Which model is to be asked.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ModelArguments {
    /// Whose model is asked, such as `anthropic`, `ollama` or `offline` [default: the first with a
    /// key in the environment, else `offline`]
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    /// The model, as its provider calls it [default: one of the provider's]
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    // A key belongs to an address: nobody's key goes to an address alone.
    /// The address of the provider, such as `http://127.0.0.1:8080/v1`
    #[arg(long, value_name = "URL", requires = "provider")]
    base_url: Option<String>,
}

/// A model that can be asked.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) id: ModelId,
    /// What is known of it.
    pub(crate) info: ModelInfo,
    service: Service,
    /// Whether a key in the environment chose it.
    is_found: bool,
}

#[derive(Clone, Debug)]
enum Service {
    Offline(OfflineModel),
    #[cfg(feature = "rig")]
    Remote(brute_core::models::RemoteModel),
}

impl ModelArguments {
    /// Asks the offline model, whatever lies in the environment.
    pub(crate) fn offline() -> Self {
        Self { provider: Some(OFFLINE.to_owned()), ..Self::default() }
    }

    /// Makes the model that the arguments name, or the one whose key is in the environment.
    ///
    /// # Errors
    /// Fails where the provider is not known or needs what is not there, such as a key.
    pub(crate) fn choose(&self) -> Result<Model, BoxError> {
        match self.provider.as_deref() {
            Some(OFFLINE) if self.model.is_some() || self.base_url.is_some() => {
                Err("the offline model has neither a name nor an address: \
                     leave out --model and --base-url, or name another --provider"
                    .into())
            }
            Some(OFFLINE) => Ok(Model::offline()),
            Some(provider) => choice::named(provider, self),
            None => choice::found(self),
        }
    }

    /// Returns the names of the model, which is not asked and needs no key.
    ///
    /// # Errors
    /// Fails as [`choose`](Self::choose) does where no provider is named.
    pub(crate) fn id(&self) -> Result<ModelId, BoxError> {
        match &self.provider {
            Some(provider) => {
                Ok(ModelId::new(provider.as_str(), self.model.as_deref().unwrap_or_default()))
            }
            None => Ok(self.choose()?.id),
        }
    }
}

impl Model {
    fn offline() -> Self {
        let free = Prices {
            input: 0.0,
            output: 0.0,
            cache_read: None,
            cache_write: None,
            cache_write_1h: None,
        };
        Self {
            id: ModelId::new(OFFLINE, ""),
            info: ModelInfo { prices: Some(free), ..ModelInfo::unknown() },
            service: Service::Offline(OfflineModel),
            is_found: false,
        }
    }

    /// Says on one line which real model is asked; nothing of the offline one.
    pub(crate) fn introduce(&self, out: &mut impl Write) -> io::Result<()> {
        if self.is_offline() {
            return Ok(());
        }
        writeln!(out, "{DIM}Asking {}{DIM:#}\n", self.described())
    }

    /// Returns what a person calls the model, and why it is the one, on one line.
    pub(crate) fn described(&self) -> String {
        let why = if self.is_found { ", whose key is in the environment" } else { "" };
        format!("{}{why}", self.name())
    }

    /// Returns what a person calls the model, on one line.
    pub(crate) fn name(&self) -> String {
        if self.is_offline() {
            return "the offline model".to_owned();
        }
        plain::visible(&self.id.to_string()).into_owned()
    }

    fn is_offline(&self) -> bool {
        self.id.provider() == OFFLINE
    }
}
