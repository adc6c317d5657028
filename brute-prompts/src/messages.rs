//! Renders what stands beside the system message.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    ContextMessage, ContextRole, InstructionFile, InstructionPlacement, InstructionScope,
    PromptContext, PromptError, PromptMode, Section, SystemPrompt,
    beside::rank,
    entry::{Entry, position},
    prepare::untold_instructions,
    render::Render,
};

impl SystemPrompt {
    /// Renders what stands outside the system message, once in a session and again after its
    /// record was shortened: the sections that are [messages](Self::as_messages), and the
    /// instruction files where they are [placed](Self::instruction_placement) so.
    ///
    /// The environment stands first, then the skills, other sections in the order of the stack,
    /// and the instruction files, those of the user in front of those of the project.
    ///
    /// # Errors
    ///
    /// Fails as [`prepare`](Self::prepare) does.
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
        let mut messages = self.section_messages(&ctx)?;
        messages.extend(self.instruction_messages(&ctx)?);
        Ok(messages)
    }

    fn section_messages(&self, ctx: &PromptContext) -> Result<Vec<ContextMessage>, PromptError> {
        if self.0.beside.sections().next().is_none() {
            return Ok(Vec::new());
        }
        let mut sections = self.sections(ctx, &self.family(ctx))?;
        sections.retain(|section| self.0.beside.takes(&section.name));
        sections.sort_by_key(|section| rank(&section.name));
        let message = |section| ContextMessage { role: ContextRole::Developer, section };
        Ok(sections.into_iter().map(message).collect())
    }

    fn instruction_messages(
        &self,
        ctx: &PromptContext,
    ) -> Result<Vec<ContextMessage>, PromptError> {
        if self.0.beside.instructions == InstructionPlacement::System {
            return Ok(Vec::new());
        }
        let entries = self.0.entries(ctx, &self.family(ctx))?;
        if !wants_instructions(ctx.prompt_mode, &entries) {
            return Ok(Vec::new());
        }
        let untold = untold_instructions(ctx, &entries);
        let files = untold.as_deref().or(ctx.instructions.as_deref()).unwrap_or_default();
        let (role, size) = match self.0.beside.instructions {
            InstructionPlacement::Preamble => (ContextRole::User, files.len().max(1)),
            _ => (ContextRole::Developer, 1),
        };
        let mut files = files.to_vec();
        files.sort_by_key(|file| file.scope != InstructionScope::Global);
        let message = |files| self.instruction_message(ctx, role, files).transpose();
        files.chunks(size).filter_map(message).collect()
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

    /// Renders the words of a module that stand in a message of their own, for facts that come
    /// only once.
    pub(crate) fn message(
        &self,
        module: &str,
        ctx: &PromptContext,
        facts: BTreeMap<String, Value>,
    ) -> Result<Option<Section>, PromptError> {
        let mut ctx = self.0.hooks.context(ctx).into_owned();
        ctx.extra.extend(facts);
        Render::new(&self.0.texts, &ctx, &self.family(&ctx)).once(module)
    }
}

fn wants_instructions(mode: PromptMode, entries: &[Entry]) -> bool {
    match mode {
        PromptMode::Full => true,
        PromptMode::None => false,
        PromptMode::Minimal => position(entries, "instructions").is_some(),
    }
}
