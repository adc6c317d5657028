//! The one writer of a session's record during a turn.
//!
//! A handle carries the epoch of its turn: once the turn has ended it records nothing more, so a
//! task that some layer left behind cannot write into the next turn.

mod attempt;
mod book;
mod open_calls;
mod store;

use std::{fmt, sync::Arc};

use serde_json::Value;

use self::book::Writer;
pub(crate) use self::book::{Book, Lease};
pub use self::{
    attempt::Attempt,
    open_calls::OpenCalls,
    store::{Entry, Store},
};
use crate::{Error, Log, Message};

/// Records what happens in a turn; recording is synchronous and cannot fail.
#[derive(Clone)]
pub struct Journal {
    book: Arc<Book>,
    epoch: u64,
    seen: usize,
    /// How many attempts this handle is within.
    depth: usize,
}

impl Journal {
    pub(crate) fn new(book: Arc<Book>, epoch: u64) -> Self {
        Self { book, epoch, seen: 0, depth: 0 }
    }

    /// Records a message and returns it as it was recorded, with its id.
    ///
    /// A message that this turn has recorded already is returned as it stands there. A tool result
    /// without an open call is not recorded, nor is one that is not alone in its message. Calls
    /// that are still open when another message comes are closed first.
    pub fn record(&self, message: Arc<Message>) -> Arc<Message> {
        match self.writer() {
            Some(mut writer) => writer.record(message),
            None => message,
        }
    }

    /// Records the user's input and appends it to the log.
    ///
    /// A turn has one input: when the turn passes here again, what was recorded first stands, and
    /// the log gets that.
    pub fn accept(&mut self, input: Arc<Message>, log: &mut Log) {
        let (position, message) = match self.writer() {
            Some(mut writer) => writer.accept(input),
            None => (0, input),
        };
        log.push(message);
        self.seen = position + 1;
    }

    /// Records the result of the call at a position of the last assistant message.
    ///
    /// Results may come in any order; the log gets them in the order of the calls.
    pub fn record_result(&self, position: usize, result: Arc<Message>) -> Arc<Message> {
        match self.writer() {
            Some(mut writer) => writer.record_result(position, result),
            None => result,
        }
    }

    /// Records what is not recorded yet, in order, and returns how much that was.
    pub fn record_missing(&self, messages: &[Arc<Message>]) -> usize {
        self.writer().map_or(0, |mut writer| writer.record_missing(messages))
    }

    /// Records what is not recorded yet, in order, and returns all messages as they were recorded.
    pub fn record_all(&self, messages: Vec<Arc<Message>>) -> Vec<Arc<Message>> {
        match self.writer() {
            Some(mut writer) => writer.record_all(messages),
            None => messages,
        }
    }

    /// Makes a value part of the session's metadata.
    pub fn remember(&self, key: impl Into<Arc<str>>, value: impl Into<Arc<Value>>) {
        if let Some(mut writer) = self.writer() {
            writer.remember(key.into(), value.into());
        }
    }

    /// Returns what the session remembers under a key, as it is now.
    pub fn remembered(&self, key: &str) -> Option<Arc<Value>> {
        self.book.remembered(key)
    }

    /// Keeps a value with the session in memory, by its type; it is not part of the record.
    pub fn keep<T: Clone + Send + Sync + 'static>(&self, value: T) {
        self.book.memory(|memory| drop(memory.insert(value)));
    }

    /// Returns a value that [`keep`](Self::keep) kept, be it in this turn or an earlier one.
    pub fn kept<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
        self.book.memory(|memory| memory.get::<T>().cloned())
    }

    /// Returns how many messages this turn has recorded.
    pub fn recorded(&self) -> usize {
        self.writer().map_or(0, |writer| writer.recorded())
    }

    /// Returns how many of them the log of this turn holds already.
    pub fn seen(&self) -> usize {
        self.seen
    }

    /// Returns what this turn has recorded, from a position on.
    pub fn entries(&self, from: usize) -> Vec<Arc<Message>> {
        self.writer().map(|writer| writer.entries(from)).unwrap_or_default()
    }

    /// Says that the log holds all that is recorded.
    pub fn mark_seen(&mut self) {
        self.seen = self.recorded();
    }

    /// Closes open calls and appends what this turn recorded and the log does not hold yet.
    pub fn catch_up(&mut self, log: &mut Log) -> Vec<Arc<Message>> {
        self.close_open_calls();
        let missed = self.entries(self.seen);
        self.seen += missed.len();
        log.extend(missed.iter().cloned());
        missed
    }

    /// Answers every call that has no result yet with an error result, "cancelled".
    pub fn close_open_calls(&self) {
        if let Some(mut writer) = self.writer() {
            writer.close_open_calls();
        }
    }

    /// Returns a guard that closes open calls when it is dropped.
    pub fn open_calls(&self) -> OpenCalls {
        OpenCalls::new(self.clone())
    }

    /// Begins an attempt at the turn, which lasts until the guard is dropped.
    ///
    /// One attempt may follow another, as under a retry, and with this very handle one may begin
    /// within another, as where a loop stands within a loop.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Invalid`](crate::ErrorKind::Invalid) if another attempt at the turn
    /// is running: what both record would mix.
    pub fn attempt(&mut self) -> Result<Attempt, Error> {
        let attempt = Attempt::begin(&self.book, self.epoch, self.depth)?;
        self.depth += 1;
        Ok(attempt)
    }

    /// Makes all that is recorded durable.
    ///
    /// # Errors
    /// Fails with the error of the session's store.
    pub async fn flush(&self) -> Result<(), Error> {
        match self.book.store() {
            Some(store) => store.flush().await,
            None => Ok(()),
        }
    }

    fn writer(&self) -> Option<Writer<'_>> {
        self.book.writer(self.epoch)
    }

    /// Tells whether two handles write the record of the same turn.
    pub fn is_same_turn(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.book, &other.book) && self.epoch == other.epoch
    }
}

impl Default for Journal {
    /// Creates the journal of a turn that belongs to no session, for tests of a single layer.
    fn default() -> Self {
        Book::detached()
    }
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal")
            .field("recorded", &self.recorded())
            .field("seen", &self.seen)
            .finish_non_exhaustive()
    }
}
