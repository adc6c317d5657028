//! System prompts as a stack of small modules.

pub mod diagnostic;

pub use diagnostic::{Diagnostic, Severity};
