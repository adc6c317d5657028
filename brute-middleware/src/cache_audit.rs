//! Names what changed the part of a request that a provider may have cached.

mod difference;
mod sent;

use std::task::{Context, Poll};

use brute_core::{
    Error, Event, Log, ModelId, Reply, ReplyFuture, Role, Toolbox, Turn, TurnService, Usage,
};
use tower::{Layer, Service};

use self::difference::differences;

/// Compares each model call of a session with the one before it, and names what changed the prefix.
///
/// A provider's cache holds a prefix in the order tools, system message, messages; one changed byte
/// loses all behind it. Each change is told by [`Event::PrefixChanged`], with the tokens that were
/// read anew where the provider counts them. What stands at the end of one call only, such as a
/// reminder, changes nothing, and neither does what is not sent, such as the effect of a tool.
///
/// It looks at every message of the view, so it is for finding out, not for every day. It belongs
/// directly above the model.
///
/// ```
/// use brute_core::models::OfflineModel;
/// use brute_middleware::{CacheAuditLayer, default_stack};
///
/// let stack = default_stack().around_model(CacheAuditLayer).model(OfflineModel);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CacheAuditLayer;

/// Service made by [`CacheAuditLayer`].
#[derive(Clone, Debug)]
pub struct CacheAudit<S> {
    inner: S,
}

/// What the call before this one sent, and what it used.
#[derive(Clone)]
struct Sent {
    model: ModelId,
    tools: Toolbox,
    log: Log,
    usage: Usage,
}

impl Sent {
    fn of(turn: &Turn) -> Self {
        let mut log = turn.log.clone();
        let passing =
            log.iter().rev().take_while(|message| message.role == Role::Developer).count();
        log.truncate(log.len() - passing);
        Self { model: turn.model.clone(), tools: turn.tools.clone(), log, usage: Usage::default() }
    }

    /// Returns the tokens that were cached and had to be read anew, where the provider counts them.
    fn lost(&self, now: &Usage) -> Option<u64> {
        let cached = self.usage.cache_read + self.usage.cache_write;
        (cached > 0).then(|| cached.saturating_sub(now.cache_read))
    }
}

impl<S> Layer<S> for CacheAuditLayer {
    type Service = CacheAudit<S>;

    fn layer(&self, inner: S) -> Self::Service {
        CacheAudit { inner }
    }
}

impl<S: TurnService> Service<Turn> for CacheAudit<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        let (events, journal) = (turn.events.clone(), turn.journal.clone());
        let (before, now) = (journal.kept::<Sent>(), Sent::of(&turn));
        let reply = self.inner.call(turn);
        Box::pin(async move {
            let reply = reply.await.map_err(Error::wrap)?;
            if let Some(before) = &before {
                let lost_tokens = before.lost(&reply.usage);
                for what in differences(before, &now) {
                    events.emit(|| Event::PrefixChanged { what: what.into(), lost_tokens });
                }
            }
            journal.keep(Sent { usage: reply.usage, ..now });
            Ok(reply)
        })
    }
}
