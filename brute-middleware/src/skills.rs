//! Finds skills at a session's first turn and offers the tools that load them.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use brute_core::{Error, Reply, ReplyFuture, Tool, Turn, TurnService, take_ready};
use brute_prompts::{
    gather::{GatherOptions, SessionFacts},
    skill::Skill,
};
use futures::FutureExt;
use tower::{Layer, Service};

use crate::{
    misplaced::tell_below_loop,
    session_facts::{gather_facts, known_facts, wanted_skills},
    tools::{LoadSkill, UseSkill},
};

/// Finds skills at a session's first turn, and offers the tools that load them.
///
/// Nothing is offered where nothing was found. What was found stays for the session, until
/// [`reload_prompt_facts`](crate::reload_prompt_facts). A tool of the agent's own under the same
/// name is an error that names both: rename it, or leave this layer out. It shows when the agent is
/// built if the stack says what the layer [`offers`](brute_core::Stack::offers), as
/// [`default_stack`](crate::default_stack) does, else at the first turn that finds skills.
///
/// It belongs above `SlashCommands` and `SystemPrompt`.
#[derive(Clone, Debug)]
pub struct SkillsLayer {
    gather: Option<GatherOptions>,
    with_templates: bool,
}

impl SkillsLayer {
    /// Looks where the default options say.
    pub fn new() -> Self {
        Self { gather: Some(GatherOptions::default()), with_templates: false }
    }

    /// Gathers the facts of a session, skills among them, with these options; `None` looks nowhere.
    #[must_use]
    pub fn gather(mut self, options: impl Into<Option<GatherOptions>>) -> Self {
        self.gather = options.into();
        self
    }

    /// Offers `use_skill`, which answers the text of a skill as it is, instead of `skill`.
    #[must_use]
    pub fn with_templates(mut self) -> Self {
        self.with_templates = true;
        self
    }

    /// Returns the name of the tool that it offers where there are skills; none if it looks nowhere.
    pub fn tool_name(&self) -> Option<Arc<str>> {
        let looks = self.gather.as_ref().is_some_and(GatherOptions::looks_for_skills);
        looks.then(|| self.tool(Vec::new()).spec().name)
    }

    fn tool(&self, skills: Vec<Skill>) -> Arc<dyn Tool> {
        if self.with_templates {
            Arc::new(UseSkill::new(skills))
        } else {
            Arc::new(LoadSkill::new(skills))
        }
    }

    fn offer(&self, turn: &mut Turn, facts: &SessionFacts) -> Result<(), Error> {
        let skills = wanted_skills(facts, self.gather.as_ref()).to_vec();
        if skills.iter().all(|skill| skill.disable_model_invocation) {
            return Ok(());
        }
        tell_below_loop(turn, "Skills");
        let tools = std::mem::take(&mut turn.tools);
        turn.tools = tools.with_shared(self.tool(skills))?;
        Ok(())
    }
}

impl Default for SkillsLayer {
    fn default() -> Self {
        Self::new()
    }
}

/// Service made by [`SkillsLayer`].
#[derive(Clone, Debug)]
pub struct WithSkills<S> {
    inner: S,
    layer: Arc<SkillsLayer>,
}

impl<S> Layer<S> for SkillsLayer {
    type Service = WithSkills<S>;

    fn layer(&self, inner: S) -> Self::Service {
        WithSkills { inner, layer: Arc::new(self.clone()) }
    }
}

impl<S: TurnService> Service<Turn> for WithSkills<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, mut turn: Turn) -> ReplyFuture {
        let known = known_facts(&turn);
        let (None, Some(options)) = (&known, &self.layer.gather) else {
            let offered = known.map_or(Ok(()), |facts| self.layer.offer(&mut turn, &facts));
            if let Err(error) = offered {
                return Box::pin(async { Err(error) });
            }
            return Box::pin(self.inner.call(turn).map(|reply| reply.map_err(Error::wrap)));
        };
        let (layer, options) = (self.layer.clone(), options.clone());
        let mut inner = take_ready(&mut self.inner);
        Box::pin(async move {
            let facts = gather_facts(options, &turn).await;
            layer.offer(&mut turn, &facts)?;
            inner.call(turn).await.map_err(Error::wrap)
        })
    }
}
