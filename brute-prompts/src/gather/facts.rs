//! Facts that hold for a whole session.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{
    InstructionFile, PromptContext, WorkspaceFiles,
    skill::{Skill, listed},
};

/// Facts that hold for a whole session, as plain data that can be kept with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionFacts {
    /// The working directory, absolute.
    pub cwd: Option<Arc<str>>,
    /// The operating system.
    pub platform: Option<Arc<str>>,
    /// The version of the operating system.
    pub os_version: Option<Arc<str>>,
    /// The processor.
    pub arch: Option<Arc<str>>,
    /// The name of the user's shell.
    pub shell: Option<Arc<str>>,
    /// The day, such as `Thu Mar 05 2026`.
    pub date: Option<Arc<str>>,
    /// The time zone of the day.
    pub timezone: Option<Arc<str>>,
    /// How far the time zone is from UTC on that day.
    pub utc_offset: Option<Arc<str>>,
    /// Whether the working directory lies in a git repository.
    pub is_git: Option<bool>,
    /// The skills that were found; nothing where none were looked for.
    pub skills: Option<Vec<Skill>>,
    /// The instruction files; nothing where none were looked for.
    pub instructions: Option<Arc<[InstructionFile]>>,
    /// The files of the agent's workspace; nothing where none were looked for.
    pub workspace_files: Option<Arc<WorkspaceFiles>>,
}

impl SessionFacts {
    /// Fills the fields of the context that are not set; what the host has set stays.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{PromptContext, gather::SessionFacts};
    ///
    /// let facts = SessionFacts {
    ///     cwd: Some("/srv/app".into()),
    ///     platform: Some("linux".into()),
    ///     ..SessionFacts::default()
    /// };
    /// let mut ctx = PromptContext { cwd: Some("/elsewhere".into()), ..PromptContext::default() };
    /// facts.apply(&mut ctx);
    /// assert_eq!((ctx.cwd.as_deref(), ctx.platform.as_deref()), (Some("/elsewhere"), Some("linux")));
    /// ```
    pub fn apply(&self, ctx: &mut PromptContext) {
        fill(&mut ctx.cwd, self.cwd.as_ref());
        fill(&mut ctx.platform, self.platform.as_ref());
        fill(&mut ctx.os_version, self.os_version.as_ref());
        fill(&mut ctx.arch, self.arch.as_ref());
        fill(&mut ctx.shell, self.shell.as_ref());
        fill(&mut ctx.date, self.date.as_ref());
        fill(&mut ctx.timezone, self.timezone.as_ref());
        fill(&mut ctx.utc_offset, self.utc_offset.as_ref());
        ctx.is_git = ctx.is_git.or(self.is_git);
        if ctx.instructions.is_none() {
            ctx.instructions.clone_from(&self.instructions);
        }
        if ctx.workspace_files.is_none() {
            ctx.workspace_files.clone_from(&self.workspace_files);
        }
        if ctx.skills.is_none() {
            ctx.skills = self.skills.as_ref().map(|skills| listed(skills).into());
        }
    }
}

fn fill(fact: &mut Option<Arc<str>>, gathered: Option<&Arc<str>>) {
    if fact.is_none() {
        *fact = gathered.cloned();
    }
}
