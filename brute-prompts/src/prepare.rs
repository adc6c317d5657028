//! Renders a system prompt for a context.

use crate::{
    ContextMessage, ContextRole, InstructionFile, InstructionPlacement, PromptContext, PromptError,
    PromptMode, ReminderPlacement, Rendered, Section, SystemPrompt,
    entry::{Entry, position},
    render::Render,
};

impl SystemPrompt {
    /// Renders the prompt for a context.
    ///
    /// # Errors
    ///
    /// Fails where a module is not known, where a module of the host fails, and where a template
    /// fails. The error names section, file and line, and the names that are known.
    pub fn prepare(&self, ctx: &PromptContext) -> Result<Rendered, PromptError> {
        let mut ctx = self.0.hooks.context(ctx);
        if self.0.instructions != InstructionPlacement::System && ctx.instructions.is_some() {
            ctx.to_mut().instructions = None;
        }
        let family = self.family(&ctx);
        let mut entries = self.0.entries(&ctx, &family)?;
        if self.0.reminders == ReminderPlacement::Tail {
            entries.retain(|entry| !entry.is_reminder());
        }
        let mut sections = Render::new(&self.0.texts, &ctx, &family).sections(&entries)?;
        self.0.hooks.sections(&mut sections, &ctx);
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
        let ctx = self.0.hooks.context(ctx);
        let family = self.family(&ctx);
        let mut entries = self.0.entries(&ctx, &family)?;
        entries.retain(Entry::is_reminder);
        Render::new(&self.0.texts, &ctx, &family).sections(&entries)
    }

    /// Renders what stands outside the system message, once in a session and again after its
    /// record was shortened: the instruction files, where they are
    /// [placed](Self::instruction_placement) so.
    ///
    /// # Errors
    ///
    /// Fails where a template fails.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{InstructionFile, InstructionPlacement, PromptContext, SystemPrompt};
    ///
    /// let file = InstructionFile {
    ///     path: "/srv/app/AGENTS.md".into(),
    ///     text: "Use tabs.".into(),
    ///     ..InstructionFile::default()
    /// };
    /// let ctx = PromptContext { instructions: Some([file].into()), ..PromptContext::default() };
    /// let prompt = SystemPrompt::default().instruction_placement(InstructionPlacement::Developer);
    /// assert!(prompt.prepare(&ctx)?.get("instructions").is_none());
    /// assert!(prompt.messages(&ctx)?[0].section.text.contains("Use tabs."));
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn messages(&self, ctx: &PromptContext) -> Result<Vec<ContextMessage>, PromptError> {
        let ctx = self.0.hooks.context(ctx);
        let files = ctx.instructions.as_deref().unwrap_or_default();
        let (role, size) = match self.0.instructions {
            InstructionPlacement::System => return Ok(Vec::new()),
            InstructionPlacement::Developer => (ContextRole::Developer, 1),
            InstructionPlacement::Preamble => (ContextRole::User, files.len().max(1)),
        };
        if !self.wants_instructions(&ctx)? {
            return Ok(Vec::new());
        }
        let message = |files| self.instruction_message(&ctx, role, files).transpose();
        files.chunks(size).filter_map(message).collect()
    }

    fn wants_instructions(&self, ctx: &PromptContext) -> Result<bool, PromptError> {
        Ok(match ctx.prompt_mode {
            PromptMode::Full => true,
            PromptMode::None => false,
            PromptMode::Minimal => {
                let entries = self.0.entries(ctx, &self.family(ctx))?;
                position(&entries, "instructions").is_some()
            }
        })
    }

    fn instruction_message(
        &self,
        ctx: &PromptContext,
        role: ContextRole,
        files: &[InstructionFile],
    ) -> Result<Option<ContextMessage>, PromptError> {
        let own = PromptContext { instructions: Some(files.into()), ..ctx.clone() };
        let family = self.family(ctx);
        let render = Render::new(&self.0.texts, &own, &family);
        let Some(words) = render.words("instruction_message")? else {
            return Ok(None);
        };
        let source = if let [file] = files { file.path.clone() } else { words.source };
        let (name, zone, text) = ("instructions".into(), words.zone, words.text);
        Ok(Some(ContextMessage { role, section: Section { name, zone, source, text } }))
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
}
