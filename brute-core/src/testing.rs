//! The test kit: what you need to test a layer, a tool or an agent without a network.
//!
//! - [`ScriptedModel`](crate::models::ScriptedModel) says what the test tells it to say, and keeps
//!   every request.
//! - [`Recorder`] tells who was called, in which order.
//! - [`LintLayer`] checks the contract between two neighbours; [`LintedStack`] puts one between any
//!   two layers of a stack.

mod lint;
mod linted_stack;
mod recorder;

pub use self::{
    lint::{Lint, LintLayer},
    linted_stack::LintedStack,
    recorder::{Record, Recorder, RecorderLayer},
};
