//! Tries a model call again after a failure that may pass.

mod backoff;

use std::{
    task::{Context, Poll},
    time::Duration,
};

use brute_core::{Error, Event, Reply, ReplyFuture, Turn, TurnService, take_ready};
use tower::{Layer, Service, ServiceExt};

pub use self::backoff::Backoff;

/// Tries a model call again after a failure that may pass, such as a full service.
///
/// Only errors that say of themselves that they are
/// [retryable](brute_core::Error::is_retryable) are tried again. The wait doubles from attempt to
/// attempt, with a quarter of jitter either way; what the provider asked for is honoured exactly,
/// and when that is longer than the cap, the error comes back at once and carries it. Each attempt
/// is told by [`Event::Retry`], since the deltas of the failed one are void.
///
/// It belongs below `Journal`, so that a failed attempt leaves no trace; one layer of a stack owns
/// retries, be it this one, tower's or the client's own.
#[derive(Clone, Copy, Debug, Default)]
pub struct RetryLayer {
    backoff: Backoff,
    answers: bool,
}

impl RetryLayer {
    /// Tries twice more, after about one and two seconds.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tries so many times more.
    #[must_use]
    pub fn retries(mut self, retries: u32) -> Self {
        self.backoff.retries = retries;
        self
    }

    /// Waits about so long before the second attempt, and twice as long before each further one.
    #[must_use]
    pub fn base(mut self, base: Duration) -> Self {
        self.backoff.base = base;
        self
    }

    /// Waits at most so long.
    #[must_use]
    pub fn cap(mut self, cap: Duration) -> Self {
        self.backoff.cap = cap;
        self
    }

    /// Answers with a text that says what failed when all attempts did, instead of the error.
    #[must_use]
    pub fn answer_on_failure(mut self) -> Self {
        self.answers = true;
        self
    }

    /// Ends the attempts: with a text, or with the error, either with their number.
    fn give_up(self, error: Error, attempts: u32) -> Result<Reply, Error> {
        if self.answers {
            let kind = error.kind();
            return Ok(Reply::text(format!(
                "The model call failed after {attempts} attempts ({kind:?}): {error}"
            )));
        }
        if attempts == 1 {
            return Err(error);
        }
        let told = Error::new(error.kind(), format!("{error} (after {attempts} attempts)"))
            .retryable(false);
        let told = match error.retry_after() {
            Some(wait) => told.after(wait),
            None => told,
        };
        Err(told.because(error))
    }
}

/// Service made by [`RetryLayer`].
#[derive(Clone, Debug)]
pub struct Retry<S> {
    inner: S,
    layer: RetryLayer,
}

impl<S> Layer<S> for RetryLayer {
    type Service = Retry<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Retry { inner, layer: *self }
    }
}

impl<S: TurnService> Service<Turn> for Retry<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        Box::pin(attempt(take_ready(&mut self.inner), self.layer, turn))
    }
}

async fn attempt<S: TurnService>(
    mut inner: S,
    layer: RetryLayer,
    turn: Turn,
) -> Result<Reply, Error> {
    let mut attempts = 0;
    loop {
        attempts += 1;
        let ready = inner.ready().await.map_err(Error::wrap)?;
        let error = match ready.call(turn.clone()).await.map_err(Error::wrap) {
            Ok(reply) => return Ok(reply),
            Err(error) => error,
        };
        let Some(wait) = layer.backoff.wait(&error, attempts, fastrand::f64()) else {
            return layer.give_up(error, attempts);
        };
        turn.events.emit(|| Event::Retry { attempts, kind: error.kind(), wait });
        tokio::time::sleep(wait).await;
    }
}
