//! Puts the daily notes of the last days above an input that begins anew.

use std::{
    path::PathBuf,
    sync::Arc,
    task::{Context, Poll},
};

use brute_core::{Error, Event, Origin, Part, Reply, ReplyFuture, Turn, TurnService, take_ready};
use brute_prompts::{
    SystemPrompt,
    gather::{GatheredNotes, RecentNotes, recent_notes},
};
use futures::FutureExt;
use tower::{Layer, Service};

use crate::{
    misplaced::tell_below_input, prompt_context, session_facts::blocking,
    system_prompt::prompt_error,
};

/// What begins anew, unless the host has other words for it.
const RESETS: [&str; 2] = ["/new", "/reset"];

/// Puts the daily notes of the last days above an input that says nothing but `/new` or `/reset`.
///
/// The notes are `memory/2026-03-05.md` and the like in the agent's workspace. They never stand in
/// the prompt; this is the one time that they are told unasked, as a generated part in front of
/// that one input, which is recorded with it.
///
/// It belongs above `AcceptInput`. Below [`SlashCommandsLayer`](crate::SlashCommandsLayer) give that
/// one `.command("new", |turn, _, next| next.run(turn))`: else it tells that no skill is named so,
/// a skill named `new` takes the input, and unknown commands may be refused.
///
/// ```
/// use brute_core::{Agent, Session, Stack, models::ScriptedModel};
/// use brute_middleware::{AcceptInputLayer, RecentNotesLayer};
/// use brute_prompts::gather::{RecentNotes, Today};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let workspace = tempfile::tempdir()?;
/// std::fs::create_dir(workspace.path().join("memory"))?;
/// std::fs::write(workspace.path().join("memory/2026-03-04.md"), "The parser is half done.")?;
/// let notes = RecentNotes::default().clock(Today::parse("2026-03-05")?);
/// let stack = Stack::new()
///     .layer(RecentNotesLayer::new(workspace.path()).options(notes))
///     .layer(AcceptInputLayer)
///     .model(ScriptedModel::text("Welcome back."));
/// let session = Session::new();
/// Agent::builder(stack).build()?.send(&session, "/new").await?;
/// assert!(session.log().get(0).unwrap().text().contains("The parser is half done."));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct RecentNotesLayer {
    root: PathBuf,
    options: RecentNotes,
    prompt: SystemPrompt,
    resets: Arc<[String]>,
}

impl RecentNotesLayer {
    /// Reads the notes of this workspace.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            options: RecentNotes::default(),
            prompt: SystemPrompt::default(),
            resets: RESETS.map(str::to_owned).into(),
        }
    }

    /// Reads notes by these options.
    #[must_use]
    pub fn options(mut self, options: RecentNotes) -> Self {
        self.options = options;
        self
    }

    /// Takes the words around the notes from the texts of this prompt.
    #[must_use]
    pub fn prompt(mut self, prompt: SystemPrompt) -> Self {
        self.prompt = prompt;
        self
    }

    /// Takes these inputs for ones that begin anew.
    #[must_use]
    pub fn inputs<I: Into<String>>(mut self, inputs: impl IntoIterator<Item = I>) -> Self {
        self.resets = inputs.into_iter().map(Into::into).collect();
        self
    }

    /// Tells whether what the user wrote is one of the inputs that begin anew, and nothing else.
    fn concerns(&self, turn: &Turn) -> bool {
        let mut parts = turn.input.message().into_iter().flat_map(|message| &message.parts);
        let mut said = parts.by_ref().filter(|part| !is_generated(part));
        match (said.next(), said.next()) {
            (Some(Part::Text(text)), None) => {
                self.resets.iter().any(|reset| reset == text.text.trim())
            }
            _ => false,
        }
    }

    fn apply(&self, turn: &mut Turn, gathered: &GatheredNotes) -> Result<(), Error> {
        for diagnostic in &gathered.diagnostics {
            turn.events.emit(|| Event::diagnostic(diagnostic.to_string()));
        }
        let ctx = prompt_context(turn);
        let section = self.prompt.recent_notes(&gathered.notes, &ctx).map_err(prompt_error)?;
        if let Some(section) = section {
            // Texts of one message are joined as they are, so the blank line is part of this one.
            let text = format!("{}\n\n", section.text.trim_end());
            turn.input.parts_mut().insert(0, Part::generated(text));
        }
        Ok(())
    }
}

fn is_generated(part: &Part) -> bool {
    matches!(part, Part::Text(text) if text.origin == Origin::Generated)
}

/// Service made by [`RecentNotesLayer`].
#[derive(Clone, Debug)]
pub struct WithRecentNotes<S> {
    inner: S,
    layer: RecentNotesLayer,
}

impl<S> Layer<S> for RecentNotesLayer {
    type Service = WithRecentNotes<S>;

    fn layer(&self, inner: S) -> Self::Service {
        WithRecentNotes { inner, layer: self.clone() }
    }
}

impl<S: TurnService> Service<Turn> for WithRecentNotes<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, mut turn: Turn) -> ReplyFuture {
        tell_below_input(&turn, "RecentNotes");
        if !self.layer.concerns(&turn) {
            return Box::pin(self.inner.call(turn).map(|reply| reply.map_err(Error::wrap)));
        }
        let (layer, mut inner) = (self.layer.clone(), take_ready(&mut self.inner));
        Box::pin(async move {
            let (root, options) = (layer.root.clone(), layer.options.clone());
            let gathered = blocking(move || recent_notes(&root, &options)).await;
            layer.apply(&mut turn, &gathered)?;
            inner.call(turn).await.map_err(Error::wrap)
        })
    }
}
