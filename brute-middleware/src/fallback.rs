//! Asks the next model when one fails.

mod foreign;

use std::{
    fmt,
    sync::Arc,
    task::{Context, Poll},
};

use brute_core::{
    BoxStack, Error, ErrorKind, Event, ModelId, Reply, ReplyFuture, Turn, TurnService, take_ready,
};
use tower::{Layer, Service, ServiceExt};

use self::foreign::without_native;

type Decides = Arc<dyn Fn(&Error) -> bool + Send + Sync>;

/// Asks the next model when one fails in a way that another may not.
///
/// By default that is any failure of the model, its provider or the way there, and a refusal, but
/// not a request that is invalid as such. The next model gets the same messages without what only
/// the first one's provider understands. When all fail, the error names them all.
///
/// It belongs below `Journal`, with retries of each model below it.
///
/// ```
/// use brute_core::models::ScriptedModel;
/// use brute_middleware::{FallbackLayer, default_stack};
///
/// let fallback = FallbackLayer::new().then("ollama", "qwen3", ScriptedModel::text("I am here."));
/// let stack = default_stack().around_model(fallback).model(ScriptedModel::new([]));
/// ```
#[derive(Clone)]
pub struct FallbackLayer {
    others: Arc<Vec<(ModelId, BoxStack)>>,
    decides: Decides,
}

impl FallbackLayer {
    /// Knows no other models yet.
    pub fn new() -> Self {
        Self { others: Arc::default(), decides: Arc::new(by_default) }
    }

    /// Adds a model that is asked when those before it have failed.
    #[must_use]
    pub fn then(mut self, provider: &str, model: &str, service: impl TurnService) -> Self {
        let service = BoxStack::new(service.map_err(Error::wrap));
        Arc::make_mut(&mut self.others).push((ModelId::new(provider, model), service));
        self
    }

    /// Decides which failures another model may not have.
    #[must_use]
    pub fn on(mut self, decides: impl Fn(&Error) -> bool + Send + Sync + 'static) -> Self {
        self.decides = Arc::new(decides);
        self
    }
}

impl Default for FallbackLayer {
    fn default() -> Self {
        Self::new()
    }
}

fn by_default(error: &Error) -> bool {
    !matches!(
        error.kind(),
        ErrorKind::Invalid
            | ErrorKind::Prompt
            | ErrorKind::Store
            | ErrorKind::Busy
            | ErrorKind::Tool
    )
}

/// Service made by [`FallbackLayer`].
#[derive(Clone, Debug)]
pub struct Fallback<S> {
    inner: S,
    layer: FallbackLayer,
}

impl<S> Layer<S> for FallbackLayer {
    type Service = Fallback<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Fallback { inner, layer: self.clone() }
    }
}

impl<S: TurnService> Service<Turn> for Fallback<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        Box::pin(ask_in_turn(take_ready(&mut self.inner), self.layer.clone(), turn))
    }
}

async fn ask_in_turn<S: TurnService>(
    mut first: S,
    layer: FallbackLayer,
    turn: Turn,
) -> Result<Reply, Error> {
    let mut from = turn.model.clone();
    let mut error = match first.call(turn.clone()).await.map_err(Error::wrap) {
        Ok(reply) => return Ok(reply),
        Err(error) => error,
    };
    let mut failures = Vec::new();
    for (model, service) in layer.others.iter() {
        if !(layer.decides)(&error) {
            return Err(error);
        }
        turn.events.emit(|| Event::Fallback {
            from: from.clone(),
            kind: error.kind(),
            to: model.clone(),
        });
        failures.push((from, error));
        match service.clone().oneshot(for_model(&turn, model)).await {
            Ok(reply) => return Ok(reply),
            Err(next) => (from, error) = (model.clone(), next),
        }
    }
    Err(all_failed(&failures, &from, error))
}

/// Makes the turn fit for another model.
fn for_model(turn: &Turn, model: &ModelId) -> Turn {
    let mut turn = turn.clone();
    turn.model = model.clone();
    turn.log = without_native(&turn.log);
    turn
}

/// Makes one error of all, of the kind of the last one.
fn all_failed(failures: &[(ModelId, Error)], model: &ModelId, error: Error) -> Error {
    if failures.is_empty() {
        return error;
    }
    let failures = failures.iter().map(|(model, error)| (model, error)).chain([(model, &error)]);
    let told: Vec<_> = failures.map(|(model, error)| format!("{model}: {error}")).collect();
    Error::new(error.kind(), format!("all models failed: {}", told.join("; "))).because(error)
}

impl fmt::Debug for FallbackLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let models: Vec<_> = self.others.iter().map(|(model, _)| model).collect();
        f.debug_struct("FallbackLayer").field("others", &models).finish_non_exhaustive()
    }
}
