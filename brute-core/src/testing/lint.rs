//! Checks the contract between two neighbours of a stack.

mod reply;
mod request;

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use tower::{Layer, Service};

pub use self::request::assert_paired;
use crate::{Error, Reply, ReplyFuture, Turn, TurnService};

/// Layer that applies [`Lint`].
#[derive(Clone, Debug)]
pub struct LintLayer {
    above: Arc<str>,
    below: Arc<str>,
}

impl LintLayer {
    /// Checks the contract between two layers, which are named in complaints.
    pub fn between(above: &str, below: &str) -> Self {
        Self { above: above.into(), below: below.into() }
    }
}

/// Checks every request and reply that passes, and panics with the law and the layer that broke it.
///
/// - Law 1: below `AcceptInput` there is no input, the log holds all that the turn recorded (a
///   retry between `ToolLoop` and `Journal` breaks that), and a reply holds what was recorded and
///   nothing of the view.
/// - Law 3: every tool call has exactly one result, in the order of the calls.
/// - Law 7: a service is called only after its `poll_ready` said yes, and a clone is not ready.
/// - Reminders: no request holds one reminder twice.
#[derive(Debug)]
pub struct Lint<S> {
    inner: S,
    layer: LintLayer,
    is_ready: bool,
}

impl<S> Layer<S> for LintLayer {
    type Service = Lint<S>;

    fn layer(&self, inner: S) -> Lint<S> {
        Lint { inner, layer: self.clone(), is_ready: false }
    }
}

impl<S: Clone> Clone for Lint<S> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone(), layer: self.layer.clone(), is_ready: false }
    }
}

impl<S: TurnService> Service<Turn> for Lint<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        let poll = self.inner.poll_ready(cx).map_err(Error::wrap);
        self.is_ready = matches!(poll, Poll::Ready(Ok(())));
        poll
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        let LintLayer { above, below } = self.layer.clone();
        let was_ready = std::mem::take(&mut self.is_ready);
        complain_if(
            !was_ready,
            "law 7",
            &above,
            "called what lies below before its poll_ready said yes",
        );
        let before = request::check(&turn, &above);
        let reply = self.inner.call(before.mark(turn));
        Box::pin(async move {
            let reply = reply.await.map_err(Error::wrap);
            before.tell_above(reply.is_err() || before.failed_below());
            let reply = reply?;
            reply::check(&before, &reply, &below);
            before.check_repeat(&above);
            Ok(reply)
        })
    }
}

#[track_caller]
fn complain(law: &str, culprit: &str, complaint: &str) -> ! {
    panic!("{law} broken by {culprit}: {complaint}")
}

#[track_caller]
fn complain_if(is_broken: bool, law: &str, culprit: &str, complaint: &str) {
    if is_broken {
        complain(law, culprit, complaint);
    }
}
