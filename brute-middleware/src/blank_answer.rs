//! What stands in place of an answer without text.

use std::sync::Arc;

use brute_core::{Message, Part};

/// A text that stands in place of an answer without text and calls, when it is recorded.
///
/// A layer hands it down in [`Turn::extensions`](brute_core::Turn::extensions); the journal layer
/// applies it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlankAnswer(pub Arc<str>);

impl BlankAnswer {
    /// Puts the text into a message that says nothing.
    pub(crate) fn fill(&self, message: &mut Arc<Message>) {
        if message.is_blank() {
            Arc::make_mut(message).parts.push(Part::generated(self.0.clone()));
        }
    }
}
