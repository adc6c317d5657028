//! Records the exchanges with a real model, and replays them in tests.

mod delta;
mod difference;
mod exchange;
mod new_file;
mod recording;
mod request;
mod sought;
mod tape;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};

use brute_core::{Error, Event, Events, Reply, ReplyFuture, Turn, TurnService};
use tower::{Layer, Service};

use self::{
    recording::{Recording, unwritten},
    request::Asked,
    tape::Tape,
};
use crate::{Secrets, session_facts::blocking};

/// Records the exchanges with a model into a file, or replays them without calling it.
///
/// A replayed reply comes with the deltas that were streamed, in the same pieces. A request is
/// answered by the first exchange that recorded it and was not replayed yet, so that calls at the
/// same time may come in any order. One that nothing recorded is an error that shows where it
/// differs from the next exchange. Secrets are replaced before anything is written, those that were streamed in pieces
/// included.
///
/// Each exchange is a line of JSON that is written when its reply is there, so that what was
/// recorded stays whatever happens later. A line has three members:
///
/// - `request` holds `model`, `settings` and `tools`, each left out where it is as on the line that
///   is continued, and `messages`. There, `{"same": 12}` stands for twelve messages that stood at
///   these places on that line, so that a long conversation does not stand on every line. It is the
///   line before, unless `"after": 17` names another one, as where two conversations take turns.
/// - `deltas` are the pieces that were streamed.
/// - `reply` holds the messages that were `added`, the `usage`, and why the model came to a `stop`.
///
/// It belongs directly above the model.
///
/// ```no_run
/// use brute_core::models::OfflineModel;
/// use brute_middleware::{CassetteLayer, Secrets, default_stack};
///
/// let cassette =
///     CassetteLayer::record("tests/cassettes/hello.jsonl").secrets(Secrets::from_env());
/// let stack = default_stack().around_model(cassette).model(OfflineModel);
/// ```
#[derive(Clone, Debug)]
pub struct CassetteLayer {
    secrets: Secrets,
    mode: Mode,
}

#[derive(Clone, Debug)]
enum Mode {
    /// Whoever waits longest writes first.
    Record(Arc<tokio::sync::Mutex<Recording>>),
    Replay(Arc<Mutex<Tape>>),
}

impl CassetteLayer {
    /// Records into a file, in place of what it holds, which stays until there is an exchange.
    ///
    /// An exchange that cannot be written is an error of the call: a recording with a gap would
    /// fail later, and nobody would know why. The file keeps the exchanges before.
    pub fn record(path: impl Into<PathBuf>) -> Self {
        let recording = Recording::new(path.into());
        Self::new(Mode::Record(Arc::new(tokio::sync::Mutex::new(recording))))
    }

    /// Replays what a file holds.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is no cassette; the error names it, and the line that is
    /// broken or was cut off.
    pub fn replay(path: impl Into<PathBuf>) -> Result<Self, Error> {
        let tape = Tape::read(&path.into())?;
        Ok(Self::new(Mode::Replay(Arc::new(Mutex::new(tape)))))
    }

    fn new(mode: Mode) -> Self {
        Self { secrets: Secrets::default(), mode }
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
        let secrets = self.layer.secrets.clone();
        match &self.layer.mode {
            Mode::Replay(tape) => {
                let exchange = lock(tape).next(&turn, &secrets);
                Box::pin(async move { Ok(exchange?.play(&turn.events)) })
            }
            Mode::Record(recording) => {
                let (recording, asked) = (recording.clone(), Asked::of(&turn));
                let (turn, deltas) = listen(turn);
                let reply = self.inner.call(turn);
                Box::pin(async move {
                    let reply = reply.await.map_err(Error::wrap)?;
                    let deltas = std::mem::take(&mut *lock(&deltas));
                    let mut recording = recording.lock_owned().await;
                    let add = move || {
                        let added = recording.add(asked, deltas, &reply, &secrets);
                        Some(added.map(|()| reply))
                    };
                    blocking(add).await.ok_or_else(|| unwritten("the work broke off"))?
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
