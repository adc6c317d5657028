//! Ends a turn that takes too many steps, in text.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use brute_core::{
    Error, Journal, Message, Reply, ReplyFuture, Role, StopReason, ToolChoice, Turn, TurnService,
};
use tower::{Layer, Service};

use crate::BlankAnswer;

/// What stands in place of an answer that the model did not give.
const NO_ANSWER: &str = "The step limit was reached before there was an answer.";

/// Ends a turn after so many model calls with tools, by one more without.
///
/// The last call keeps its tool definitions, so that the cached prefix stays, and sets
/// [`ToolChoice::None`] and the fact `max_steps_reached`. The reply is `Ok` with
/// [`StopReason::MaxSteps`]: no work is thrown away. A limit of 0 calls no model at all; `None` is
/// no limit.
///
/// It belongs directly below `ToolLoop`.
#[derive(Clone, Copy, Debug)]
pub struct MaxStepsLayer {
    limit: Option<u32>,
}

impl MaxStepsLayer {
    /// Allows so many model calls with tools in one turn.
    pub fn new(limit: impl Into<Option<u32>>) -> Self {
        Self { limit: limit.into() }
    }
}

/// Service made by [`MaxStepsLayer`].
#[derive(Clone, Debug)]
pub struct MaxSteps<S> {
    inner: S,
    limit: Option<u32>,
}

impl<S> Layer<S> for MaxStepsLayer {
    type Service = MaxSteps<S>;

    fn layer(&self, inner: S) -> Self::Service {
        MaxSteps { inner, limit: self.limit }
    }
}

impl<S: TurnService> Service<Turn> for MaxSteps<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, mut turn: Turn) -> ReplyFuture {
        let is_last = self.limit.is_some_and(|limit| turn.facts.step > limit);
        if self.limit == Some(0) {
            return Box::pin(async move { Ok(end(Reply::default(), &turn.journal)) });
        }
        if is_last {
            close_tools(&mut turn);
        }
        let journal = turn.journal.clone();
        let reply = self.inner.call(turn);
        Box::pin(async move {
            let reply = reply.await.map_err(Error::wrap)?;
            Ok(if is_last { end(reply, &journal) } else { reply })
        })
    }
}

fn close_tools(turn: &mut Turn) {
    turn.facts.max_steps_reached = true;
    turn.settings_mut().tool_choice = ToolChoice::None;
    turn.extensions.insert(BlankAnswer(NO_ANSWER.into()));
}

/// Ends the turn; a reply that does not end in the model's words gets a fixed text.
fn end(mut reply: Reply, journal: &Journal) -> Reply {
    if reply.added.last().is_none_or(|message| message.role != Role::Assistant) {
        reply.added.push(journal.record(Arc::new(Message::assistant(NO_ANSWER))));
    }
    reply.stop = StopReason::MaxSteps;
    reply
}
