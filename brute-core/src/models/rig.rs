//! Asks real models through the rig crate, whose types stay inside this folder.

mod call_ids;
mod connect;
mod content;
mod failure;
mod line;
mod marks;
mod members;
mod patient;
mod reading;
mod reply;
mod request;

use std::{
    fmt,
    sync::Arc,
    task::{Context, Poll},
};

use futures::StreamExt;
use rig_core::{
    DynModel, ProviderError,
    completion::{CompletionRequest, CompletionResponse, OnUnsupported},
    operation::Completion,
    streaming::{CompletionStream, Item},
};
use tower::Service;

use self::{connect::Connection, failure::Failures, line::Call, reading::Reading};
use super::{Provider, Registry, ReplyBuilder, guard, provider::shown_address};
use crate::{Error, Event, Events, ModelId, Reply, ReplyFuture, ToolChoice, Turn};

/// Asks a model of a [`Provider`]; made by [`Provider::model`].
///
/// Each call is streamed. A clone is one reference count and shares the connections.
#[derive(Clone)]
pub struct RemoteModel(Arc<Parts>);

struct Parts {
    id: ModelId,
    provider: Provider,
    connection: Connection,
}

impl RemoteModel {
    /// Asks a model of a provider that lacks nothing.
    pub(super) fn new(provider: Provider, model: String) -> Result<Self, Error> {
        let connection = Connection::new(&provider)?;
        let id = ModelId::new(provider.name(), model);
        Ok(Self(Arc::new(Parts { id, provider, connection })))
    }

    /// Returns the names of provider and model.
    pub fn id(&self) -> &ModelId {
        &self.0.id
    }
}

impl Service<Turn> for RemoteModel {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        let parts = self.0.clone();
        Box::pin(async move { parts.ask(&turn).await })
    }
}

impl Parts {
    async fn ask(&self, turn: &Turn) -> Result<Reply, Error> {
        let id = self.asked(turn);
        guard::check(self.connection.base_url(), id.model())?;
        let info = Registry::new().get(&id);
        let prepared = request::prepare(turn, &self.connection.habits, &info)?;
        if turn.settings.tool_choice != ToolChoice::Auto && !self.connection.habits.tool_choice {
            let message = "`tool_choice` is not known to this provider; it was not sent";
            turn.events.emit(|| Event::diagnostic(message));
        }
        let failures = Failures::new(&self.provider);
        let call = Arc::new(Call::new(&self.provider, &prepared));
        let model = self.connection.model(id.model(), call.clone());
        let stream = open(&model, prepared.request, &turn.events, &failures)?;
        let mut builder = ReplyBuilder::new(turn.events.clone());
        let response = read(stream, &mut builder, &call, &failures).await?;
        Ok(reply::finish(builder, response, prepared.answer_tool, &turn.events))
    }

    /// Returns the model that is asked: another one of this provider, if the turn names it.
    fn asked(&self, turn: &Turn) -> ModelId {
        let names_another = turn.model.provider() == self.id.provider();
        if names_another && !turn.model.model().is_empty() {
            turn.model.clone()
        } else {
            self.id.clone()
        }
    }
}

/// Encodes the request, and tells of each setting that the provider does not know.
fn open(
    model: &DynModel<Completion>,
    mut request: CompletionRequest,
    events: &Events,
    failures: &Failures<'_>,
) -> Result<CompletionStream, Error> {
    if request.options.is_default() && request.temperature.is_none() {
        return model.stream(request).map_err(|error| failures.tell(&error));
    }
    request.options.on_unsupported = Some(OnUnsupported::Error);
    loop {
        match model.stream(request.clone()) {
            Err(ProviderError::UnsupportedOption(refused))
                if request::leave_out(&mut request, &refused.option) =>
            {
                events.emit(|| Event::diagnostic(format!("{refused}; it was not sent")));
            }
            outcome => return outcome.map_err(|error| failures.tell(&error)),
        }
    }
}

/// Reads a reply to its end; a stream that ends without one is an error.
async fn read(
    mut stream: CompletionStream,
    builder: &mut ReplyBuilder,
    call: &Call,
    failures: &Failures<'_>,
) -> Result<CompletionResponse, Error> {
    let mut reading = Reading::new(&call.ids);
    while let Some(item) = stream.next().await {
        if let Item::Event(event) = item.map_err(|error| failures.tell(&error))? {
            reading.take(event, builder);
        }
    }
    stream.finish().await.map_err(|error| failures.tell(&error))
}

impl fmt::Debug for RemoteModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteModel")
            .field("id", &self.0.id)
            .field("base_url", &shown_address(self.0.connection.base_url()))
            .finish_non_exhaustive()
    }
}
