//! Says at the end of a call what holds for this call only.

use std::sync::Arc;

use brute_core::{Error, Facts, Message, Part, Role, Turn};
use brute_prompts::SystemPrompt;
use tower::Layer;

use crate::{
    prepared::{Prepare, Prepared},
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

impl Prepare for RemindersLayer {
    fn prepare(&self, turn: &mut Turn) -> Result<(), Error> {
        if may_hold(&turn.facts) {
            turn.log.extend(reminder(&self.prompt, turn)?);
        }
        Ok(())
    }
}

/// Service made by [`RemindersLayer`].
pub type Reminders<S> = Prepared<S, RemindersLayer>;

impl<S> Layer<S> for RemindersLayer {
    type Service = Reminders<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Prepared::new(inner, self.clone())
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
