//! Calls again while tool results are pending.

use std::{
    pin::pin,
    task::{Context, Poll},
};

use brute_core::{
    CancelToken, Error, Reply, ReplyFuture, Role, StopReason, Turn, TurnService, take_ready,
};
use futures::future::{self, Either};
use tower::{Layer, Service, ServiceExt};

use crate::tool_calls::is_end;

/// Calls what lies below again while tool results are pending, and answers with all that is new.
///
/// Below it a layer runs once for each model call, above it once for each turn. Its own
/// `poll_ready` says yes at once, so that nothing below is reserved while tools run.
///
/// A turn that was cut off and comes again, as under a retry, is resumed: open calls are closed,
/// what was recorded is taken over, and no tool runs twice. One that comes again while it is still
/// running, as under a `Hedge`, is an error: such a layer belongs below `Journal`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ToolLoopLayer;

/// Service made by [`ToolLoopLayer`].
#[derive(Clone, Debug)]
pub struct ToolLoop<S> {
    inner: S,
}

impl<S> Layer<S> for ToolLoopLayer {
    type Service = ToolLoop<S>;

    fn layer(&self, inner: S) -> Self::Service {
        ToolLoop { inner }
    }
}

impl<S: TurnService> Service<Turn> for ToolLoop<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        Box::pin(run(take_ready(&mut self.inner), turn))
    }
}

async fn run<S: TurnService>(mut inner: S, mut turn: Turn) -> Result<Reply, Error> {
    let _attempt = turn.journal.attempt()?;
    turn.facts.step = 0;
    let mut whole = resume(&mut turn);
    let mut is_due = whole.added.is_empty() || wants_more(&whole);
    while is_due {
        turn.facts.step += 1;
        // First durable, then ready: a permit is not held while the disk is slow.
        turn.journal.flush().await?;
        let Some(mut reply) = step(&mut inner, turn.clone()).await? else {
            cancel(&mut whole, &mut turn);
            break;
        };
        // Whatever a layer above the journal added becomes part of the record in its place.
        reply.added = turn.journal.record_all(reply.added);
        turn.log.extend(reply.added.iter().cloned());
        turn.journal.mark_seen();
        is_due = wants_more(&reply);
        append(&mut whole, reply);
    }
    turn.journal.flush().await?;
    Ok(whole)
}

/// Makes one model call; nothing comes of it when the turn is cancelled.
async fn step<S: TurnService>(inner: &mut S, turn: Turn) -> Result<Option<Reply>, Error> {
    let token = turn.extensions.get::<CancelToken>().cloned();
    let call = async {
        let ready = inner.ready().await.map_err(Error::wrap)?;
        ready.call(turn).await.map(Some).map_err(Error::wrap)
    };
    match token {
        None => call.await,
        Some(token) => match future::select(pin!(token.cancelled()), pin!(call)).await {
            Either::Left(_) => Ok(None),
            Either::Right((reply, _)) => reply,
        },
    }
}

/// Ends the turn with what it has recorded so far.
fn cancel(whole: &mut Reply, turn: &mut Turn) {
    let recorded = turn.journal.catch_up(&mut turn.log);
    for message in recorded {
        whole.usage += message.usage.unwrap_or_default();
        whole.added.push(message);
    }
    whole.stop = StopReason::Cancelled;
}

/// Takes over what this turn has recorded and its log does not hold yet.
fn resume(turn: &mut Turn) -> Reply {
    let mut whole = Reply::default();
    if turn.journal.seen() == turn.journal.recorded() {
        return whole;
    }
    for message in turn.journal.catch_up(&mut turn.log) {
        if message.role == Role::Assistant {
            turn.facts.step += 1;
            whole.usage += message.usage.unwrap_or_default();
            whole.stop = message.stop.unwrap_or_default();
        }
        whole.added.push(message);
    }
    whole
}

/// Tells whether the model is due again: a tool or the user has the last word of a reply.
fn wants_more(reply: &Reply) -> bool {
    match reply.added.last().map(|message| message.role) {
        Some(Role::Tool) => reply.stop == StopReason::ToolCalls,
        Some(Role::User) => !is_end(reply.stop),
        _ => false,
    }
}

fn append(whole: &mut Reply, reply: Reply) {
    whole.usage += reply.usage;
    whole.stop = reply.stop;
    if whole.added.is_empty() {
        whole.added = reply.added;
    } else {
        whole.added.extend(reply.added);
    }
}
