//! Plan mode: the model looks, thinks and plans, but changes nothing.

mod guard;

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use brute_core::{Error, Reply, ReplyFuture, Session, Turn, TurnService};
use tower::{Layer, Service};

pub use self::guard::{PlanGuard, PlanGuardLayer};

/// The mode in which nothing may be changed.
const PLAN: &str = "plan";

/// The metadata key of the mode that is on.
const MODE: &str = "agent_mode";

/// The metadata key of the mode that the model was told last.
const TOLD: &str = "agent_mode_told";

/// Switches a session to a mode, such as `plan` or `build`, from its next model call on.
pub fn set_mode(session: &Session, mode: &str) {
    session.remember(MODE, mode);
}

/// Writes the facts `agent` and `agent_switched` from the mode that is on.
///
/// The mode is the fact `agent` that the caller gave, else what [`set_mode`] set for the session.
/// The first call after a switch from plan mode carries the fact `agent_switched`; a call that
/// failed does not count.
///
/// It belongs between `ToolLoop` and `Reminders`; [`PlanGuardLayer`] refuses tools that write.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanModeLayer;

/// Service made by [`PlanModeLayer`].
#[derive(Clone, Debug)]
pub struct PlanMode<S> {
    inner: S,
}

impl<S> Layer<S> for PlanModeLayer {
    type Service = PlanMode<S>;

    fn layer(&self, inner: S) -> Self::Service {
        PlanMode { inner }
    }
}

impl<S: TurnService> Service<Turn> for PlanMode<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, mut turn: Turn) -> ReplyFuture {
        let news = enter_mode(&mut turn);
        let journal = turn.journal.clone();
        let reply = self.inner.call(turn);
        Box::pin(async move {
            let reply = reply.await.map_err(Error::wrap)?;
            if let Some(mode) = news {
                journal.remember(TOLD, serde_json::Value::from(&*mode));
            }
            Ok(reply)
        })
    }
}

/// Writes the facts of the mode that is on; returns it if the model does not know it yet.
fn enter_mode(turn: &mut Turn) -> Option<Arc<str>> {
    let remembered = |key| turn.journal.remembered(key);
    let mode: Arc<str> = match turn.facts.agent() {
        Some(mode) => mode.into(),
        None => remembered(MODE)?.as_str()?.into(),
    };
    let told = remembered(TOLD);
    let told = told.as_deref().and_then(|told| told.as_str());
    if told == Some(PLAN) && *mode != *PLAN {
        turn.facts.set_agent_switched(Some(mode.clone()));
    }
    let is_news = told != Some(&mode);
    if turn.facts.agent().is_none() {
        turn.facts.set_agent(mode.clone());
    }
    is_news.then_some(mode)
}
