//! The file that a user keeps a prompt in, read at a session's first request and kept with it.

use std::{
    env,
    path::{Path, PathBuf},
    sync::Arc,
};

use brute_core::{Error, Turn};
use brute_prompts::{
    PromptError, PromptFile, PromptSettings, SystemPrompt,
    gather::{
        PromptFileOptions, configured_settings, resolve_prompt_file, resolve_supervisor_file,
        workspace_root,
    },
};
use serde::{Deserialize, Serialize};

use super::prompt_error;
use crate::{kept, mode_messages::is_headless, session_facts::blocking};

/// The metadata key of the folder that a session takes for its project.
const PROJECT: &str = "workspace_root";

/// The metadata key of what was read.
pub(super) const KEPT: &str = "prompt_file";

/// What stands behind the point of a key for a supervisor, and in front of the name of a role.
pub(super) const SUPERVISOR: &str = "supervisor";
pub(super) const ROLE: &str = "role";

/// For whom a file is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reader {
    /// An agent: the file is a template in the place of the words that ship.
    Agent(PromptSettings),
    /// A supervisor: the file is the whole prompt, as it is.
    Supervisor,
}

/// Where a prompt file is looked for, and for whom.
#[derive(Clone, Debug)]
pub(super) struct PromptFiles {
    options: PromptFileOptions,
    reader: Reader,
    key: Arc<str>,
}

/// What was read; it holds for the session from then on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Chosen {
    file: Option<PromptFile>,
    settings: PromptSettings,
}

impl PromptFiles {
    pub(super) fn of_agent(options: PromptFileOptions, settings: PromptSettings) -> Self {
        let key = key_of_agent(KEPT, &options);
        Self { options, reader: Reader::Agent(settings), key }
    }

    pub(super) fn of_supervisor(options: PromptFileOptions) -> Self {
        Self { options, reader: Reader::Supervisor, key: key_of_supervisor(KEPT) }
    }

    /// Returns what was read for this session, if it was.
    pub(super) fn known(&self, turn: &Turn) -> Option<Arc<Chosen>> {
        kept::read(turn, &self.key).map(Arc::new)
    }

    /// Reads the file, on a thread for blocking work.
    pub(super) async fn read(
        &self,
        turn: &Turn,
        home: Option<&Path>,
    ) -> Result<Arc<Chosen>, Error> {
        kept::tell_unreadable::<Chosen>(turn, &self.key);
        let active = turn.facts.cwd().map(PathBuf::from).or_else(|| env::current_dir().ok());
        let project: Option<PathBuf> = kept::read(turn, PROJECT);
        let (options, reader) = (self.options.clone().or_home(home), self.reader.clone());
        let read =
            blocking(move || Some(read(options, reader, project.as_deref(), active.as_deref())));
        let mut chosen = read.await.ok_or_else(unread)?.map_err(prompt_error)?;
        chosen.settings.headless |= is_headless(turn);
        Ok(Arc::new(chosen))
    }

    /// Keeps with the session what was read and could be rendered, unless something is kept; a
    /// supervisor without a file of its own looks again next time.
    pub(super) fn keep(&self, turn: &Turn, chosen: &Chosen) {
        let looks_again = self.reader == Reader::Supervisor && chosen.file.is_none();
        if looks_again || self.known(turn).is_some() {
            return;
        }
        if let Ok(value) = serde_json::to_value(chosen) {
            turn.journal.remember(self.key.clone(), value);
        }
    }

    /// Returns the prompt with what was read.
    pub(super) fn apply(&self, prompt: &SystemPrompt, chosen: &Chosen) -> SystemPrompt {
        match (&self.reader, &chosen.file) {
            (Reader::Agent(_), file) => prompt.clone().configured(file.as_ref(), &chosen.settings),
            (Reader::Supervisor, Some(file)) => SystemPrompt::supervisor(Some(file)),
            (Reader::Supervisor, None) => prompt.clone(),
        }
    }
}

/// Returns the metadata key for an agent, with its role, so that sessions that share their metadata
/// do not share prompts.
pub(super) fn key_of_agent(key: &str, options: &PromptFileOptions) -> Arc<str> {
    match options.role_name() {
        None => key.into(),
        Some(role) => format!("{key}.{ROLE}.{role}").into(),
    }
}

/// Returns the metadata key for a supervisor.
pub(super) fn key_of_supervisor(key: &str) -> Arc<str> {
    format!("{key}.{SUPERVISOR}").into()
}

fn read(
    options: PromptFileOptions,
    reader: Reader,
    kept: Option<&Path>,
    active: Option<&Path>,
) -> Result<Chosen, PromptError> {
    let project = active.map(|active| workspace_root(kept, active));
    let options = options.or_home(env::home_dir().as_deref()).or_project(project);
    match reader {
        Reader::Agent(settings) => Ok(Chosen {
            file: resolve_prompt_file(&options)?,
            settings: configured_settings(&options, settings)?,
        }),
        Reader::Supervisor => Ok(Chosen {
            file: resolve_supervisor_file(&options)?,
            settings: PromptSettings::default(),
        }),
    }
}

fn unread() -> Error {
    let message = "reading the prompt file panicked, as standard error says: try again, or leave `prompt_files` out";
    Error::new(brute_core::ErrorKind::Prompt, message)
}
