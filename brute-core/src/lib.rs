//! The shape of a turn: a request goes down a stack of tower layers to a language model, and a
//! reply comes back up.
//!
//! There is one protocol, [`tower::Service<Turn, Response = Reply>`](TurnService), at every height
//! of the stack; *where* a layer stands decides what it covers. The map of this crate, in reading
//! order:
//!
//! - what is said: [`Message`] and its [`Part`]s, the [`Log`];
//! - what flows: a [`Turn`] down, a [`Reply`] up, [`Event`]s beside them;
//! - what acts: a [`Tool`] from a [`Toolbox`], a model from [`models`];
//! - what stays: a [`Session`], written through its [`Journal`];
//! - how it is put together: a [`Stack`] of layers, your own by [`from_fn`], an [`Agent`] on top;
//! - how it is tested: [`testing`].
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod agent;
mod cancel;
mod error;
mod event;
mod events;
mod facts;
mod from_fn;
mod input;
mod journal;
mod late;
mod log;
mod message;
mod meta;
mod model_id;
pub mod models;
mod partial_json;
mod reply;
mod service;
mod session;
mod settings;
mod stack;
pub mod testing;
mod tool;
mod turn;
mod usage;

pub use self::{
    agent::{Agent, AgentBuilder, TurnCall, TurnItem, TurnStream},
    cancel::CancelToken,
    error::{Error, ErrorKind, as_error},
    event::{ArgumentsSoFar, Event},
    events::Events,
    facts::Facts,
    from_fn::{FromFn, FromFnLayer, Next, from_fn},
    input::Input,
    journal::{Attempt, Entry, Journal, OpenCalls, Store},
    late::{Late, LateLayer},
    log::Log,
    message::{
        Arguments, Media, MediaSource, Message, MessageId, Origin, Part, Provenance, Reasoning,
        Role, Section, Text, ToolCall, ToolResult, Zone,
    },
    meta::Meta,
    model_id::ModelId,
    partial_json::partial_json,
    reply::{Reply, StopReason},
    service::{BoxStack, BoxTool, ReplyFuture, ToolService, TurnService, take_ready},
    session::Session,
    settings::{ReasoningEffort, Settings, ToolChoice},
    stack::{BuiltStack, Picture, Stack},
    tool::{
        Dispatch, Effect, FnTool, Tool, ToolContext, ToolEntry, ToolOutput, ToolRequest, ToolSpec,
        Toolbox, tool_fn,
    },
    turn::Turn,
    usage::Usage,
};
