//! A layer from an async function of the turn and what lies below.

use std::{
    fmt,
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};

use futures::{FutureExt, future::BoxFuture};
use tower::{Layer, Service, ServiceExt};

use crate::{Error, Reply, ReplyFuture, Turn, TurnService};

/// Makes a layer of an async function.
///
/// ```
/// use brute_core::{Error, Next, Reply, Turn, from_fn};
///
/// async fn louder(mut turn: Turn, next: Next) -> Result<Reply, Error> {
///     turn.settings_mut().temperature = Some(1.0);
///     next.run(turn).await
/// }
///
/// let layer = from_fn(louder);
/// ```
pub fn from_fn<F, Fut>(function: F) -> FromFnLayer<F>
where
    F: Fn(Turn, Next) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Result<Reply, Error>> + Send + 'static,
{
    FromFnLayer(function)
}

/// Layer made by [`from_fn`].
#[derive(Clone, Copy)]
pub struct FromFnLayer<F>(F);

/// Service made by [`FromFnLayer`].
///
/// A clone is one reference count whatever stands below: the instance that gets ready is made
/// from the shared template when it is needed.
pub struct FromFn<F, S> {
    function: F,
    template: Arc<S>,
    ready: Option<S>,
}

impl<F: Clone, S> Layer<S> for FromFnLayer<F> {
    type Service = FromFn<F, S>;

    fn layer(&self, inner: S) -> Self::Service {
        FromFn { function: self.0.clone(), template: Arc::new(inner), ready: None }
    }
}

impl<F: Clone, S> Clone for FromFn<F, S> {
    fn clone(&self) -> Self {
        Self { function: self.function.clone(), template: self.template.clone(), ready: None }
    }
}

impl<F, Fut, S> Service<Turn> for FromFn<F, S>
where
    F: Fn(Turn, Next) -> Fut,
    Fut: Future<Output = Result<Reply, Error>> + Send + 'static,
    S: TurnService,
{
    type Response = Reply;
    type Error = Error;
    type Future = Fut;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        let template = &self.template;
        self.ready.get_or_insert_with(|| S::clone(template)).poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, turn: Turn) -> Fut {
        let is_ready = self.ready.is_some();
        let service = self.ready.take().unwrap_or_else(|| S::clone(&self.template));
        (self.function)(turn, Next::of(Below { service: Box::new(service), is_ready }))
    }
}

/// What lies below a layer made by [`from_fn`]; clone it to call more than once.
///
/// A clone gets ready when it runs, and so does what it was cloned from: none of them keeps a
/// permit that another one waits for, whichever runs first.
pub struct Next(Mutex<Below>);

struct Below {
    service: Box<dyn Erased>,
    is_ready: bool,
}

impl Next {
    /// Wraps a service, for a layer by hand that offers users the form of [`from_fn`].
    pub fn new(service: impl TurnService) -> Self {
        Self::of(Below { service: Box::new(service), is_ready: false })
    }

    fn of(below: Below) -> Self {
        Self(Mutex::new(below))
    }

    /// Calls what lies below.
    pub fn run(self, turn: Turn) -> ReplyFuture {
        // No `async fn`: in the usual case, ready already, the turn is moved once and no further
        // state machine is added.
        let Below { mut service, is_ready } =
            self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        if is_ready {
            return service.call_below(turn);
        }
        Box::pin(async move {
            service.ready_below().await?;
            service.call_below(turn).await
        })
    }
}

impl Clone for Next {
    fn clone(&self) -> Self {
        let mut below = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if below.is_ready {
            *below = below.fresh();
        }
        Self::of(below.fresh())
    }
}

impl Below {
    fn fresh(&self) -> Self {
        Self { service: self.service.duplicate(), is_ready: false }
    }
}

/// A service of turns whose type is erased.
trait Erased: Send + Sync {
    fn ready_below(&mut self) -> BoxFuture<'_, Result<(), Error>>;
    fn call_below(&mut self, turn: Turn) -> ReplyFuture;
    fn duplicate(&self) -> Box<dyn Erased>;
}

impl<S: TurnService> Erased for S {
    fn ready_below(&mut self) -> BoxFuture<'_, Result<(), Error>> {
        Box::pin(
            async move { ServiceExt::<Turn>::ready(self).await.map(drop).map_err(Error::wrap) },
        )
    }

    fn call_below(&mut self, turn: Turn) -> ReplyFuture {
        Box::pin(Service::call(self, turn).map(|reply| reply.map_err(Error::wrap)))
    }

    fn duplicate(&self) -> Box<dyn Erased> {
        Box::new(self.clone())
    }
}

impl<F> fmt::Debug for FromFnLayer<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FromFnLayer")
    }
}

impl<F, S> fmt::Debug for FromFn<F, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FromFn").field("ready", &self.ready.is_some()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next").finish_non_exhaustive()
    }
}
