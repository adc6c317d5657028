//! The system prompt: a stack of modules, rendered for a context.

use std::{fmt, path::Path, sync::Arc};

use crate::{
    Families, Family, Module, PromptContext, PromptDraft, PromptError, Rendered, Section, Texts,
    edit::{Condition, Edit, Entry},
    gather,
    plan::{Base, Plan},
    render::Render,
};

/// Where the reminders of a prompt stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReminderPlacement {
    /// At the end of the system message.
    #[default]
    System,
    /// Not in the system message; another layer puts [`SystemPrompt::reminders`] at the end of a
    /// call, where they leave the cached prefix alone.
    Tail,
}

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
pub struct SystemPrompt(Arc<Plan>);

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
        self.plan().placement = placement;
        self
    }

    /// Renders the prompt for a context.
    ///
    /// # Errors
    ///
    /// Fails where a module is not known, where a module of the host fails, and where a template
    /// fails. The error names section, file and line, and the names that are known.
    pub fn prepare(&self, ctx: &PromptContext) -> Result<Rendered, PromptError> {
        let family = self.family(ctx);
        let mut entries = self.0.entries(ctx, &family)?;
        if self.0.placement == ReminderPlacement::Tail {
            entries.retain(|entry| !entry.is_reminder());
        }
        let sections = Render::new(&self.0.texts, ctx, &family).sections(&entries)?;
        Ok(Rendered::new(ctx.provider.clone(), ctx.model.clone(), family, sections))
    }

    /// Renders the reminders that hold for a context, wherever they are placed.
    ///
    /// # Errors
    ///
    /// Fails as [`prepare`](Self::prepare) does.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{PromptContext, SystemPrompt};
    ///
    /// let ctx = PromptContext { agent: Some("plan".into()), ..PromptContext::default() };
    /// let reminders = SystemPrompt::default().reminders(&ctx)?;
    /// assert_eq!(&*reminders[0].name, "plan_reminder");
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn reminders(&self, ctx: &PromptContext) -> Result<Vec<Section>, PromptError> {
        let family = self.family(ctx);
        let mut entries = self.0.entries(ctx, &family)?;
        entries.retain(Entry::is_reminder);
        Render::new(&self.0.texts, ctx, &family).sections(&entries)
    }

    /// Renders the prompt of a named agent, such as `explore`, or returns nothing where there is
    /// no agent of this name.
    ///
    /// # Errors
    ///
    /// Fails where the template fails.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{PromptContext, SystemPrompt};
    ///
    /// let ctx = PromptContext::default();
    /// assert!(SystemPrompt::default().agent_prompt("nobody", &ctx)?.is_none());
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn agent_prompt(
        &self,
        name: &str,
        ctx: &PromptContext,
    ) -> Result<Option<String>, PromptError> {
        let module = format!("agent_{name}");
        if !self.0.texts.contains(&module) {
            return Ok(None);
        }
        let words = Render::new(&self.0.texts, ctx, &self.family(ctx)).words(&module)?;
        Ok(words.map(|words| words.text.to_string()))
    }

    /// Returns the family for which a context is rendered: its own, else the inferred one.
    pub fn family(&self, ctx: &PromptContext) -> Family {
        let inferred = || self.0.families.infer(&ctx.provider, &ctx.model);
        ctx.family.clone().unwrap_or_else(inferred)
    }

    /// Checks the names of modules for every family, without rendering anything.
    ///
    /// What a closure of [`build`](Self::build) will say is not known before it runs.
    ///
    /// # Errors
    ///
    /// Fails with the names that are known.
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
