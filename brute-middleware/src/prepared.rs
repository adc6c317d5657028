//! The service of every layer that does its work before what lies below is called.

use std::task::{Context, Poll};

use brute_core::{Error, Reply, ReplyFuture, Turn, TurnService};
use futures::FutureExt;
use tower::Service;

/// Works on a turn before what lies below sees it.
pub(crate) trait Prepare {
    /// Changes the turn; an error comes back in the place of a reply, and nothing below is called.
    fn prepare(&self, turn: &mut Turn) -> Result<(), Error>;
}

/// Service that lets its layer work on each turn, and passes it on.
#[derive(Clone, Debug)]
pub struct Prepared<S, L> {
    inner: S,
    layer: L,
}

impl<S, L> Prepared<S, L> {
    pub(crate) fn new(inner: S, layer: L) -> Self {
        Self { inner, layer }
    }
}

impl<S: TurnService, L: Prepare> Service<Turn> for Prepared<S, L> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, mut turn: Turn) -> ReplyFuture {
        if let Err(error) = self.layer.prepare(&mut turn) {
            return Box::pin(async { Err(error) });
        }
        Box::pin(self.inner.call(turn).map(|reply| reply.map_err(Error::wrap)))
    }
}
