//! Offers the tool that tells the model the time and its own name, and lets it choose another one.

mod tool;

use std::{collections::BTreeMap, fmt, sync::Arc};

use brute_core::{Error, Journal, ModelId, Session, Turn};
use brute_prompts::{
    TimeFormat,
    gather::{Clock, SystemClock},
};
use serde_json::Value;
use tower::Layer;

use self::tool::SessionStatus;
use crate::{
    misplaced::tell_below_loop,
    prepared::{Prepare, Prepared},
};

/// The metadata key of the model that the host chose for a session, by its name or as it is.
const OVERRIDE: &str = "model_override";

/// The metadata key of the model that the model itself chose, which comes before that of the host.
const CHOICE: &str = "model_choice";

/// What goes back to the agent's own model.
const DEFAULT: &str = "default";

/// Lets another model of the same provider answer in a session, from its next turn on; `None` goes
/// back to the agent's own. What the model chose before is void.
///
/// A stack needs a [`SessionStatusLayer`] for it.
pub fn set_model_override(session: &Session, model: Option<&str>) {
    session.remember(CHOICE, Value::Null);
    session.remember(OVERRIDE, model.map_or(Value::Null, Value::from));
}

/// Offers the tool `session_status`, which tells the date, the time and which model answers.
///
/// The time of day never stands in a prompt, since it would change its bytes; this is how a model
/// asks for it. With [`model`](Self::model) it may also choose another model of the same provider,
/// for this session and from its next turn on.
///
/// It belongs above `SystemPrompt`, so that the prompt can name the tool. A tool of the agent's own
/// under the same name is an error that names both.
///
/// ```
/// use brute_core::{Agent, Session, models::{Script, ScriptedModel}};
/// use brute_middleware::{SessionStatusLayer, default_stack};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), brute_core::Error> {
/// let model = ScriptedModel::new([
///     Script::call("session_status", json!({ "model": "strong" })),
///     Script::text("I am stronger from now on."),
///     Script::text("Hello."),
/// ]);
/// let status = SessionStatusLayer::new().model("strong", "claude-opus");
/// let stack = default_stack().around_input(status).offers(SessionStatusLayer::TOOL).model(model.clone());
/// let agent = Agent::builder(stack).model("anthropic", "claude-sonnet").build()?;
/// let session = Session::new();
/// agent.send(&session, "This will be hard.").await?;
/// agent.send(&session, "Hi!").await?;
/// let models: Vec<_> = model.requests().iter().map(|turn| turn.model.to_string()).collect();
/// assert_eq!(models, ["anthropic/claude-sonnet", "anthropic/claude-sonnet", "anthropic/claude-opus"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct SessionStatusLayer {
    clock: Arc<dyn Clock>,
    format: TimeFormat,
    models: Models,
}

/// The models that may be chosen, by the names that choose them.
type Models = Arc<BTreeMap<String, String>>;

impl SessionStatusLayer {
    /// The name of the tool, for [`Stack::offers`](brute_core::Stack::offers).
    pub const TOOL: &str = "session_status";

    /// Tells the time of the system's clock; no other model may be chosen.
    pub fn new() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            format: TimeFormat::default(),
            models: Models::default(),
        }
    }

    /// Asks this clock for the time.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Words the time of day so.
    #[must_use]
    pub fn time_format(mut self, format: TimeFormat) -> Self {
        self.format = format;
        self
    }

    /// Lets this model of the agent's provider be chosen by a name; `default` is taken, since it
    /// goes back to the agent's own.
    #[must_use]
    pub fn model(mut self, name: impl Into<String>, model: impl Into<String>) -> Self {
        let name = name.into();
        if name != DEFAULT {
            Arc::make_mut(&mut self.models).insert(name, model.into());
        }
        self
    }
}

impl Default for SessionStatusLayer {
    fn default() -> Self {
        Self::new()
    }
}

impl SessionStatusLayer {
    /// Returns the model that a session wants in the place of the agent's own.
    fn wanted(&self, journal: &Journal) -> Option<String> {
        let text = |key| Some(journal.remembered(key)?.as_str()?.to_owned());
        let named = |name: String| self.models.get(&name).cloned().unwrap_or(name);
        text(CHOICE).or_else(|| text(OVERRIDE).filter(|name| name != DEFAULT).map(named))
    }
}

impl Prepare for SessionStatusLayer {
    fn prepare(&self, turn: &mut Turn) -> Result<(), Error> {
        tell_below_loop(turn, "SessionStatus");
        let own = turn.model.clone();
        if let Some(model) = self.wanted(&turn.journal) {
            turn.model = ModelId::new(own.provider(), model.as_str());
        }
        let tool = SessionStatus::new(self.clone(), turn, own);
        turn.tools = std::mem::take(&mut turn.tools).with(tool)?;
        Ok(())
    }
}

/// Service made by [`SessionStatusLayer`].
pub type WithSessionStatus<S> = Prepared<S, SessionStatusLayer>;

impl<S> Layer<S> for SessionStatusLayer {
    type Service = WithSessionStatus<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Prepared::new(inner, self.clone())
    }
}

impl fmt::Debug for SessionStatusLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionStatusLayer")
            .field("format", &self.format)
            .field("models", &self.models)
            .finish_non_exhaustive()
    }
}
