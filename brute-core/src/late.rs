//! A service that gets ready within the call.

use std::task::{Context, Poll};

use tower::{Layer, Service, ServiceExt, util::Oneshot};

/// Layer that applies [`Late`].
#[derive(Clone, Copy, Debug, Default)]
pub struct LateLayer;

/// Gets ready within the call, so that it holds no permit while it is not called.
///
/// For the branches of layers that choose, such as tower's `Steer` and `Balance`: those keep all
/// branches ready, and two callers that each hold the permit the other one needs wait for ever.
///
/// ```
/// use brute_core::{Late, Turn, models::ScriptedModel};
/// use tower::{limit::ConcurrencyLimit, steer::Steer};
///
/// type Branch = Late<ConcurrencyLimit<ScriptedModel>>;
/// let branch = || Late::new(ConcurrencyLimit::new(ScriptedModel::text("hi"), 1));
/// let by_step = |turn: &Turn, branches: &[Branch]| turn.facts.step as usize % branches.len();
/// let steered: Steer<Branch, _, Turn> = Steer::new([branch(), branch()], by_step);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Late<S>(S);

impl<S> Late<S> {
    /// Wraps a service.
    pub fn new(inner: S) -> Self {
        Self(inner)
    }
}

impl<S> Layer<S> for LateLayer {
    type Service = Late<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Late(inner)
    }
}

impl<S: Service<R> + Clone, R> Service<R> for Late<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = Oneshot<S, R>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: R) -> Self::Future {
        self.0.clone().oneshot(request)
    }
}
