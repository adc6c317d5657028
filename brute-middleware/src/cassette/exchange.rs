//! One request and its reply.

use std::sync::Arc;

use brute_core::{Event, Events, Message, Reply, StopReason, Usage};
use serde::{Deserialize, Serialize};

use super::delta::{Calls, Delta, redacted_deltas};
use crate::Secrets;

/// One request and its reply.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Exchange<R> {
    pub(super) request: R,
    deltas: Vec<Delta>,
    reply: Answer,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Answer {
    added: Vec<Message>,
    usage: Usage,
    stop: StopReason,
}

impl<R> Exchange<R> {
    /// Puts together what was asked and answered; only the deltas are without secrets by then.
    pub(super) fn new(request: R, events: Vec<Event>, reply: &Reply, secrets: &Secrets) -> Self {
        let deltas = redacted_deltas(events, secrets);
        let added = reply.added.iter().map(|message| (**message).clone()).collect();
        Self { request, deltas, reply: Answer { added, usage: reply.usage, stop: reply.stop } }
    }

    /// Puts something else in the place of the request.
    pub(super) fn try_map<T, E>(
        self,
        change: impl FnOnce(R) -> Result<T, E>,
    ) -> Result<Exchange<T>, E> {
        let request = change(self.request)?;
        Ok(Exchange { request, deltas: self.deltas, reply: self.reply })
    }

    /// Streams the deltas and answers.
    pub(super) fn play(&self, events: &Events) -> Reply {
        let mut calls = Calls::default();
        for delta in self.deltas.iter().cloned() {
            events.emit(|| delta.into_event(&mut calls));
        }
        let added = self.reply.added.iter().cloned().map(Arc::new).collect();
        Reply { added, usage: self.reply.usage, stop: self.reply.stop }
    }
}
