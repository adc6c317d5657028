//! Says at the end of a call what holds for this call only.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use brute_core::{Error, Facts, Message, Part, Reply, ReplyFuture, Role, Turn, TurnService};
use brute_prompts::SystemPrompt;
use futures::FutureExt;
use tower::{Layer, Service};

use crate::{
    prompt_context,
    system_prompt::{core_section, prompt_error},
};

/// Adds the reminders that hold, such as that of plan mode, at the end of the view of one call.
///
/// They never enter the record, and the cached prefix stays as it is.
///
/// It belongs below the layers that write the facts: `MaxSteps` and `PlanMode`.
#[derive(Clone, Debug)]
pub struct RemindersLayer {
    prompt: SystemPrompt,
}

impl RemindersLayer {
    /// Takes the words from a prompt.
    pub fn new(prompt: SystemPrompt) -> Self {
        Self { prompt }
    }
}

impl Default for RemindersLayer {
    fn default() -> Self {
        Self::new(SystemPrompt::default())
    }
}

/// Service made by [`RemindersLayer`].
#[derive(Clone, Debug)]
pub struct Reminders<S> {
    inner: S,
    prompt: SystemPrompt,
}

impl<S> Layer<S> for RemindersLayer {
    type Service = Reminders<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Reminders { inner, prompt: self.prompt.clone() }
    }
}

impl<S: TurnService> Service<Turn> for Reminders<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, mut turn: Turn) -> ReplyFuture {
        if may_hold(&turn.facts) {
            match reminder(&self.prompt, &turn) {
                Ok(Some(message)) => turn.log.push(message),
                Ok(None) => {}
                Err(error) => return Box::pin(async { Err(error) }),
            }
        }
        Box::pin(self.inner.call(turn).map(|reply| reply.map_err(Error::wrap)))
    }
}

/// Tells whether any reminder could hold, without making a context of the turn.
fn may_hold(facts: &Facts) -> bool {
    facts.max_steps_reached || facts.agent().is_some() || facts.agent_switched().is_some()
}

fn reminder(prompt: &SystemPrompt, turn: &Turn) -> Result<Option<Arc<Message>>, Error> {
    let sections = prompt.reminders(&prompt_context(turn)).map_err(prompt_error)?;
    let parts: Vec<_> =
        sections.iter().map(|section| Part::Section(core_section(section))).collect();
    Ok((!parts.is_empty()).then(|| Arc::new(Message::new(Role::Developer, parts))))
}
