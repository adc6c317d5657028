//! The system prompt: a stack of modules, rendered for a context.

use std::{fmt, path::Path, sync::Arc};

use crate::{
    Contribution, EnvironmentStyle, Families, Family, InstructionPlacement, Module, Profile,
    PromptContext, PromptDraft, PromptError, ReminderPlacement, Section, Texts,
    edit::Edit,
    entry::Condition,
    gather,
    plan::{Base, Plan},
};

/// A system prompt that is rendered for each context anew.
///
/// Nothing is rendered before [`prepare`](Self::prepare); an unknown name of a module is an error
/// from there, or from [`check`](Self::check). A clone costs one reference count.
///
/// What can be changed, from weakest to strongest: words ([`overlay`](Self::overlay)), one module
/// ([`replace`](Self::replace)), the list ([`before`](Self::before), [`after`](Self::after),
/// [`without`](Self::without), [`when`](Self::when), [`append`](Self::append)), everything
/// ([`new`](Self::new), [`build`](Self::build)).
///
/// # Example
///
/// ```
/// use brute_prompts::{Module, PromptContext, SystemPrompt};
///
/// let prompt = SystemPrompt::default()
///     .replace("identity", Module::text("identity", "You are Rex, a code reviewer."))
///     .without("task_management")
///     .append("git_status");
/// let rendered = prompt.prepare(&PromptContext::new("anthropic", "claude-sonnet"))?;
/// assert!(rendered.to_string().starts_with("You are Rex"));
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Default)]
pub struct SystemPrompt(pub(crate) Arc<Plan>);

impl SystemPrompt {
    /// Returns a prompt of these modules, for every family.
    pub fn new<M: Into<Module>>(modules: impl IntoIterator<Item = M>) -> Self {
        Self::on(Base::Modules(modules.into_iter().map(Into::into).collect()))
    }

    /// Returns a prompt that the closure puts together, at every [`prepare`](Self::prepare).
    ///
    /// A change of such a prompt that names a module which the closure did not add does nothing.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{PromptContext, SystemPrompt};
    ///
    /// let prompt = SystemPrompt::build(|prompt, ctx| {
    ///     prompt.text("You review pull requests.");
    ///     prompt.module("git_safety");
    ///     if let Some(cwd) = &ctx.cwd {
    ///         prompt.text(format!("The repository is {cwd}."));
    ///     }
    ///     Ok(())
    /// });
    /// let ctx = PromptContext { cwd: Some("/srv/app".into()), ..PromptContext::default() };
    /// assert!(prompt.prepare(&ctx)?.to_string().ends_with("The repository is /srv/app."));
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn build<F>(build: F) -> Self
    where
        F: Fn(&mut PromptDraft, &PromptContext) -> Result<(), PromptError> + Send + Sync + 'static,
    {
        Self::on(Base::Built(Arc::new(build)))
    }

    /// Returns a prompt with the stacks of this profile.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{Profile, PromptContext, SystemPrompt};
    ///
    /// let rendered = SystemPrompt::profile(Profile::Builder).prepare(&PromptContext::default())?;
    /// assert!(rendered.get("workflow").is_some());
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn profile(profile: Profile) -> Self {
        Self::on(Base::Stacks(profile))
    }

    fn on(base: Base) -> Self {
        Self(Arc::new(Plan { base, ..Plan::default() }))
    }

    /// Gives a family a stack of its own.
    #[must_use]
    pub fn stack<M>(mut self, family: &Family, modules: impl IntoIterator<Item = M>) -> Self
    where
        M: Into<Module>,
    {
        let modules = modules.into_iter().map(Into::into).collect();
        self.plan().stacks.insert(family.clone(), modules);
        self
    }

    /// Decides by these rules which family a provider and a model belong to.
    #[must_use]
    pub fn families(mut self, families: Families) -> Self {
        self.plan().families = families;
        self
    }

    /// Puts a module in the place of the one of this name; the name stays.
    #[must_use]
    pub fn replace(self, name: &str, module: impl Into<Module>) -> Self {
        self.edit(Edit::Replace(name.into(), module.into()))
    }

    /// Puts a module in front of the one of this name; at the end of a stack that lacks that one.
    #[must_use]
    pub fn before(self, name: &str, module: impl Into<Module>) -> Self {
        self.edit(Edit::Before(name.into(), module.into()))
    }

    /// Puts a module behind the one of this name; at the end of a stack that lacks that one.
    #[must_use]
    pub fn after(self, name: &str, module: impl Into<Module>) -> Self {
        self.edit(Edit::After(name.into(), module.into()))
    }

    /// Leaves out the module of this name.
    #[must_use]
    pub fn without(self, name: &str) -> Self {
        self.edit(Edit::Without(name.into()))
    }

    /// Lets the module of this name speak only where the condition holds.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{PromptContext, SystemPrompt};
    ///
    /// let prompt = SystemPrompt::default().when("git_safety", |ctx| ctx.is_git == Some(true));
    /// let rendered = prompt.prepare(&PromptContext::default())?;
    /// assert!(rendered.get("git_safety").is_none());
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    #[must_use]
    pub fn when<C>(self, name: &str, condition: C) -> Self
    where
        C: Fn(&PromptContext) -> bool + Send + Sync + 'static,
    {
        self.edit(Edit::When(name.into(), Condition::new(condition)))
    }

    /// Puts a module at the end, in front of the reminders.
    #[must_use]
    pub fn append(self, module: impl Into<Module>) -> Self {
        self.edit(Edit::Append(module.into()))
    }

