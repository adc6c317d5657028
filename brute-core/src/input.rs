//! What the user says now.

use std::sync::Arc;

use crate::{Error, ErrorKind, Media, Message, Part, Role};

/// What the user says now, before it is part of the log.
///
/// ```
/// use brute_core::Input;
///
/// let input = Input::from("Fix the failing test.");
/// assert_eq!(input.text(), "Fix the failing test.");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input(Option<Arc<Message>>);

impl Input {
    /// Creates an input that adds nothing: the conversation goes on from where it is.
    pub fn none() -> Self {
        Self(None)
    }

    /// Adds an image or a document.
    #[must_use]
    pub fn with_media(mut self, media: Media) -> Self {
        self.parts_mut().push(Part::Media(media));
        self
    }

    /// Tells whether there is nothing to be recorded.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the text, joined.
    pub fn text(&self) -> String {
        self.0.as_ref().map(|message| message.text()).unwrap_or_default()
    }

    /// Returns the message.
    pub fn message(&self) -> Option<&Arc<Message>> {
        self.0.as_ref()
    }

    /// Returns the parts, to be changed; the message keeps its id.
    pub fn parts_mut(&mut self) -> &mut Vec<Part> {
        let message = self.0.get_or_insert_with(|| Arc::new(Message::new(Role::User, Vec::new())));
        &mut Arc::make_mut(message).parts
    }

    /// Takes the message out.
    pub fn take(&mut self) -> Option<Arc<Message>> {
        self.0.take()
    }
}

/// Refuses what only a turn may record: tool calls and their results.
pub(crate) fn check_said(message: &Message) -> Result<(), Error> {
    let has_result = message.tool_results().next().is_some();
    if message.role == Role::Tool || message.has_tool_calls() || has_result {
        let complaint = "tool calls and results are recorded by a turn only: say something else";
        return Err(Error::new(ErrorKind::Invalid, complaint));
    }
    Ok(())
}

impl From<Message> for Input {
    fn from(message: Message) -> Self {
        Self(Some(Arc::new(message)))
    }
}

impl From<Arc<Message>> for Input {
    fn from(message: Arc<Message>) -> Self {
        Self(Some(message))
    }
}

impl From<&str> for Input {
    fn from(text: &str) -> Self {
        Message::user(text).into()
    }
}

impl From<String> for Input {
    fn from(text: String) -> Self {
        Message::user(text).into()
    }
}

impl From<&String> for Input {
    fn from(text: &String) -> Self {
        Message::user(text.as_str()).into()
    }
}
