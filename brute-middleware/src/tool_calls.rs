//! Runs the tool calls of a reply.

mod batches;
mod run_one;

use std::{
    num::NonZeroUsize,
    sync::Arc,
    task::{Context, Poll},
};

use brute_core::{
    Dispatch, Error, Message, Reply, ReplyFuture, Role, StopReason, ToolService, Turn, TurnService,
};
use futures::{StreamExt, future, stream};
use tower::{Layer, Service};

use self::{batches::batches, run_one::Caller};

/// Runs the tool calls of a reply side by side; results come in the order of the calls.
///
/// Whatever goes wrong with a tool, be it an error, a panic, a timeout or a wrong name, becomes an
/// error result that the model reads. A reply that ended by a budget, a limit or a refusal runs no
/// tools: its calls are answered, and the turn ends. Each result is recorded as it arrives. A tool that is marked
/// as sequential runs alone.
///
/// The stack around every tool is a tower stack like any other:
///
/// ```
/// use std::time::Duration;
///
/// use brute_core::Stack;
/// use brute_middleware::ToolCallsLayer;
/// use tower::timeout::TimeoutLayer;
///
/// let tools = Stack::new().layer(TimeoutLayer::new(Duration::from_secs(60))).tools();
/// let layer = ToolCallsLayer::with_tools(tools.into_parts().0).limit(4);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ToolCallsLayer<T = Dispatch> {
    tools: T,
    limit: Option<NonZeroUsize>,
}

impl ToolCallsLayer {
    /// Runs tools without anything around them.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<T: ToolService> ToolCallsLayer<T> {
    /// Runs tools through a stack.
    pub fn with_tools(tools: T) -> Self {
        Self { tools, limit: None }
    }

    /// Runs at most so many tools of one reply at once; 0 counts as 1, `None` is no limit.
    #[must_use]
    pub fn limit(mut self, limit: impl Into<Option<usize>>) -> Self {
        self.limit =
            limit.into().map(|limit| NonZeroUsize::new(limit).unwrap_or(NonZeroUsize::MIN));
        self
    }
}

/// Service made by [`ToolCallsLayer`].
#[derive(Clone, Debug)]
pub struct ToolCalls<S, T = Dispatch> {
    inner: S,
    tools: T,
    limit: Option<NonZeroUsize>,
}

impl<S, T: Clone> Layer<S> for ToolCallsLayer<T> {
    type Service = ToolCalls<S, T>;

    fn layer(&self, inner: S) -> Self::Service {
        ToolCalls { inner, tools: self.tools.clone(), limit: self.limit }
    }
}

impl<S: TurnService, T: ToolService> Service<Turn> for ToolCalls<S, T> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        let caller = Caller::new(self.tools.clone(), &turn);
        let limit = self.limit;
        let reply = self.inner.call(turn);
        Box::pin(async move {
            let mut reply = reply.await.map_err(Error::wrap)?;
            if let Some(asking) = asking(&reply) {
                let _closes_what_is_left = caller.journal.open_calls();
                let caller = caller.unless(is_end(reply.stop));
                caller.journal.flush().await?;
                run_all(&caller, &asking, limit, &mut reply.added).await;
                if !is_end(reply.stop) {
                    reply.stop = StopReason::ToolCalls;
                }
            }
            Ok(reply)
        })
    }
}

/// Tells whether a turn ends here, whatever the model asks for: its calls are answered, not run.
pub(crate) fn is_end(stop: StopReason) -> bool {
    matches!(
        stop,
        StopReason::Budget | StopReason::MaxSteps | StopReason::Refusal | StopReason::Cancelled
    )
}

/// Returns the last message, if it asks for tools.
fn asking(reply: &Reply) -> Option<Arc<Message>> {
    let last = reply.added.last()?;
    (last.role == Role::Assistant && last.has_tool_calls()).then(|| last.clone())
}

/// Runs all calls and adds their results in the order of the calls.
async fn run_all<T: ToolService>(
    caller: &Caller<T>,
    asking: &Message,
    limit: Option<NonZeroUsize>,
    added: &mut Vec<Arc<Message>>,
) {
    let mut calls = asking.tool_calls();
    if let (Some(only), None) = (calls.next(), calls.next()) {
        added.push(caller.run(0, only).await);
        return;
    }
    for batch in batches(asking, &caller.on_offer) {
        let runs: Vec<_> =
            batch.into_iter().map(|(position, call)| caller.run(position, call)).collect();
        let results = match limit {
            None => future::join_all(runs).await,
            Some(limit) => stream::iter(runs).buffered(limit.get()).collect().await,
        };
        added.extend(results);
    }
}
