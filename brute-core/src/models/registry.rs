//! What is known of models: sizes, prices, abilities.

mod data;
mod info;

use std::{collections::BTreeMap, sync::LazyLock};

use self::data::{Row, Sections};
pub use self::info::{ModelInfo, Prices};
use crate::{Error, ErrorKind, ModelId};

static BUILTIN: LazyLock<Sections> = LazyLock::new(|| {
    // The file is part of the program, and a test reads it.
    serde_json::from_str(include_str!("registry/models.json")).unwrap_or_default()
});

/// What is known of models, the built-in table below and whatever the host says above.
///
/// ```
/// use brute_core::{ModelId, models::Registry};
///
/// let registry = Registry::new();
/// let info = registry.get(&ModelId::new("anthropic", "claude-haiku-4-5-20251001"));
/// assert_eq!(info.context_window, 200_000);
/// assert!(!registry.get(&ModelId::new("ollama", "mine")).is_known);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Registry {
    own: BTreeMap<(String, String), ModelInfo>,
}

impl Registry {
    /// Knows the built-in models.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says what holds of a model, in place of whatever was known.
    #[must_use]
    pub fn with(mut self, model: &ModelId, info: ModelInfo) -> Self {
        self.own.insert((model.provider().to_owned(), model.model().to_owned()), info);
        self
    }

    /// Reads a table in the format of the built-in one and puts it above what is known.
    ///
    /// A member that a model's row leaves out is taken from what was known of the model.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Invalid`] if the text is no such table, and says where.
    pub fn read(mut self, json: &str) -> Result<Self, Error> {
        let sections: Sections = serde_json::from_str(json).map_err(|error| {
            Error::new(ErrorKind::Invalid, format!("this is no table of models: {error}"))
        })?;
        for (provider, section) in sections {
            for (model, row) in section.models {
                let info = row.over(self.get(&ModelId::new(provider.as_str(), model.as_str())));
                self.own.insert((provider.clone(), model), info);
            }
        }
        Ok(self)
    }

    /// Returns what is known of a model.
    ///
    /// A dated name is looked up without its date, and the name of a gateway, such as
    /// `anthropic/claude-opus-5.5`, under the provider that it names. Of a model that is not known
    /// the [stated defaults](ModelInfo::unknown) are assumed.
    pub fn get(&self, model: &ModelId) -> ModelInfo {
        let names = spellings(model.provider(), model.model());
        let own = |(provider, name): &(String, String)| {
            self.own.get(&(provider.clone(), name.clone())).cloned()
        };
        names
            .iter()
            .find_map(own)
            .or_else(|| names.iter().find_map(|(provider, name)| builtin(provider, name)))
            .unwrap_or_else(ModelInfo::unknown)
    }

    /// Iterates over the built-in models.
    pub fn builtin() -> impl Iterator<Item = (ModelId, ModelInfo)> {
        BUILTIN.iter().flat_map(|(provider, section)| {
            section.models.iter().map(|(name, row)| {
                let id = ModelId::new(provider.as_str(), name.as_str());
                (id, row.clone().over(ModelInfo::unknown()))
            })
        })
    }

    /// Returns the model of a provider that is asked where nobody names one.
    #[cfg(feature = "rig")]
    pub(super) fn builtin_default(provider: &str) -> Option<&'static str> {
        BUILTIN.get(provider).and_then(|section| section.default.as_deref())
    }
}

fn builtin(provider: &str, model: &str) -> Option<ModelInfo> {
    let row: &Row = BUILTIN.get(provider)?.models.get(model)?;
    Some(row.clone().over(ModelInfo::unknown()))
}

/// Returns the names under which a model may be known, the exact one first.
fn spellings(provider: &str, model: &str) -> Vec<(String, String)> {
    let mut names = vec![(provider.to_owned(), model.to_owned())];
    names.extend(undated(model).map(|model| (provider.to_owned(), model.to_owned())));
    if let Some((vendor, model)) = model.split_once('/') {
        let bare = model.split(':').next().unwrap_or(model);
        names.push((vendor.to_owned(), bare.to_owned()));
        names.push((vendor.to_owned(), bare.replace('.', "-")));
    }
    if matches!(provider, "openai_chat" | "azure") {
        names.extend(spellings("openai", model));
    }
    names
}

/// Returns a name without a date at its end, such as `-20251001` or `-2025-08-07`.
fn undated(model: &str) -> Option<&str> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (rest, last) = model.rsplit_once('-')?;
    if last.len() == 8 && digits(last) {
        return Some(rest);
    }
    let (rest, month) = rest.rsplit_once('-')?;
    let (rest, year) = rest.rsplit_once('-')?;
    let is_date = (year.len(), month.len(), last.len()) == (4, 2, 2)
        && [year, month, last].into_iter().all(digits);
    is_date.then_some(rest)
}
