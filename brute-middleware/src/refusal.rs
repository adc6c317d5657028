//! Turns a refusal into an error, so that another model can be asked.

use std::task::{Context, Poll};

use brute_core::{Error, ErrorKind, Reply, ReplyFuture, StopReason, Turn, TurnService};
use tower::{Layer, Service};

/// Turns a reply that stopped with [`StopReason::Refusal`] into an error of kind
/// [`ErrorKind::Refused`].
///
/// It belongs below `Fallback`.
#[derive(Clone, Copy, Debug, Default)]
pub struct RefusalLayer;

/// Service made by [`RefusalLayer`].
#[derive(Clone, Debug)]
pub struct Refusal<S> {
    inner: S,
}

impl<S> Layer<S> for RefusalLayer {
    type Service = Refusal<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Refusal { inner }
    }
}

impl<S: TurnService> Service<Turn> for Refusal<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        let model = turn.model.clone();
        let reply = self.inner.call(turn);
        Box::pin(async move {
            let reply = reply.await.map_err(Error::wrap)?;
            if reply.stop == StopReason::Refusal {
                let message = format!("{model} declined: {}", reply.answer());
                return Err(Error::new(ErrorKind::Refused, message));
            }
            Ok(reply)
        })
    }
}
