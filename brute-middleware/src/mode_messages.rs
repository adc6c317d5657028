//! Tells the model when the way in which a session runs changes.

use std::{fmt, sync::Arc};

use brute_core::{Error, Event, Message, Role, Session, Turn};
use brute_prompts::{ModeChange, SystemPrompt, Worktree};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use tower::Layer;

use crate::{
    kept,
    misplaced::tell_below_input,
    prepared::{Prepare, Prepared},
    prompt_context,
    system_prompt::prompt_error,
};

/// The metadata key, and the fact, that says that nobody watches.
const HEADLESS: &str = "headless";

/// The metadata key, and the fact, of the worktree that the session works in.
const WORKTREE: &str = "worktree";

/// The metadata key of what the model was told.
const TOLD: &str = "modes_told";

/// Says whether nobody watches a session from its next turn on.
pub fn set_headless(session: &Session, headless: bool) {
    session.remember(HEADLESS, headless);
}

/// Says in which linked git worktree a session works from its next turn on, or that it is back in
/// the main one.
///
/// The working directory is set apart from this, as the fact `cwd`.
pub fn set_worktree(session: &Session, worktree: Option<&Worktree>) {
    session.remember(WORKTREE, serde_json::to_value(worktree).unwrap_or_default());
}

/// Returns a fact of the turn, else what the session remembers under the same key.
fn given(turn: &Turn, key: &str) -> Option<Value> {
    let remembered = || turn.journal.remembered(key).map(|value| (*value).clone());
    turn.facts.get(key).cloned().or_else(remembered)
}

/// Tells whether nobody watches the turn.
pub(crate) fn is_headless(turn: &Turn) -> bool {
    given(turn, HEADLESS).is_some_and(|value| value == true)
}

/// Reads a fact; nothing where it is of another shape, which is told.
fn read<T: DeserializeOwned>(turn: &Turn, key: &str) -> Option<T> {
    let value = given(turn, key).unwrap_or_default();
    let read = serde_json::from_value(value);
    read.map_err(|error| {
        let message =
            format!("the fact {key:?} is not understood, so nothing has changed ({error}): give true or false for `headless`, for `worktree` an object with `path` and `main`, or null");
        turn.events.emit(|| Event::diagnostic(message));
    })
    .ok()
}

/// How a session runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Modes {
    headless: bool,
    worktree: Option<Worktree>,
}

impl Modes {
    /// Returns how the session runs now; what cannot be read is as it was.
    fn now(turn: &Turn, told: &Self) -> Self {
        let headless: Option<Option<bool>> = read(turn, HEADLESS);
        let worktree: Option<Option<Worktree>> = read(turn, WORKTREE);
        Self {
            headless: headless.map_or(told.headless, Option::unwrap_or_default),
            worktree: worktree.unwrap_or_else(|| told.worktree.clone()),
        }
    }

    fn told(turn: &Turn) -> Self {
        kept::read(turn, TOLD).unwrap_or_default()
    }

    /// Returns what the model has to be told, in this order.
    fn changes_from(&self, told: &Self) -> Vec<ModeChange> {
        let headless = match (told.headless, self.headless) {
            (false, true) => Some(ModeChange::EnterHeadless),
            (true, false) => Some(ModeChange::LeaveHeadless),
            _ => None,
        };
        let worktree = match (&told.worktree, &self.worktree) {
            (before, now) if before == now => None,
            (_, Some(now)) => Some(ModeChange::EnterWorktree(now.clone())),
            (before, None) => before.clone().map(ModeChange::LeaveWorktree),
        };
        headless.into_iter().chain(worktree).collect()
    }
}

/// Tells the model, once for each change, that a session begins or ends to run unwatched, and that
/// it enters or leaves a git worktree.
///
/// How a session runs is the fact `headless` or `worktree` of the turn, else what [`set_headless`]
/// and [`set_worktree`] set for the session. A change is told in a developer message in front of
/// the next input, and recorded with it; while nothing changes, nothing is said.
///
/// It belongs directly above `AcceptInput`.
///
/// ```
/// use brute_core::{Agent, Role, Session, models::ScriptedModel};
/// use brute_middleware::{default_stack, set_headless};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), brute_core::Error> {
/// let agent = Agent::builder(default_stack().model(ScriptedModel::text("Done."))).build()?;
/// let session = Session::new();
/// set_headless(&session, true);
/// agent.send(&session, "Tidy up.").await?;
/// let roles: Vec<_> = session.log().iter().map(|message| message.role).collect();
/// assert_eq!(roles, [Role::Developer, Role::User, Role::Assistant]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ModeMessagesLayer {
    prompt: SystemPrompt,
    applies: Arc<dyn Fn(&Turn) -> bool + Send + Sync>,
}

impl ModeMessagesLayer {
    /// Takes the words from the texts of this prompt.
    pub fn new(prompt: SystemPrompt) -> Self {
        Self { prompt, applies: Arc::new(|_| true) }
    }

    /// Tells changes only where this holds, such as not in the runs of a workflow.
    #[must_use]
    pub fn when(mut self, applies: impl Fn(&Turn) -> bool + Send + Sync + 'static) -> Self {
        self.applies = Arc::new(applies);
        self
    }

    fn messages(&self, changes: &[ModeChange], turn: &Turn) -> Result<Vec<Message>, Error> {
        let ctx = prompt_context(turn);
        let message = |change| {
            let section = self.prompt.mode_message(change, &ctx).map_err(prompt_error)?;
            Ok(section.map(|section| Message::developer(&*section.text)))
        };
        changes.iter().filter_map(|change| message(change).transpose()).collect()
    }
}

/// Returns what this turn has recorded in front of its input, where it passes again, as under a
/// retry.
fn told_in_this_turn(turn: &Turn) -> Vec<Arc<Message>> {
    let mut recorded = turn.journal.entries(turn.journal.seen());
    let told = recorded.iter().take_while(|message| message.role == Role::Developer).count();
    recorded.truncate(told);
    // What another layer recorded just above stands at the end of the log already.
    let end: Vec<_> = turn.log.iter().rev().take(told).cloned().collect();
    recorded.retain(|message| !end.iter().any(|known| Arc::ptr_eq(known, message)));
    recorded
}

impl Default for ModeMessagesLayer {
    fn default() -> Self {
        Self::new(SystemPrompt::default())
    }
}

impl Prepare for ModeMessagesLayer {
    fn prepare(&self, turn: &mut Turn) -> Result<(), Error> {
        tell_below_input(turn, "ModeMessages");
        let says_something = turn.input.message().is_some_and(|message| !message.is_blank());
        if !says_something || !(self.applies)(turn) {
            return Ok(());
        }
        turn.log.extend(told_in_this_turn(turn));
        let told = Modes::told(turn);
        let now = Modes::now(turn, &told);
        let changes = now.changes_from(&told);
        if changes.is_empty() {
            return Ok(());
        }
        let messages = self.messages(&changes, turn)?;
        for message in messages {
            let recorded = turn.journal.record(Arc::new(message));
            turn.log.push(recorded);
        }
        turn.journal.remember(TOLD, serde_json::to_value(&now).unwrap_or_default());
        Ok(())
    }
}

/// Service made by [`ModeMessagesLayer`].
pub type ModeMessages<S> = Prepared<S, ModeMessagesLayer>;

impl<S> Layer<S> for ModeMessagesLayer {
    type Service = ModeMessages<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Prepared::new(inner, self.clone())
    }
}

impl fmt::Debug for ModeMessagesLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModeMessagesLayer").field("prompt", &self.prompt).finish_non_exhaustive()
    }
}
