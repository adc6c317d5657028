//! The conversation as a persistent vector: a clone shares everything, a push copies nothing.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Message, Role};

/// An ordered list of messages whose `clone`, `push` and `push_front` do not depend on its length.
///
/// ```
/// use brute_core::{Log, Message};
///
/// let mut log = Log::default();
/// log.push(Message::user("hi"));
/// let kept = log.clone();
/// log.push_front(Message::system("Be brief."));
/// assert!(log.has_system() && !kept.has_system());
/// ```
#[derive(Clone, Default)]
pub struct Log {
    messages: imbl::Vector<Arc<Message>>,
    systems: u32,
}

impl Log {
    /// Appends a message.
    pub fn push(&mut self, message: impl Into<Arc<Message>>) {
        let message = message.into();
        self.systems += u32::from(message.role == Role::System);
        self.messages.push_back(message);
    }

    /// Puts a message before all others.
    pub fn push_front(&mut self, message: impl Into<Arc<Message>>) {
        let message = message.into();
        self.systems += u32::from(message.role == Role::System);
        self.messages.push_front(message);
    }

    /// Returns the number of messages.
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Tells whether there are no messages.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Tells whether any message has the role system, without looking at them.
    pub fn has_system(&self) -> bool {
        self.systems > 0
    }

    /// Returns the last message.
    pub fn last(&self) -> Option<&Arc<Message>> {
        self.messages.last()
    }

    /// Returns the message at a position.
    pub fn get(&self, position: usize) -> Option<&Arc<Message>> {
        self.messages.get(position)
    }

    /// Iterates over the messages, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Message>> + ExactSizeIterator {
        self.messages.iter()
    }

    /// Iterates over the messages from a position on; a position past the end gives none.
    pub fn since(&self, position: usize) -> impl Iterator<Item = &Arc<Message>> {
        let from = position.min(self.messages.len());
        self.messages.focus().narrow(from..).into_iter()
    }

    /// Drops all messages from a position on.
    pub fn truncate(&mut self, len: usize) {
        if len < self.messages.len() {
            let dropped = self.messages.split_off(len);
            self.systems -= count_systems(&dropped);
        }
    }
}

fn count_systems(messages: &imbl::Vector<Arc<Message>>) -> u32 {
    messages.iter().map(|message| u32::from(message.role == Role::System)).sum()
}

impl<M: Into<Arc<Message>>> Extend<M> for Log {
    fn extend<I: IntoIterator<Item = M>>(&mut self, messages: I) {
        messages.into_iter().for_each(|message| self.push(message));
    }
}

impl<M: Into<Arc<Message>>> FromIterator<M> for Log {
    fn from_iter<I: IntoIterator<Item = M>>(messages: I) -> Self {
        let mut log = Self::default();
        log.extend(messages);
        log
    }
}

impl PartialEq for Log {
    fn eq(&self, other: &Self) -> bool {
        self.messages == other.messages
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.messages).finish()
    }
}

impl Serialize for Log {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.messages.iter())
    }
}

impl<'de> Deserialize<'de> for Log {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Message>::deserialize(deserializer)?.into_iter().collect())
    }
}
