//! The test kit: what you need to test a layer, a tool or an agent without a network.
//!
//! - [`ScriptedModel`](crate::models::ScriptedModel) says what the test tells it to say, and keeps
//!   every request.
//! - [`Recorder`] tells who was called, in which order.
//! - [`LintLayer`] checks the contract between two neighbours; [`LintedStack`] puts one between any
//!   two layers of a stack; [`assert_paired`] checks a log.
//! - [`MemoryStore`] shows what was recorded and what was durable when; [`pending`] makes a future
//!   that is not ready at once.

mod lint;
mod linted_stack;
mod memory_store;
mod pending;
mod recorder;

pub use self::{
    lint::{Lint, LintLayer, assert_paired},
    linted_stack::LintedStack,
    memory_store::MemoryStore,
    pending::pending,
    recorder::{Record, Recorder, RecorderLayer},
};
