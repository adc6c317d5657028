//! What a prompt is told beside what the turn itself says.

use std::{path::PathBuf, sync::Arc};

use brute_core::{Error, Turn};
use brute_prompts::{
    GitFacts, PromptContext,
    gather::{GatherOptions, GitLimits, GitProgram, SessionFacts, git_facts},
};

use super::{
    SystemPromptLayer,
    files::{Chosen, PromptFiles},
};
use crate::session_facts::{blocking, gather_facts, known_facts};

/// The facts of the session, and those that may change with each turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    without_skills: bool,
    session: Arc<SessionFacts>,
    git: Option<Arc<GitFacts>>,
    pub(super) chosen: Option<Arc<Chosen>>,
}

impl Facts {
    pub(super) fn apply(&self, ctx: &mut PromptContext) {
        let given = ctx.skills.clone();
        self.session.apply(ctx);
        if self.without_skills {
            ctx.skills = given;
        }
        ctx.git = ctx.git.take().or_else(|| self.git.clone());
    }
}

impl SystemPromptLayer {
    /// Returns the facts, unless something has to be gathered first.
    pub(super) fn known_facts(&self, turn: &Turn) -> Option<Facts> {
        if self.git_status {
            return None;
        }
        let session = match self.gather {
            Some(_) => known_facts(turn)?,
            None => Arc::default(),
        };
        let chosen = match self.files_to_read(turn) {
            Some(files) => Some(files.known(turn)?),
            None => None,
        };
        Some(Facts { without_skills: self.wants_no_skills(), session, git: None, chosen })
    }

    /// Gathers what is not known yet.
    pub(super) async fn gather_facts(&self, turn: &Turn) -> Result<Facts, Error> {
        let session = match (&self.gather, known_facts(turn)) {
            (None, _) => Arc::default(),
            (Some(_), Some(known)) => known,
            (Some(options), None) => gather_facts(options.clone(), turn).await,
        };
        let git = if self.git_status { ask_git(turn).await } else { None };
        let (without_skills, chosen) = (self.wants_no_skills(), self.choose(turn).await?);
        Ok(Facts { without_skills, session, git, chosen })
    }

    /// Tells whether the options look for no skills, so that those of an earlier turn do not count.
    fn wants_no_skills(&self) -> bool {
        self.gather.as_ref().is_some_and(|options| !options.looks_for_skills())
    }

    /// Returns where a prompt file is looked for; a prompt that was kept needs none any more.
    fn files_to_read(&self, turn: &Turn) -> Option<&PromptFiles> {
        self.files.as_ref().filter(|_| !self.policy.has_snapshot(turn, &self.key))
    }

    async fn choose(&self, turn: &Turn) -> Result<Option<Arc<Chosen>>, Error> {
        let Some(files) = self.files_to_read(turn) else { return Ok(None) };
        if let Some(known) = files.known(turn) {
            return Ok(Some(known));
        }
        let home = self.gather.as_ref().and_then(GatherOptions::home_folder);
        files.read(turn, home).await.map(Some)
    }
}

async fn ask_git(turn: &Turn) -> Option<Arc<GitFacts>> {
    let cwd = turn.facts.cwd().map(PathBuf::from).or_else(|| std::env::current_dir().ok())?;
    let ask = move || git_facts(&GitProgram::default(), &cwd, &GitLimits::default());
    blocking(ask).await.map(Arc::new)
}
