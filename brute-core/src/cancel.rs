//! Ends a turn from outside, with what it has.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::sync::Notify;

/// Asks a turn to end; a clone asks the same turns.
///
/// A turn that is asked stops its model call and its tools and ends `Ok` with
/// [`StopReason::Cancelled`](crate::StopReason::Cancelled) and all that was recorded. Dropping the
/// turn stops it, too, without a reply.
///
/// ```
/// use brute_core::{Agent, CancelToken, Session, models::ScriptedModel};
///
/// # fn take(agent: &Agent, session: &Session) {
/// let token = CancelToken::new();
/// let turn = agent.turn(session, "Write a long story.").cancel_with(&token).send();
/// token.cancel();
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_cancelled: AtomicBool,
    changed: Notify,
}

impl CancelToken {
    /// Creates a token that has not been used.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks all turns that have the token to end, now and later.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::SeqCst);
        self.0.changed.notify_waiters();
    }

    /// Tells whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::SeqCst)
    }

    /// Waits for [`cancel`](Self::cancel).
    pub async fn cancelled(&self) {
        let changed = self.0.changed.notified();
        if !self.is_cancelled() {
            changed.await;
        }
    }
}
