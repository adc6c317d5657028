//! A conversation that is kept: a cheap handle on its record.

mod exported;

use std::sync::Arc;

use serde_json::Value;

use crate::{
    Entry, Error, Log, Message, Meta, Store,
    input::check_said,
    journal::{Book, Lease},
};

/// A conversation that is kept from turn to turn; a clone is another handle on the same one.
///
/// A session runs one turn at a time: a second one is refused with
/// [`ErrorKind::Busy`](crate::ErrorKind::Busy).
#[derive(Clone, Debug)]
pub struct Session {
    book: Arc<Book>,
}

impl Session {
    /// Creates an empty session in memory.
    pub fn new() -> Self {
        Self { book: Book::new(None) }
    }

    /// Creates an empty session whose entries are handed to a store as they come.
    pub fn with_store(store: Arc<dyn Store>) -> Self {
        Self { book: Book::new(Some(store)) }
    }

    /// Creates a session in memory that goes on from a log.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Store`](crate::ErrorKind::Store) if a tool result answers no call.
    pub fn from_log(log: &Log) -> Result<Self, Error> {
        Self::reopen(log.iter().cloned().map(Entry::Message))
    }

    /// Creates a session in memory from the entries of a store, in the order they were appended.
    ///
    /// Results are folded in call order, as they were when they were recorded; calls whose result
    /// never came are closed.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Store`](crate::ErrorKind::Store) if a tool result answers no call.
    pub fn reopen(entries: impl IntoIterator<Item = Entry>) -> Result<Self, Error> {
        Ok(Self { book: Book::restore(entries)? })
    }

    /// Returns the conversation so far; during a turn without a message whose calls are open.
    pub fn log(&self) -> Log {
        self.book.log()
    }

    /// Returns what the session remembers besides its messages.
    pub fn meta(&self) -> Meta {
        self.book.meta()
    }

    /// Makes a value part of the session's metadata; layers see it from the next turn on.
    pub fn remember(&self, key: impl Into<Arc<str>>, value: impl Into<Value>) {
        self.book.remember_idle(key.into(), Arc::new(value.into()));
    }

    /// Tells whether a turn is running.
    pub fn is_busy(&self) -> bool {
        self.book.is_leased()
    }

    /// Appends a message between two turns, such as an example or a summary from elsewhere.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Busy`](crate::ErrorKind::Busy) during a turn, and with
    /// [`ErrorKind::Invalid`](crate::ErrorKind::Invalid) for tool calls and results.
    pub fn push(&self, message: Message) -> Result<(), Error> {
        check_said(&message)?;
        let (lease, ..) = self.lease()?;
        lease.journal().record(Arc::new(message));
        Ok(())
    }

    /// Creates a session in memory that goes on from here by itself, in constant time.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self { book: self.book.fork() }
    }

    /// Writes the session as JSON.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Store`](crate::ErrorKind::Store) if a part has no JSON form.
    pub fn to_json(&self) -> Result<String, Error> {
        exported::write(&self.log(), &self.meta())
    }

    /// Reads a session that [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Store`](crate::ErrorKind::Store) if the text is no session, has
    /// another format, or holds a tool result that answers no call.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        exported::read(text)
    }

    pub(crate) fn lease(&self) -> Result<(Lease, Log, Meta), Error> {
        self.book.lease()
    }
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}
