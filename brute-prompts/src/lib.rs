//! System prompts as a stack of small modules.

pub mod diagnostic;
pub mod skill;

pub use diagnostic::{Diagnostic, Severity};
