//! One turn of an agent, with whatever is its own.

use std::{fmt, future::IntoFuture, path::PathBuf, sync::Arc};

use serde_json::Value;
use tower::{Service, ServiceExt};

use super::{Agent, TurnStream};
use crate::{
    CancelToken, Error, Events, Facts, Input, Log, Meta, Reply, ReplyFuture, Session, Settings,
    Turn, input::check_said, journal::Lease,
};

/// A turn that is not taken yet; await it, or call [`stream`](Self::stream).
#[must_use = "a turn is taken when it is awaited or streamed"]
pub struct TurnCall {
    agent: Agent,
    session: Session,
    input: Input,
    facts: Facts,
    settings: Arc<Settings>,
    events: Events,
    extensions: http::Extensions,
}

impl TurnCall {
    pub(super) fn new(agent: &Agent, session: &Session, input: Input) -> Self {
        Self {
            facts: agent.0.facts.clone(),
            settings: agent.0.settings.clone(),
            events: agent.0.events.clone(),
            agent: agent.clone(),
            session: session.clone(),
            extensions: http::Extensions::new(),
            input,
        }
    }

    /// Sends the events of this turn to a handler, too.
    pub fn events(mut self, events: Events) -> Self {
        self.events = self.events.and(events);
        self
    }

    /// Gives a fact for this turn.
    pub fn fact(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.facts.set(key, value);
        self
    }

    /// Sets the working directory for this turn.
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.facts.set_cwd(cwd);
        self
    }

    /// Changes the settings for this turn.
    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(Arc::make_mut(&mut self.settings));
        self
    }

    /// Lets a token end the turn with what it has.
    pub fn cancel_with(mut self, token: &CancelToken) -> Self {
        self.extensions.insert(token.clone());
        self
    }

    /// Prepares another turn like this one that says something else.
    pub(super) fn saying(&self, input: Input) -> Self {
        Self {
            agent: self.agent.clone(),
            session: self.session.clone(),
            input,
            facts: self.facts.clone(),
            settings: self.settings.clone(),
            events: self.events.clone(),
            extensions: self.extensions.clone(),
        }
    }

    /// Takes the turn.
    pub fn send(self) -> ReplyFuture {
        Box::pin(self.run())
    }

    /// Takes the turn as a stream of events that ends with the outcome.
    pub fn stream(self) -> TurnStream {
        TurnStream::new(self)
    }

    /// The one path that every turn takes, streamed or not.
    async fn run(self) -> Result<Reply, Error> {
        self.input.message().map_or(Ok(()), |message| check_said(message))?;
        let mut stack = self.agent.0.stack.clone();
        let (lease, log, meta) = self.session.lease()?;
        let turn = self.into_turn(&lease, log, meta);
        let reply = stack.ready().await?.call(turn).await?;
        if lease.journal().record_missing(&reply.added) > 0 {
            lease.journal().flush().await?;
        }
        Ok(reply)
    }

    fn into_turn(self, lease: &Lease, log: Log, meta: Meta) -> Turn {
        Turn {
            input: self.input,
            log,
            model: self.agent.0.model.clone(),
            tools: self.agent.0.tools.clone(),
            settings: self.settings,
            facts: self.facts,
            meta,
            events: self.events,
            journal: lease.journal().clone(),
            extensions: self.extensions,
        }
    }
}

impl IntoFuture for TurnCall {
    type Output = Result<Reply, Error>;
    type IntoFuture = ReplyFuture;

    fn into_future(self) -> ReplyFuture {
        self.send()
    }
}

impl fmt::Debug for TurnCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnCall")
            .field("input", &self.input)
            .field("facts", &self.facts)
            .finish_non_exhaustive()
    }
}
