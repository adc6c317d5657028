//! How an agent is put together.

use std::{fmt, path::PathBuf, sync::Arc};

use serde_json::Value;
use tower::ServiceExt;

use super::{Agent, Parts, offered};
use crate::{
    BoxStack, BuiltStack, Error, Events, Facts, ModelId, Picture, Settings, Tool, Toolbox,
    TurnService,
};

/// Puts an agent together; made by [`Agent::builder`].
pub struct AgentBuilder {
    stack: BoxStack,
    picture: Picture,
    tools: Result<Toolbox, Error>,
    model: ModelId,
    settings: Settings,
    facts: Facts,
    events: Events,
}

impl AgentBuilder {
    pub(super) fn new<S: TurnService>(stack: BuiltStack<S>) -> Self {
        let (service, picture) = stack.into_parts();
        Self {
            stack: BoxStack::new(service.map_err(Error::wrap)),
            picture,
            tools: Ok(Toolbox::default()),
            model: ModelId::default(),
            settings: Settings::default(),
            facts: Facts::default(),
            events: Events::default(),
        }
    }

    /// Says which model the stack ends in; prompts are chosen by it.
    #[must_use]
    pub fn model(mut self, provider: &str, model: &str) -> Self {
        self.model = ModelId::new(provider, model);
        self
    }

    /// Offers a tool.
    #[must_use]
    pub fn tool(mut self, tool: impl Tool) -> Self {
        self.tools = self.tools.and_then(|tools| tools.with(tool));
        self
    }

    /// Offers the tools of a toolbox, in place of those offered so far.
    #[must_use]
    pub fn tools(mut self, tools: Toolbox) -> Self {
        self.tools = self.tools.map(|_| tools);
        self
    }

    /// Sets how the model is called.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets the working directory of tools and prompts.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.facts.set_cwd(cwd);
        self
    }

    /// Gives a fact to prompts and layers, such as `custom_rules`.
    #[must_use]
    pub fn fact(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.facts.set(key, value);
        self
    }

    /// Sends the events of every turn to a handler.
    #[must_use]
    pub fn events(mut self, events: Events) -> Self {
        self.events = events;
        self
    }

    /// Finishes the agent.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Invalid`](crate::ErrorKind::Invalid) if two tools have one name,
    /// naming both, be they the agent's own or such as a layer [`offers`](crate::Stack::offers).
    pub fn build(self) -> Result<Agent, Error> {
        let tools = self.tools?;
        offered::check(&self.picture, &tools)?;
        Ok(Agent(Arc::new(Parts {
            stack: self.stack,
            picture: self.picture,
            tools,
            model: self.model,
            settings: Arc::new(self.settings),
            facts: self.facts,
            events: self.events,
        })))
    }
}

impl fmt::Debug for AgentBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentBuilder").field("tools", &self.tools).finish_non_exhaustive()
    }
}
