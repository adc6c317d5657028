//! Puts what earlier stages did above the prompt of a stage.

mod threads;

use std::{fmt, sync::Arc};

use brute_core::{Error, Part, Role, Turn};
use brute_prompts::{
    Family, Texts,
    preamble::{Preamble, PreambleMode, Run},
};
use serde_json::Value;
use tower::Layer;

pub use self::threads::Threads;
use crate::{
    misplaced::tell_below_input,
    prepared::{Prepare, Prepared},
    system_prompt::prompt_error,
};

/// The fact with which a caller chooses the mode for one turn.
const MODE: &str = "preamble_mode";

type RunOf = Arc<dyn Fn(&Turn) -> Option<Arc<Run>> + Send + Sync>;

/// Puts a preamble above the input: what the stages before did, as fully as its mode says.
///
/// It is a generated part in front of the authored text: nothing in it is a command, and it is
/// recorded with the input. An input that says nothing gets none. The fact `preamble_mode` wins
/// over the mode of the layer, unless it is no mode.
///
/// It belongs above `AcceptInput`; above or below `SlashCommands` makes no difference.
///
/// ```
/// use brute_core::{Agent, Session, Stack, models::ScriptedModel};
/// use brute_middleware::{AcceptInputLayer, PreambleLayer};
/// use brute_prompts::preamble::{Run, Stage};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), brute_core::Error> {
/// let run = Run { goal: "Ship.".into(), stages: vec![Stage::new("plan")], ..Run::default() };
/// let stack = Stack::new()
///     .layer(PreambleLayer::new(run))
///     .layer(AcceptInputLayer)
///     .model(ScriptedModel::text("Done."));
/// let session = Session::new();
/// Agent::builder(stack).build()?.send(&session, "Now build it.").await?;
/// let said = session.log().get(0).unwrap().text();
/// assert!(said.starts_with("Goal: Ship.\n") && said.ends_with("\n\nNow build it."));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct PreambleLayer {
    run: RunOf,
    mode: PreambleMode,
    texts: Texts,
}

impl PreambleLayer {
    /// Tells the first input of a session of this run.
    pub fn new(run: impl Into<Arc<Run>>) -> Self {
        let run = run.into();
        Self::from_fn(move |turn| is_first(turn).then(|| run.clone()))
    }

    /// Tells an input of the run that the function knows for its turn, or of none.
    pub fn from_fn(run: impl Fn(&Turn) -> Option<Arc<Run>> + Send + Sync + 'static) -> Self {
        Self { run: Arc::new(run), mode: PreambleMode::default(), texts: Texts::shipped() }
    }

    /// Says how fully the run is told.
    #[must_use]
    pub fn mode(mut self, mode: PreambleMode) -> Self {
        self.mode = mode;
        self
    }

    /// Takes the words from these texts.
    #[must_use]
    pub fn texts(mut self, texts: Texts) -> Self {
        self.texts = texts;
        self
    }

    fn preamble(&self, turn: &Turn) -> Preamble {
        let wanted = turn.facts.get(MODE).and_then(Value::as_str);
        let mode = PreambleMode::choose([wanted, Some(self.mode.name())]);
        let family = Family::infer(turn.model.provider(), turn.model.model());
        Preamble::new(mode).texts(self.texts.clone()).family(family)
    }
}

fn is_first(turn: &Turn) -> bool {
    !turn.log.iter().any(|message| message.role == Role::User)
}

impl Prepare for PreambleLayer {
    fn prepare(&self, turn: &mut Turn) -> Result<(), Error> {
        tell_below_input(turn, "Preamble");
        if turn.input.message().is_none_or(|message| message.is_blank()) {
            return Ok(());
        }
        let Some(run) = (self.run)(turn) else { return Ok(()) };
        let preamble = self.preamble(turn).render(&run).map_err(prompt_error)?;
        if let Some(text) = preamble {
            // Texts of one message are joined as they are, so the blank line is part of this one.
            let text = format!("{}\n\n", text.trim_end());
            turn.input.parts_mut().insert(0, Part::generated(text));
        }
        Ok(())
    }
}

/// Service made by [`PreambleLayer`].
pub type WithPreamble<S> = Prepared<S, PreambleLayer>;

impl<S> Layer<S> for PreambleLayer {
    type Service = WithPreamble<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Prepared::new(inner, self.clone())
    }
}

impl fmt::Debug for PreambleLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreambleLayer").field("mode", &self.mode).finish_non_exhaustive()
    }
}
