//! Records what the model answered before anything acts on it.

use std::{
    mem,
    task::{Context, Poll},
};

use brute_core::{Error, ErrorKind, Reply, ReplyFuture, Role, Turn, TurnService};
use tower::{Layer, Service};

use crate::BlankAnswer;

/// Records what comes back from below, before any tool starts.
///
/// Put it above retries of the model call, so that only the attempt that counts is recorded, and
/// below `ToolCalls`.
#[derive(Clone, Copy, Debug, Default)]
pub struct JournalLayer;

/// Service made by [`JournalLayer`].
#[derive(Clone, Debug)]
pub struct Journaled<S> {
    inner: S,
}

impl<S> Layer<S> for JournalLayer {
    type Service = Journaled<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Journaled { inner }
    }
}

impl<S: TurnService> Service<Turn> for Journaled<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        let journal = turn.journal.clone();
        let blank_answer = turn.extensions.get::<BlankAnswer>().cloned();
        let reply = self.inner.call(turn);
        Box::pin(async move {
            let mut reply = reply.await.map_err(Error::wrap)?;
            if let Some(text) = blank_answer {
                fill_blank(&mut reply, &text);
            }
            check(&reply)?;
            let added = mem::take(&mut reply.added);
            reply.added = added.into_iter().map(|message| journal.record(message)).collect();
            Ok(reply)
        })
    }
}

/// Refuses what no model may answer: it could not be recorded without leaving a call unanswered.
fn check(reply: &Reply) -> Result<(), Error> {
    let wrong =
        |what: &str| Err(Error::new(ErrorKind::Model, format!("the model answered with {what}")));
    if reply.added.iter().any(|message| message.tool_results().next().is_some()) {
        return wrong("the result of a tool, which only a tool may give");
    }
    let before_last = reply.added.iter().rev().skip(1);
    if before_last.into_iter().any(|message| message.has_tool_calls()) {
        return wrong("tool calls in a message that is not its last");
    }
    Ok(())
}

fn fill_blank(reply: &mut Reply, text: &BlankAnswer) {
    if let Some(message) = reply.added.last_mut().filter(|message| message.role == Role::Assistant)
    {
        text.fill(message);
    }
}
