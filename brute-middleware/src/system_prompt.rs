//! Prepends the system message when the log has none.

mod render;

use std::task::{Context, Poll};

use brute_core::{Error, Reply, ReplyFuture, Turn, TurnService};
use brute_prompts::{ReminderPlacement, SystemPrompt};
use futures::FutureExt;
use tower::{Layer, Service};

use self::render::render;
pub(crate) use self::render::{core_section, prompt_error};

/// Prepends the system message to what the model sees, when the log has none.
///
/// A system message anywhere in the log is respected, and nothing is added or moved. The prompt is
/// rendered lazily, when a turn passes, from the facts of that turn.
///
/// It belongs above `ToolLoop`, so that the prompt keeps its bytes for the whole turn.
#[derive(Clone, Debug)]
pub struct SystemPromptLayer {
    prompt: SystemPrompt,
    policy: RenderPolicy,
}

/// Says when the system message is rendered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RenderPolicy {
    /// For each turn whose log has no system message.
    #[default]
    WhenMissing,
}

impl SystemPromptLayer {
    /// Renders this prompt.
    ///
    /// Reminders are left to [`RemindersLayer`](crate::RemindersLayer), which puts them at the end
    /// of a call.
    pub fn new(prompt: SystemPrompt) -> Self {
        let prompt = prompt.reminder_placement(ReminderPlacement::Tail);
        Self { prompt, policy: RenderPolicy::default() }
    }

    /// Says when the prompt is rendered.
    #[must_use]
    pub fn policy(mut self, policy: RenderPolicy) -> Self {
        self.policy = policy;
        self
    }
}

impl Default for SystemPromptLayer {
    fn default() -> Self {
        Self::new(SystemPrompt::default())
    }
}

/// Service made by [`SystemPromptLayer`].
#[derive(Clone, Debug)]
pub struct WithSystemPrompt<S> {
    inner: S,
    layer: SystemPromptLayer,
}

impl<S> Layer<S> for SystemPromptLayer {
    type Service = WithSystemPrompt<S>;

    fn layer(&self, inner: S) -> Self::Service {
        WithSystemPrompt { inner, layer: self.clone() }
    }
}

impl<S: TurnService> Service<Turn> for WithSystemPrompt<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, mut turn: Turn) -> ReplyFuture {
        if !turn.log.has_system() {
            match render(&self.layer.prompt, &turn) {
                Ok(Some(message)) => turn.log.push_front(message),
                Ok(None) => {}
                Err(error) => return Box::pin(async { Err(error) }),
            }
        }
        Box::pin(self.inner.call(turn).map(|reply| reply.map_err(Error::wrap)))
    }
}
