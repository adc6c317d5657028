//! Tells when turns and steps start and end.

use std::task::{Context, Poll};

use brute_core::{Error, Event, Events, Reply, ReplyFuture, Turn, TurnService};
use tower::{Layer, Service};

/// Tells when what lies below starts and ends: turns above the tool loop, steps inside it.
///
/// With a handler of its own it sends all events from below there, too.
#[derive(Clone, Debug, Default)]
pub struct EventsLayer {
    handler: Events,
}

impl EventsLayer {
    /// Tells whoever listens to the turn.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells a handler, too, of everything that happens below.
    pub fn to(handler: Events) -> Self {
        Self { handler }
    }
}

/// Service made by [`EventsLayer`].
#[derive(Clone, Debug)]
pub struct WithEvents<S> {
    inner: S,
    handler: Events,
}

impl<S> Layer<S> for EventsLayer {
    type Service = WithEvents<S>;

    fn layer(&self, inner: S) -> Self::Service {
        WithEvents { inner, handler: self.handler.clone() }
    }
}

impl<S: TurnService> Service<Turn> for WithEvents<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, mut turn: Turn) -> ReplyFuture {
        if self.handler.is_on() {
            turn.events = turn.events.and(self.handler.clone());
        }
        let (events, step) = (turn.events.clone(), turn.facts.step);
        let reply = self.inner.call(turn);
        Box::pin(async move {
            events.emit(|| start(step));
            let reply = reply.await.map_err(Error::wrap);
            events.emit(|| end(step, &reply));
            reply
        })
    }
}

fn start(step: u32) -> Event {
    match step {
        0 => Event::TurnStart,
        step => Event::StepStart { step },
    }
}

fn end(step: u32, reply: &Result<Reply, Error>) -> Event {
    match (step, reply) {
        (0, Ok(reply)) => Event::TurnEnd { stop: reply.stop, usage: reply.usage },
        (0, Err(error)) => {
            Event::TurnFailed { kind: error.kind(), message: error.to_string().into() }
        }
        (step, Ok(reply)) => Event::StepEnd { step, stop: reply.stop, usage: reply.usage },
        (step, Err(error)) => {
            Event::StepFailed { step, kind: error.kind(), message: error.to_string().into() }
        }
    }
}
