//! Records the exchanges with a real model, and replays them in tests.

mod tape;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};

use brute_core::{Error, Event, Events, Reply, ReplyFuture, Turn, TurnService};
use tower::{Layer, Service};

use self::tape::{Exchange, Tape};
use crate::Secrets;

/// Records the exchanges with a model into a file, or replays them without calling it.
///
/// A replayed reply comes with the deltas that were streamed, in the same pieces. A request that
/// differs from the recorded one is an error that shows the first difference; so is one more than
/// was recorded. Secrets are replaced before anything is written.
///
/// It belongs directly above the model.
///
/// ```no_run
/// use brute_core::models::OfflineModel;
/// use brute_middleware::{CassetteLayer, Secrets, default_stack};
///
/// let cassette =
///     CassetteLayer::record("tests/cassettes/hello.json").secrets(Secrets::from_env());
/// let stack = default_stack().around_model(cassette).model(OfflineModel);
/// ```
#[derive(Clone, Debug)]
pub struct CassetteLayer {
    path: Arc<PathBuf>,
    secrets: Secrets,
    mode: Mode,
}

#[derive(Clone, Debug)]
enum Mode {
    Record(Arc<Mutex<Tape>>),
    Replay(Arc<Mutex<Tape>>),
}

impl CassetteLayer {
    /// Records into a file, in place of what it holds.
    pub fn record(path: impl Into<PathBuf>) -> Self {
        Self::new(path.into(), Mode::Record(Arc::default()))
    }

    /// Replays what a file holds.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is no cassette; the error names it.
    pub fn replay(path: impl Into<PathBuf>) -> Result<Self, Error> {
        let path = path.into();
        let tape = Tape::read(&path)?;
        Ok(Self::new(path, Mode::Replay(Arc::new(Mutex::new(tape)))))
    }

    fn new(path: PathBuf, mode: Mode) -> Self {
        Self { path: Arc::new(path), secrets: Secrets::default(), mode }
    }

    /// Replaces these wherever they would be written.
    #[must_use]
    pub fn secrets(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self
    }
}

/// Service made by [`CassetteLayer`].
#[derive(Clone, Debug)]
pub struct Cassette<S> {
    inner: S,
    layer: CassetteLayer,
}

impl<S> Layer<S> for CassetteLayer {
    type Service = Cassette<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Cassette { inner, layer: self.clone() }
    }
}

impl<S: TurnService> Service<Turn> for Cassette<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        match self.layer.mode {
            Mode::Record(_) => self.inner.poll_ready(cx).map_err(Error::wrap),
            Mode::Replay(_) => Poll::Ready(Ok(())),
        }
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        let layer = self.layer.clone();
        match &self.layer.mode {
            Mode::Replay(tape) => {
                let reply = lock(tape).next(&turn, &layer.secrets);
                Box::pin(async move { reply?.play(&turn.events) })
            }
            Mode::Record(tape) => {
                let (tape, mut exchange) = (tape.clone(), Exchange::of(&turn));
                let (turn, deltas) = listen(turn);
                let reply = self.inner.call(turn);
                Box::pin(async move {
                    let reply = reply.await.map_err(Error::wrap)?;
                    exchange.answered(&reply, std::mem::take(&mut *lock(&deltas)));
                    lock(&tape).record(exchange, &layer.secrets, &layer.path)?;
                    Ok(reply)
                })
            }
        }
    }
}

/// Keeps the deltas that are streamed, beside whoever listens.
fn listen(mut turn: Turn) -> (Turn, Arc<Mutex<Vec<Event>>>) {
    let deltas = Arc::<Mutex<Vec<Event>>>::default();
    let kept = deltas.clone();
    turn.events = turn.events.and(Events::inline(move |event| lock(&kept).push(event)));
    (turn, deltas)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
