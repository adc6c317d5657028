//! A prompt that a user keeps in a file, in the place of the words that ship.

mod go_names;
mod settings;

use std::{path::PathBuf, sync::Arc};

use minijinja::value::Value;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

pub use self::settings::{PromptSettings, editing_tool, estimated_tool_calls};
use crate::{
    Family, PromptContext, PromptDraft, PromptError, PromptErrorKind, PromptModule,
    ReminderPlacement, Rendered, Section, SystemPrompt, Zone,
    fields::names,
    hooks::Hooks,
    plan::{Base, Plan},
    template::render_value,
    tool_lines,
    tools::BUILT_IN_TOOLS,
    variables::Variables,
};

/// The name of the section that the file becomes.
const NAME: &str = "system_prompt";

/// The name of the section with the words of a supervisor.
const SUPERVISOR: &str = "agent_supervisor";

/// By which way a prompt file was found, from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptFileLevel {
    /// It lies in the user's folder.
    Home,
    /// The configuration in the user's folder names it.
    HomeConfig,
    /// It lies in the folder of the project.
    Workspace,
    /// The configuration in the folder of the project names it.
    WorkspaceConfig,
    /// A configuration names it for this role.
    Role,
}

/// A prompt that a user keeps in a file; it is a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptFile {
    /// The file.
    pub path: PathBuf,
    /// By which way it was found.
    pub level: PromptFileLevel,
    /// What it says, without white space at its end.
    pub text: Arc<str>,
}

impl PromptFile {
    /// Returns a section that says something in the name of the file.
    fn section(&self, name: &str, text: &str) -> Section {
        let source = self.path.to_string_lossy().into();
        Section { name: name.into(), zone: Zone::Session, source, text: text.trim().into() }
    }
}

impl SystemPrompt {
    /// Returns this prompt as a user configured it.
    ///
    /// The file stands in the place of all static sections, in a section `system_prompt`; what
    /// holds for a session or a call, such as environment, skills and rules, follows it as before.
    /// A line that prints the name of a tool which is not on offer disappears. It may name the facts
    /// of the context, and besides: `default_system_prompt`, the words that
    /// it replaces, and each of these sections by its name; `editing_tool_name`;
    /// `estimated_tool_calls`; `run_command`. Names as `{{.DefaultSystemPrompt}}` work too.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{
    ///     PromptContext, PromptFile, PromptFileLevel, PromptSettings, SystemPrompt,
    /// };
    ///
    /// let file = PromptFile {
    ///     path: "SYSTEM.md".into(),
    ///     level: PromptFileLevel::Workspace,
    ///     text: "You are Rex. About {{.EstimatedToolCallsForContext}} calls fit.".into(),
    /// };
    /// let prompt = SystemPrompt::default().configured(Some(&file), &PromptSettings::default());
    /// let rendered = prompt.prepare(&PromptContext::default())?;
    /// assert_eq!(&*rendered.sections()[0].text, "You are Rex. About 185 calls fit.");
    /// assert_eq!(&*rendered.sections()[1].name, "environment");
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    #[must_use]
    pub fn configured(self, file: Option<&PromptFile>, settings: &PromptSettings) -> Self {
        match file {
            Some(file) => self.with_file(file, settings),
            None if settings.wants_preambles() => self.before("environment", "tool_preambles"),
            None => self,
        }
    }

    /// Returns the prompt of a supervisor, who reads what an agent did: the words of the file as
    /// they are, for they are no template, else the words that ship.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{PromptContext, SystemPrompt};
    ///
    /// let rendered = SystemPrompt::supervisor(None).prepare(&PromptContext::default())?;
    /// assert!(rendered.get("agent_supervisor").is_some());
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn supervisor(file: Option<&PromptFile>) -> Self {
        match file {
            Some(file) => Self::new([Said(file.section(SUPERVISOR, &file.text))]),
            None => Self::new([SUPERVISOR]),
        }
    }

    fn with_file(self, file: &PromptFile, settings: &PromptSettings) -> Self {
        let own = &*self.0;
        let built_in = Plan { hooks: Hooks::default(), ..own.clone() };
        let built_in = Self(Arc::new(built_in)).reminder_placement(ReminderPlacement::Tail);
        let outer = Plan {
            texts: own.texts.clone(),
            families: own.families.clone(),
            hooks: own.hooks.clone(),
            reminders: own.reminders,
            beside: own.beside.clone(),
            ..Plan::default()
        };
        let words = FileWords { file: file.clone(), settings: settings.clone(), built_in };
        let base = Base::Built(Arc::new(move |draft, ctx| words.build(draft, ctx)));
        Self(Arc::new(Plan { base, ..outer }))
    }
}

/// What a prompt with a file is made from.
struct FileWords {
    file: PromptFile,
    settings: PromptSettings,
    built_in: SystemPrompt,
}

impl FileWords {
    fn build(&self, draft: &mut PromptDraft, ctx: &PromptContext) -> Result<(), PromptError> {
        let (words, facts) = self.built_in.prepare_whole(ctx)?.split_at(Zone::Session);
        // What stands in a message of its own is not told here as well.
        let beside = &self.built_in.0.beside;
        let (beside, words) = words.partition(|section| beside.takes(&section.name));
        draft.module(Said(self.section(ctx, &words)?));
        if self.settings.wants_preambles() {
            draft.module("tool_preambles");
        }
        for section in beside.iter().chain(&facts) {
            draft.module(Said(section.clone()));
        }
        Ok(())
    }

    fn section(&self, ctx: &PromptContext, words: &Rendered) -> Result<Section, PromptError> {
        let text = self.render(&self.file.path.to_string_lossy(), ctx, words)?;
        Ok(self.file.section(NAME, &text))
    }

    fn render(
        &self,
        source: &str,
        ctx: &PromptContext,
        words: &Rendered,
    ) -> Result<String, PromptError> {
        let mut ctx = ctx.clone();
        ctx.extra.extend(self.settings.variables(&ctx.tools));
        ctx.extra.extend(sections(words));
        ctx.extra.insert("default_system_prompt".to_owned(), Json::from(words.text()));
        let family: Family = words.family().clone();
        let root = Value::from_dyn_object(Variables::new(&ctx, &family));
        let template = go_names::translated(&self.file.text);
        let template = tool_lines::tie(&template);
        render_value(source, &template, root).map_err(|error| explained(error, &ctx))
    }
}

/// Returns the sections under their names.
fn sections(words: &Rendered) -> impl Iterator<Item = (String, Json)> {
    words.iter().map(|section| (section.name.to_string(), Json::from(&*section.text)))
}

/// Adds the names among which the right one can be found.
fn explained(error: PromptError, ctx: &PromptContext) -> PromptError {
    let error = error.in_section(NAME);
    match (error.kind(), error.variable()) {
        (PromptErrorKind::Undefined, Some(name)) if name.starts_with("tools.") => {
            error.with_known(BUILT_IN_TOOLS)
        }
        (PromptErrorKind::Undefined, _) => {
            let own = ctx.extra.keys().map(String::as_str);
            error.with_known(names().into_iter().chain(own))
        }
        _ => error,
    }
}

/// A section that was rendered before.
struct Said(Section);

impl PromptModule for Said {
    fn render(&self, _: &PromptContext) -> Result<Option<String>, PromptError> {
        Ok(Some(self.0.text.to_string()))
    }

    fn name(&self) -> &str {
        &self.0.name
    }

    fn zone(&self) -> Zone {
        self.0.zone
    }

    fn source(&self) -> &str {
        &self.0.source
    }

    fn stands_in_minimal(&self) -> bool {
        true
    }
}
