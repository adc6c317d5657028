//! An agent: a stack, tools and settings, ready to take turns on any number of sessions.

mod ask;
mod builder;
mod offered;
mod stream;
mod turn_call;

use std::{fmt, sync::Arc};

pub use self::{
    builder::AgentBuilder,
    stream::{TurnItem, TurnStream},
    turn_call::TurnCall,
};
use crate::{
    BoxStack, BuiltStack, Events, Facts, Input, ModelId, Picture, ReplyFuture, Session, Settings,
    Toolbox, TurnService,
};

/// A stack, tools and settings; a clone is one reference count.
///
/// An agent keeps nothing between turns: what is to be kept is in the session.
///
/// ```
/// # use brute_core::{Agent, Session, models::ScriptedModel};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), brute_core::Error> {
/// let agent = Agent::builder(ScriptedModel::text("Hello.")).build()?;
/// let session = Session::new();
/// let reply = agent.send(&session, "Hi!").await?;
/// assert_eq!(reply.answer(), "Hello.");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Agent(Arc<Parts>);

struct Parts {
    stack: BoxStack,
    picture: Picture,
    tools: Toolbox,
    model: ModelId,
    settings: Arc<Settings>,
    facts: Facts,
    events: Events,
}

impl Agent {
    /// Starts an agent from a stack, or from any service that takes turns.
    pub fn builder<S: TurnService>(stack: impl Into<BuiltStack<S>>) -> AgentBuilder {
        AgentBuilder::new(stack.into())
    }

    /// Takes a turn and returns what is new.
    ///
    /// The future borrows neither agent nor session; dropping it cancels the turn, and what was
    /// recorded stays.
    pub fn send(&self, session: &Session, input: impl Into<Input>) -> ReplyFuture {
        self.turn(session, input).send()
    }

    /// Takes a turn as a stream of events that ends with the outcome.
    ///
    /// While it is not polled the turn stands still; dropping it cancels the turn.
    pub fn stream(&self, session: &Session, input: impl Into<Input>) -> TurnStream {
        self.turn(session, input).stream()
    }

    /// Prepares a turn that has facts, settings or an event handler of its own.
    pub fn turn(&self, session: &Session, input: impl Into<Input>) -> TurnCall {
        TurnCall::new(self, session, input.into())
    }

    /// Returns the picture of the stack.
    pub fn picture(&self) -> &Picture {
        &self.0.picture
    }

    /// Returns the tools on offer.
    pub fn tools(&self) -> &Toolbox {
        &self.0.tools
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parts { model, tools, .. } = &*self.0;
        f.debug_struct("Agent").field("model", model).field("tools", tools).finish_non_exhaustive()
    }
}
