//! Tells who was called, in which order.

use std::{
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};

use tower::{Layer, Service};

use crate::{Error, Event, Events, Reply, ReplyFuture, Turn, TurnService};

/// Keeps a list of who was called, in which order; a clone is another handle on the same list.
///
/// ```
/// use brute_core::{Agent, Session, Stack, models::ScriptedModel, testing::Recorder};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), brute_core::Error> {
/// let recorder = Recorder::default();
/// let stack = Stack::new()
///     .layer(recorder.layer("outer"))
///     .layer(recorder.layer("inner"))
///     .model(ScriptedModel::text("hi"));
/// Agent::builder(stack).build()?.send(&Session::new(), "Hello").await?;
/// assert_eq!(recorder.list(), ["enter outer", "enter inner", "leave inner", "leave outer"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recorder(Arc<Mutex<Vec<String>>>);

impl Recorder {
    /// Makes a layer that notes under a name when it is entered and left.
    pub fn layer(&self, name: &str) -> RecorderLayer {
        RecorderLayer { name: name.into(), recorder: self.clone() }
    }

    /// Makes a handler of events that notes each diagnostic.
    ///
    /// ```
    /// use brute_core::{Event, testing::Recorder};
    ///
    /// let told = Recorder::default();
    /// told.diagnostics().emit(|| Event::diagnostic("a file is missing"));
    /// assert_eq!(told.list(), ["a file is missing"]);
    /// ```
    pub fn diagnostics(&self) -> Events {
        let notes = self.clone();
        Events::inline(move |event| {
            if let Event::Diagnostic { message } = event {
                notes.note(&*message);
            }
        })
    }

    /// Notes something.
    pub fn note(&self, note: impl Into<String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(note.into());
    }

    /// Returns the list so far.
    pub fn list(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Layer that applies [`Record`]; made by [`Recorder::layer`].
#[derive(Clone, Debug)]
pub struct RecorderLayer {
    name: Arc<str>,
    recorder: Recorder,
}

/// Service made by [`RecorderLayer`].
#[derive(Clone, Debug)]
pub struct Record<S> {
    inner: S,
    layer: RecorderLayer,
}

impl<S> Layer<S> for RecorderLayer {
    type Service = Record<S>;

    fn layer(&self, inner: S) -> Record<S> {
        Record { inner, layer: self.clone() }
    }
}

impl<S: TurnService> Service<Turn> for Record<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        let RecorderLayer { name, recorder } = self.layer.clone();
        recorder.note(format!("enter {name}"));
        let reply = self.inner.call(turn);
        Box::pin(async move {
            let reply = reply.await.map_err(Error::wrap);
            recorder.note(format!("leave {name}"));
            reply
        })
    }
}
