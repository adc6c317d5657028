//! Refuses tools that write while plan mode is on.

use std::task::{Context, Poll};

use brute_core::{Effect, Error, ErrorKind, ToolOutput, ToolRequest, ToolService};
use futures::{FutureExt, future::BoxFuture};
use tower::{Layer, Service};

use super::PLAN;

/// Refuses tools that write while the fact `agent` is `plan`; belongs into the tool stack.
///
/// Only tools that say of themselves that they are read-only run.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanGuardLayer;

/// Service made by [`PlanGuardLayer`].
#[derive(Clone, Debug)]
pub struct PlanGuard<S> {
    inner: S,
}

impl<S> Layer<S> for PlanGuardLayer {
    type Service = PlanGuard<S>;

    fn layer(&self, inner: S) -> Self::Service {
        PlanGuard { inner }
    }
}

impl<S: ToolService> Service<ToolRequest> for PlanGuard<S> {
    type Response = ToolOutput;
    type Error = Error;
    type Future = BoxFuture<'static, Result<ToolOutput, Error>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, request: ToolRequest) -> Self::Future {
        if is_refused(&request) {
            let name = request.context.call.name;
            let message = format!(
                "the tool {name:?} did not run: plan mode is on and it may change something"
            );
            return Box::pin(async { Err(Error::new(ErrorKind::Tool, message)) });
        }
        Box::pin(self.inner.call(request).map(|output| output.map_err(Error::wrap)))
    }
}

fn is_refused(request: &ToolRequest) -> bool {
    let writes = request.tool.as_ref().is_some_and(|tool| tool.spec().effect != Effect::ReadOnly);
    writes && request.context.facts.agent() == Some(PLAN)
}
