//! A layer that keeps the prompt that the model saw last.

use std::{
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};

use brute_core::{Message, Turn, TurnService};
use tower::{Layer, Service};

/// Keeps the messages that prompt modules wrote, of the model call that passed last.
///
/// A clone is another handle on the same place.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeepPromptLayer(Arc<Mutex<Vec<Arc<Message>>>>);

impl KeepPromptLayer {
    /// Returns the system message, and behind it the reminders of the call.
    pub(crate) fn messages(&self) -> Vec<Arc<Message>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn keep(&self, turn: &Turn) {
        let has_sections = |message: &&Arc<Message>| message.sections().next().is_some();
        let messages = turn.log.iter().filter(has_sections).cloned().collect();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = messages;
    }
}

/// Service made by [`KeepPromptLayer`].
#[derive(Clone, Debug)]
pub(crate) struct KeepPrompt<S> {
    inner: S,
    layer: KeepPromptLayer,
}

impl<S> Layer<S> for KeepPromptLayer {
    type Service = KeepPrompt<S>;

    fn layer(&self, inner: S) -> Self::Service {
        KeepPrompt { inner, layer: self.clone() }
    }
}

impl<S: TurnService> Service<Turn> for KeepPrompt<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, turn: Turn) -> S::Future {
        self.layer.keep(&turn);
        self.inner.call(turn)
    }
}
