//! Records the user's input and makes it part of the log.

use std::task::{Context, Poll};

use brute_core::{Error, ErrorKind, Reply, ReplyFuture, Turn, TurnService};
use futures::FutureExt;
use tower::{Layer, Service};

/// Records the user's input and appends it to the log.
///
/// Above it layers shape what will be recorded, such as an expanded command; below it they change
/// only what the model sees. A turn that passes twice, as under a retry, is recorded once.
///
/// An input without text or media is refused, since providers refuse it too.
#[derive(Clone, Copy, Debug, Default)]
pub struct AcceptInputLayer;

/// Service made by [`AcceptInputLayer`].
#[derive(Clone, Debug)]
pub struct AcceptInput<S> {
    inner: S,
}

impl<S> Layer<S> for AcceptInputLayer {
    type Service = AcceptInput<S>;

    fn layer(&self, inner: S) -> Self::Service {
        AcceptInput { inner }
    }
}

impl<S: TurnService> Service<Turn> for AcceptInput<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, mut turn: Turn) -> ReplyFuture {
        if let Some(input) = turn.input.take() {
            if input.is_blank() {
                return Box::pin(async { Err(blank_input()) });
            }
            turn.journal.accept(input, &mut turn.log);
        }
        Box::pin(self.inner.call(turn).map(|reply| reply.map_err(Error::wrap)))
    }
}

fn blank_input() -> Error {
    Error::new(
        ErrorKind::Invalid,
        "the input is blank: send text or media, or `Input::none()` to go on",
    )
}
