//! Reads a record again from its entries.

use std::{collections::HashSet, sync::Arc};

use super::{Book, Record, holds_result};
use crate::{Entry, Error, ErrorKind, Message, MessageId, Role};

/// The largest id that a stored message may have; from there the counter can go on for ever.
const LARGEST_ID: u64 = u64::MAX >> 1;

/// The ids that are taken while entries are read.
type Ids = HashSet<MessageId>;

impl Book {
    /// Rebuilds a record from its entries, in the order in which they were recorded.
    ///
    /// The metadata and ids are kept; calls without a result are closed.
    pub(crate) fn restore(entries: impl IntoIterator<Item = Entry>) -> Result<Arc<Self>, Error> {
        let book = Self::new(None);
        {
            let mut record = book.lock();
            let mut ids = HashSet::new();
            for (index, entry) in entries.into_iter().enumerate() {
                record.restore(index, entry, &mut ids)?;
            }
            record.close_open_calls(None);
        }
        Ok(book)
    }
}

impl Record {
    fn restore(&mut self, index: usize, entry: Entry, ids: &mut Ids) -> Result<(), Error> {
        match entry {
            Entry::Meta { key, value } => self.meta.set(key, value),
            Entry::Message(message) => {
                let message = self.keep_id(index, message, ids)?;
                self.restore_message(index, message, ids)?;
            }
        }
        Ok(())
    }

    fn restore_message(
        &mut self,
        index: usize,
        message: Arc<Message>,
        ids: &mut Ids,
    ) -> Result<(), Error> {
        if message.role == Role::Tool || holds_result(&message) {
            let position = self.open_slot(&message).ok_or_else(|| orphan(index, &message))?;
            self.open[position].result = Some(message);
            self.fold_results();
        } else {
            let before = self.log.len();
            self.close_open_calls(None);
            ids.extend(self.log.since(before).map(|closed| closed.id));
            self.open_calls_of(&message);
            self.log.push(message);
        }
        Ok(())
    }

    /// Keeps the id of a stored message; gives one where there is none or where it would repeat.
    ///
    /// Ids tell the order of arrival, so those of results need not rise in the order of the log.
    fn keep_id(
        &mut self,
        index: usize,
        message: Arc<Message>,
        ids: &mut Ids,
    ) -> Result<Arc<Message>, Error> {
        if message.id.0 > LARGEST_ID {
            return Err(absurd_id(index, message.id));
        }
        let message = if message.id.is_given() && !ids.contains(&message.id) {
            self.last_id = self.last_id.max(message.id.0);
            message
        } else {
            self.identify(message)
        };
        ids.insert(message.id);
        Ok(message)
    }
}

fn absurd_id(index: usize, id: MessageId) -> Error {
    let message = format!(
        "entry {index} has the message id {}, the largest one is {LARGEST_ID}: remove the id, and the message gets a new one",
        id.0,
    );
    Error::new(ErrorKind::Store, message)
}

fn orphan(index: usize, message: &Message) -> Error {
    let ids: Vec<_> = message.tool_results().map(|result| &*result.call_id).collect();
    let message = format!(
        "entry {index} holds tool results for {ids:?}, but no call of the assistant message before it waits \
         for exactly that one result: remove the entry, or give each call one message with one result",
    );
    Error::new(ErrorKind::Store, message)
}
