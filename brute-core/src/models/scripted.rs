//! A model that says what a test tells it to say.

mod script;

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};

use tower::Service;

pub use self::script::Script;
use super::conversation;
use crate::{Error, ErrorKind, ReplyFuture, Turn};

/// Plays scripts, one for each request, and keeps every request.
///
/// ```
/// use brute_core::models::{Script, ScriptedModel};
/// use serde_json::json;
///
/// let model = ScriptedModel::new([
///     Script::call("read", json!({ "path": "notes.txt" })),
///     Script::text("The notes are empty.").pieces(3),
/// ]);
/// ```
#[derive(Clone)]
pub struct ScriptedModel {
    source: Source,
    requests: Arc<Mutex<Vec<Turn>>>,
}

#[derive(Clone)]
enum Source {
    Queue(Arc<Mutex<VecDeque<Script>>>),
    Function(Arc<dyn Fn(&Turn) -> Script + Send + Sync>),
}

impl ScriptedModel {
    /// Plays scripts in order; a request beyond the last one fails and says what it was.
    pub fn new(scripts: impl IntoIterator<Item = Script>) -> Self {
        Self::from_source(Source::Queue(Arc::new(Mutex::new(scripts.into_iter().collect()))))
    }

    /// Answers one request with a text.
    pub fn text(text: &str) -> Self {
        Self::new([Script::text(text)])
    }

    /// Makes up a script for each request.
    pub fn answering(script: impl Fn(&Turn) -> Script + Send + Sync + 'static) -> Self {
        Self::from_source(Source::Function(Arc::new(script)))
    }

    fn from_source(source: Source) -> Self {
        Self { source, requests: Arc::default() }
    }

    /// Returns the requests so far, exactly as they came, oldest first.
    pub fn requests(&self) -> Vec<Turn> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps the request and returns its number, from 1.
    fn keep(&self, turn: &Turn) -> usize {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.push(turn.clone());
        requests.len()
    }

    fn next_script(&self, turn: &Turn, number: usize) -> Result<Script, Error> {
        match &self.source {
            Source::Function(script) => Ok(script(turn)),
            Source::Queue(scripts) => {
                let next = scripts.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                next.ok_or_else(|| ran_out(turn, number))
            }
        }
    }
}

fn ran_out(turn: &Turn, number: usize) -> Error {
    let message = format!(
        "the scripted model has no script for request {number}, step {} of its turn: {:#?}",
        turn.facts.step, turn.log,
    );
    Error::new(ErrorKind::Invalid, message)
}

impl Service<Turn> for ScriptedModel {
    type Response = crate::Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        let number = self.keep(&turn);
        let script = conversation(&turn).and_then(|_| self.next_script(&turn, number));
        Box::pin(async move { script?.play(turn.events, number).await })
    }
}

impl fmt::Debug for ScriptedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedModel")
            .field("requests", &self.requests().len())
            .finish_non_exhaustive()
    }
}
