//! Every fact that a prompt may read.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Family, HostFacts, InstructionFile, PromptError, PromptErrorKind, PromptMode, ToolNames,
    WorkspaceFiles, fields::FIELDS,
};

/// A skill as the prompt lists it: never its body.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillEntry {
    /// The name by which it is loaded.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// The path of its file.
    pub location: String,
}

/// What a git repository looked like when it was asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GitFacts {
    /// The branch; nothing while the head is detached.
    pub branch: Option<String>,
    /// The short id of the commit that is checked out; nothing before the first commit.
    pub head: Option<String>,
    /// The first lines of the short status.
    pub status_lines: Vec<String>,
    /// How many lines of the status were left out.
    pub status_omitted: usize,
    /// The newest commits, one line each.
    pub recent_commits: Vec<String>,
}

/// Holds every fact that a module or a template may read.
///
/// All fields are public and have a default, which means "not known". A clone costs a few
/// reference counts, unless `extra` is filled. Texts see the fields under their names; what is
/// not known is `none` there, and the entries of `extra` stand beside them.
///
/// # Example
///
/// ```
/// use brute_prompts::{PromptContext, SystemPrompt};
///
/// let ctx = PromptContext {
///     custom_rules: Some("Run the linter before you finish.".into()),
///     ..PromptContext::new("anthropic", "claude-sonnet")
/// };
/// let rendered = SystemPrompt::default().prepare(&ctx)?;
/// assert!(rendered.text().contains("Run the linter before you finish."));
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PromptContext {
    /// The name of the provider, as the host calls it.
    pub provider: Arc<str>,
    /// The name of the model, as the provider calls it.
    pub model: Arc<str>,
    /// The family; inferred from provider and model where it is not set.
    pub family: Option<Family>,
    /// How much of the prompt is wanted.
    pub prompt_mode: PromptMode,
    /// Which tools are on offer, and under which names.
    pub tools: ToolNames,
    /// The working directory.
    pub cwd: Option<Arc<str>>,
    /// The operating system, such as `linux`.
    pub platform: Option<Arc<str>>,
    /// The version of the operating system.
    pub os_version: Option<Arc<str>>,
    /// The processor, such as `x86_64`.
    pub arch: Option<Arc<str>>,
    /// The name of the user's shell, such as `zsh`.
    pub shell: Option<Arc<str>>,
    /// Today's date, such as `Thu Mar 05 2026`; never the time.
    pub date: Option<Arc<str>>,
    /// The name of the time zone.
    pub timezone: Option<Arc<str>>,
    /// How far the time zone is from UTC, such as `+01:00`.
    pub utc_offset: Option<Arc<str>>,
    /// Up to when the model knows the world.
    pub knowledge_cutoff: Option<Arc<str>>,
    /// Whether the working directory lies in a git repository.
    pub is_git: Option<bool>,
    /// The state of the repository, for the `git_status` section.
    pub git: Option<Arc<GitFacts>>,
    /// The skills to list; an empty list means that there are none.
    pub skills: Option<Arc<[SkillEntry]>>,
    /// How many skills the list leaves out for lack of room.
    pub skills_omitted: usize,
    /// The name on offer of the tool that loads a skill.
    pub skill_tool: Option<Arc<str>>,
    /// The instruction files of the project and of the user, in order.
    pub instructions: Option<Arc<[InstructionFile]>>,
    /// The files of the agent's workspace.
    pub workspace_files: Option<Arc<WorkspaceFiles>>,
    /// The project's own rules, word for word.
    pub custom_rules: Option<Arc<str>>,
    /// The agent or mode that is active, such as `plan`.
    pub agent: Option<Arc<str>>,
    /// The agent or mode that became active just now, such as `build`.
    pub agent_switched: Option<Arc<str>>,
    /// Whether this is the last call before the limit of steps.
    pub max_steps_reached: bool,
    /// What only the host knows, for the sections that belong to it.
    pub host: Option<Arc<HostFacts>>,
    /// Facts of the host, which texts see beside the others.
    #[serde(flatten)]
    pub extra: BTreeMap<String, Value>,
}

impl PromptContext {
    /// Returns a context that knows only provider and model.
    pub fn new(provider: impl Into<Arc<str>>, model: impl Into<Arc<str>>) -> Self {
        Self { provider: provider.into(), model: model.into(), ..Self::default() }
    }

    /// Sets a fact under the name that texts know it by; one that is no field goes to `extra`.
    ///
    /// # Errors
    ///
    /// Fails with [`PromptErrorKind::InvalidFact`] where the value is not of the field's shape; the
    /// context stays as it was.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{PromptContext, PromptMode};
    ///
    /// let mut ctx = PromptContext::default();
    /// ctx.set("prompt_mode", "minimal".into())?;
    /// ctx.set("ticket", 42.into())?;
    /// assert_eq!((ctx.prompt_mode, &ctx.extra["ticket"]), (PromptMode::Minimal, &42.into()));
    /// assert!(ctx.set("prompt_mode", "tiny".into()).is_err());
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), PromptError> {
        if name == "tools" {
            self.tools = serde_json::from_value(value).map_err(|error| invalid(name, error))?;
            return Ok(());
        }
        if let Some(field) = FIELDS.iter().find(|field| field.name == name) {
            return (field.read)(self, value).map_err(|error| invalid(name, error));
        }
        self.extra.insert(name.to_owned(), value);
        Ok(())
    }
}

fn invalid(name: &str, error: serde_json::Error) -> PromptError {
    let message = format!("the fact {name:?} is not of the shape that it must have: {error}");
    PromptError::new(PromptErrorKind::InvalidFact, message).caused_by(error)
}
