//! One request and its reply.

use std::{collections::BTreeMap, sync::Arc};

use brute_core::{ArgumentsSoFar, Event, Events, Message, Reply, StopReason, Usage};
use serde::{Deserialize, Serialize};

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

/// A piece of a stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Delta {
    Text(Arc<str>),
    Reasoning(Arc<str>),
    Arguments {
        call_id: Arc<str>,
        name: Arc<str>,
        delta: Arc<str>,
        /// Whether a call begins here, which may have the id of an earlier one.
        #[serde(default)]
        begins: bool,
    },
}

/// What has come of the arguments of each call, by its id.
type Calls = BTreeMap<Arc<str>, ArgumentsSoFar>;

impl<R> Exchange<R> {
    pub(super) fn new(request: R, events: Vec<Event>, reply: &Reply) -> Self {
        let deltas = events.into_iter().filter_map(Delta::of).collect();
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

impl Delta {
    fn of(event: Event) -> Option<Self> {
        match event {
            Event::Text { delta } => Some(Self::Text(delta)),
            Event::Reasoning { delta } => Some(Self::Reasoning(delta)),
            Event::ToolArguments { call_id, name, delta, so_far } => {
                let begins = so_far.len() == delta.len();
                Some(Self::Arguments { call_id, name, delta, begins })
            }
            _ => None,
        }
    }

    fn into_event(self, calls: &mut Calls) -> Event {
        match self {
            Self::Text(delta) => Event::Text { delta },
            Self::Reasoning(delta) => Event::Reasoning { delta },
            Self::Arguments { call_id, name, delta, begins } => {
                let so_far = calls.entry(call_id.clone()).or_default();
                if begins {
                    *so_far = ArgumentsSoFar::default();
                }
                so_far.push(&delta);
                let so_far = so_far.clone();
                Event::ToolArguments { call_id, name, delta, so_far }
            }
        }
    }
}