    /// Reads a folder of words and lays it over the words so far.
    ///
    /// The folder holds `<module>/<family>.txt` and `<module>/default.txt`. A module that has a
    /// folder there loses all the words it had before. The folder is read once, here.
    ///
    /// # Errors
    ///
    /// Fails where the folder or a file cannot be read, where a file is not UTF-8, and where one
    /// is not a valid template. The error names the file.
    pub fn overlay(self, folder: impl AsRef<Path>) -> Result<Self, PromptError> {
        let texts = gather::overlay(&self.0.texts, folder.as_ref())?;
        Ok(self.texts(texts))
    }

    /// Takes all words from these texts.
    #[must_use]
    pub fn texts(mut self, texts: Texts) -> Self {
        self.plan().texts = texts;
        self
    }

    /// Decides where the reminders stand.
    #[must_use]
    pub fn reminder_placement(mut self, placement: ReminderPlacement) -> Self {
        self.plan().reminders = placement;
        self
    }

    /// Decides where the instruction files stand.
    ///
    /// [`Developer`](InstructionPlacement::Developer) is the same as
    /// `as_messages(["instructions"])`.
    #[must_use]
    pub fn instruction_placement(mut self, placement: InstructionPlacement) -> Self {
        self.plan().beside.instructions = placement;
        self
    }

    /// Lets these sections be developer messages beside the system message, in the order that
    /// [`messages`](Self::messages) tells.
    ///
    /// `instructions` stands for the instruction files, each a message; the rules that the host
    /// gave in code stay in the system message. Reminders stay where they are
    /// [placed](Self::reminder_placement). A further call adds to those before.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{PromptContext, SystemPrompt};
    ///
    /// let ctx = PromptContext { cwd: Some("/srv/app".into()), ..PromptContext::default() };
    /// let prompt = SystemPrompt::default().as_messages(["environment", "skills"]);
    /// assert!(prompt.prepare(&ctx)?.get("environment").is_none());
    /// assert!(prompt.messages(&ctx)?[0].section.text.contains("/srv/app"));
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    #[must_use]
    pub fn as_messages<N: AsRef<str>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        for name in names {
            self.plan().beside.add(name.as_ref());
        }
        self
    }

    /// Says what the environment is in this style.
    #[must_use]
    pub fn environment(self, style: EnvironmentStyle) -> Self {
        self.replace("environment", style.module())
    }

    /// Keeps the module of this name in a [minimal](crate::PromptMode::Minimal) prompt.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{PromptContext, PromptMode, SystemPrompt};
    ///
    /// let prompt = SystemPrompt::default().keep_in_minimal("instructions");
    /// let ctx = PromptContext {
    ///     prompt_mode: PromptMode::Minimal,
    ///     custom_rules: Some("Use tabs.".into()),
    ///     ..PromptContext::default()
    /// };
    /// assert!(prompt.prepare(&ctx)?.get("instructions").is_some());
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    #[must_use]
    pub fn keep_in_minimal(self, name: &str) -> Self {
        self.edit(Edit::Keep(name.into()))
    }

    /// Lets a provider or a model add to the prompt; of two that replace one section, the later
    /// one counts.
    #[must_use]
    pub fn contribution(mut self, contribution: impl Contribution) -> Self {
        self.plan().contributions.push(contribution);
        self
    }

    /// Calls the closure before a prompt is put together; it may change what the prompt knows.
    #[must_use]
    pub fn on_context<H>(mut self, hook: H) -> Self
    where
        H: Fn(&mut PromptContext) + Send + Sync + 'static,
    {
        self.plan().hooks.on_context(hook);
        self
    }

    /// Calls the closure when all sections are rendered; it may change, drop or add some.
    ///
    /// Those that are [messages](Self::as_messages) are among them, at each render.
    #[must_use]
    pub fn on_sections<H>(mut self, hook: H) -> Self
    where
        H: Fn(&mut Vec<Section>, &PromptContext) + Send + Sync + 'static,
    {
        self.plan().hooks.on_sections(hook);
        self
    }

    /// Returns the family for which a context is rendered: its own, else the inferred one.
    pub fn family(&self, ctx: &PromptContext) -> Family {
        let inferred = || self.0.families.infer(&ctx.provider, &ctx.model);
        ctx.family.clone().unwrap_or_else(inferred)
    }

    /// Checks the names of modules for every family, without rendering anything.
    ///
    /// Words that an [overlay](Self::overlay) brought are checked too: a folder whose name is
    /// mistyped does nothing. It may have the name of a module that ships or that the prompt
    /// names, begin with `agent_`, or be included by another text. What a closure of
    /// [`build`](Self::build), or a contribution that is silent without a model, will say is not
    /// known before it runs.
    ///
    /// # Errors
    ///
    /// Fails with the names that are known.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{SystemPrompt, Texts};
    ///
    /// let texts = Texts::shipped().with([("identiy/default.txt", "You are Rex.")])?;
    /// let error = SystemPrompt::default().texts(texts).check().unwrap_err();
    /// assert!(error.to_string().contains("`identiy`"));
    /// assert!(error.known().iter().any(|name| name == "identity"));
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn check(&self) -> Result<(), PromptError> {
        self.0.check()
    }

    fn plan(&mut self) -> &mut Plan {
        Arc::make_mut(&mut self.0)
    }

    fn edit(mut self, edit: Edit) -> Self {
        self.plan().edits.push(edit);
        self
    }
}

impl fmt::Debug for SystemPrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SystemPrompt").field(&self.0).finish()
    }
}
