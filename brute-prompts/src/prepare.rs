//! Renders a system prompt for a context.

use std::{borrow::Cow, sync::Arc};

use crate::{
    Family, InstructionFile, InstructionPlacement, PromptContext, PromptError, ReminderPlacement,
    Rendered, Section, SystemPrompt, doubles::without_doubles, entry::Entry, render::Render,
};

/// The module that tells the files of a workspace.
const FILES: &str = "workspace_files";

impl SystemPrompt {
    /// Renders the prompt for a context.
    ///
    /// # Errors
    ///
    /// Fails where a module is not known, where a module of the host fails, and where a template
    /// fails. The error names section, file and line, and the names that are known.
    pub fn prepare(&self, ctx: &PromptContext) -> Result<Rendered, PromptError> {
        self.rendered(ctx, |name| !self.0.beside.takes(name))
    }

    /// Renders the prompt with the sections that stand beside the system message.
    pub(crate) fn prepare_whole(&self, ctx: &PromptContext) -> Result<Rendered, PromptError> {
        self.rendered(ctx, |_| true)
    }

    fn rendered(
        &self,
        ctx: &PromptContext,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Rendered, PromptError> {
        let ctx = self.0.hooks.context(ctx);
        let family = self.family(&ctx);
        let mut sections = self.sections(&ctx, &family)?;
        sections.retain(|section| is_wanted(&section.name));
        Ok(Rendered::new(ctx.provider.clone(), ctx.model.clone(), family, sections))
    }

    /// Renders every section, wherever it stands; only instruction files are left out that stand
    /// beside the system message.
    pub(crate) fn sections(
        &self,
        ctx: &PromptContext,
        family: &Family,
    ) -> Result<Vec<Section>, PromptError> {
        let mut ctx = Cow::Borrowed(ctx);
        let is_beside = self.0.beside.instructions != InstructionPlacement::System;
        if is_beside && ctx.instructions.is_some() {
            ctx.to_mut().instructions = None;
        }
        let mut entries = self.0.entries(&ctx, family)?;
        if let Some(instructions) = untold_instructions(&ctx, &entries) {
            ctx.to_mut().instructions = Some(instructions);
        }
        if self.0.reminders == ReminderPlacement::Tail {
            entries.retain(|entry| !entry.is_reminder());
        }
        let mut sections = Render::new(&self.0.texts, &ctx, family).sections(&entries)?;
        self.0.hooks.sections(&mut sections, &ctx);
        Ok(sections)
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

/// Returns the instruction files that are still to be told, where the files of the workspace stand
/// in the prompt and tell some of them.
pub(crate) fn untold_instructions(
    ctx: &PromptContext,
    entries: &[Entry],
) -> Option<Arc<[InstructionFile]>> {
    let stands = entries.iter().any(|entry| entry.module.name() == FILES && entry.holds(ctx));
    if stands { without_doubles(ctx) } else { None }
}
