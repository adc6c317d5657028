//! What a configuration says about prompts.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use super::{PromptFileOptions, read};
use crate::{PromptError, PromptErrorKind, gather::home::expand};

/// What a configuration says about prompts; other keys belong to others.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PromptConfig {
    system_prompt_file: Option<PathBuf>,
    subagents: BTreeMap<String, Named>,
    #[serde(alias = "supervisor")]
    reviewer: Named,
    pub(super) tool_preambles: Option<bool>,
    /// The folder in which the configuration lies.
    #[serde(skip)]
    folder: PathBuf,
}

/// A prompt file by its path.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Named {
    system_prompt_file: Option<PathBuf>,
}

/// Reads `config.toml` of the folder; without one, nothing is configured.
pub(super) fn read_config(folder: Option<&Path>) -> Result<PromptConfig, PromptError> {
    let Some(folder) = folder else {
        return Ok(PromptConfig::default());
    };
    let path = folder.join("config.toml");
    let Some(text) = read(&path)? else {
        return Ok(PromptConfig::default());
    };
    let config = toml::from_str(&text).map_err(|error| invalid(&path, &text, &error))?;
    Ok(PromptConfig { folder: folder.to_path_buf(), ..config })
}

fn invalid(path: &Path, text: &str, error: &toml::de::Error) -> PromptError {
    let line = error.span().and_then(|span| text.get(..span.start));
    let message = format!("the configuration is not valid: {}", error.message());
    let failure =
        PromptError::new(PromptErrorKind::Syntax, message).in_file(path.display().to_string());
    // The error itself quotes the line, which may hold a key of another program.
    match line {
        Some(before) => failure.at_line(before.matches('\n').count() + 1),
        None => failure,
    }
}

impl PromptConfig {
    pub(super) fn prompt_file(&self, options: &PromptFileOptions) -> Option<PathBuf> {
        self.located(self.system_prompt_file.as_ref(), options)
    }

    pub(super) fn role_file(&self, options: &PromptFileOptions) -> Option<PathBuf> {
        let role = self.subagents.get(options.role.as_deref()?)?;
        self.located(role.system_prompt_file.as_ref(), options)
    }

    pub(super) fn reviewer_file(&self, options: &PromptFileOptions) -> Option<PathBuf> {
        self.located(self.reviewer.system_prompt_file.as_ref(), options)
    }

    /// Returns the path, relative to the configuration; a blank one, and one in an unknown home,
    /// is none.
    fn located(&self, path: Option<&PathBuf>, options: &PromptFileOptions) -> Option<PathBuf> {
        let path = path.filter(|path| !path.as_os_str().to_string_lossy().trim().is_empty())?;
        Some(self.folder.join(expand(path, options.home.as_deref())?))
    }
}
