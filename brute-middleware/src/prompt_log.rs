//! Keeps what the model was sent, section by section, in files.

mod document;
mod fence;
mod file;
mod place;

use std::{
    path::PathBuf,
    sync::Arc,
    task::{Context, Poll},
};

use brute_core::{Error, Event, Reply, ReplyFuture, Turn, TurnService};
use futures::FutureExt;
use tower::{Layer, Service};

pub use self::document::{prompt_document, reply_document};
use self::{file::write_new, place::Place};
use crate::{Secrets, session_facts::blocking};

/// Where a document lies in the folder, unless told otherwise.
const PATTERN: &str = "{session}/{turn}-{step}.md";

/// Keeps what each model call was sent, as a file in a folder.
///
/// A document holds the system prompt section by section, every message part by part, and the tools
/// on offer. Secrets are replaced, only the owner may read the files, and no file is ever
/// overwritten. What cannot be written becomes a diagnostic; the turn goes on.
///
/// It belongs directly above the model, below everything that changes what the model sees.
///
/// ```no_run
/// use brute_core::models::OfflineModel;
/// use brute_middleware::{PromptLogLayer, Secrets, default_stack};
///
/// let log = PromptLogLayer::new("prompts").secrets(Secrets::from_env());
/// let stack = default_stack().around_model(log).model(OfflineModel);
/// ```
#[derive(Clone, Debug)]
pub struct PromptLogLayer {
    folder: PathBuf,
    pattern: Arc<str>,
    secrets: Secrets,
    replies: bool,
}

impl PromptLogLayer {
    /// Writes into this folder, which is made when the first document comes.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            pattern: PATTERN.into(),
            secrets: Secrets::default(),
            replies: false,
        }
    }

    /// Names the documents: `{session}/{turn}-{step}.md`, unless told otherwise.
    ///
    /// `{session}` is the fact or the metadata of this name, else a name made up for the session;
    /// `{turn}` counts the turns of the session in this process, `{step}` the model calls of the
    /// turn, `{visit}` the documents of the same name, all from 1. Any other name is a fact of the
    /// turn, such as `{stage}`; one that is not there is `_`. Without `{visit}` a second document of
    /// one name gets `-2`. No document lies outside of the folder.
    #[must_use]
    pub fn pattern(mut self, pattern: impl Into<Arc<str>>) -> Self {
        self.pattern = pattern.into();
        self
    }

    /// Replaces these secrets.
    #[must_use]
    pub fn secrets(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self
    }

    /// Writes what the model answered, too, beside what it was sent.
    #[must_use]
    pub fn with_replies(mut self) -> Self {
        self.replies = true;
        self
    }
}

/// Service made by [`PromptLogLayer`].
#[derive(Clone, Debug)]
pub struct PromptLog<S> {
    inner: S,
    layer: Arc<PromptLogLayer>,
}

impl<S> Layer<S> for PromptLogLayer {
    type Service = PromptLog<S>;

    fn layer(&self, inner: S) -> Self::Service {
        PromptLog { inner, layer: Arc::new(self.clone()) }
    }
}

impl<S: TurnService> Service<Turn> for PromptLog<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        let layer = self.layer.clone();
        let (sent, events) = (turn.clone(), turn.events.clone());
        let reply = self.inner.call(turn).map(|reply| reply.map_err(Error::wrap));
        Box::pin(async move {
            let place = Place::of(&sent, &layer.pattern, &layer.secrets);
            // The disk and the model work at the same time.
            let prompt = layer.clone().write(place, move |secrets| prompt_document(&sent, secrets));
            let (path, reply) = futures::join!(prompt, reply);
            let path = told(path, &events);
            if let (Some(path), true, Ok(reply)) = (path, layer.replies, &reply) {
                let (place, reply) = (Place::beside(&path, "reply"), reply.clone());
                let written = layer.write(place, move |secrets| reply_document(&reply, secrets));
                told(written.await, &events);
            }
            reply
        })
    }
}

impl PromptLogLayer {
    /// Writes a document on a thread for blocking work; returns its path in the folder, or what is
    /// wrong.
    async fn write(
        self: Arc<Self>,
        place: Place,
        document: impl FnOnce(&Secrets) -> String + Send + 'static,
    ) -> Option<Result<String, String>> {
        let write = move || {
            let text = document(&self.secrets);
            Some(write_new(&self.folder, &place, &text).map_err(|error| {
                let folder = self.folder.display();
                format!("the prompt log cannot write into {folder}: {error}; the turn goes on")
            }))
        };
        blocking(write).await
    }
}

/// Tells what went wrong, and returns the path of what went right.
fn told(written: Option<Result<String, String>>, events: &brute_core::Events) -> Option<String> {
    match written? {
        Ok(path) => Some(path),
        Err(complaint) => {
            events.emit(|| Event::diagnostic(complaint));
            None
        }
    }
}
