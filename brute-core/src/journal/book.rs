//! The record of a session, shared by its handles.
//!
//! It is valid after every change: each call has exactly one result, or is open and belongs to the
//! last assistant message. That is kept when something is appended, never re-established by a scan.

mod restore;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::{Entry, Journal, Store, attempt::Attempts};
use crate::{Error, ErrorKind, Log, Message, MessageId, Meta, Part, Role, ToolResult};

/// What a call without a result is answered with.
const CANCELLED: &str = "cancelled: the call was interrupted and may or may not have had an effect";

#[derive(Debug)]
pub(crate) struct Book {
    record: Mutex<Record>,
    /// What layers keep between turns and never write down.
    memory: Mutex<http::Extensions>,
    attempts: Attempts,
    store: Option<Arc<dyn Store>>,
}

/// One call of the last assistant message and the result that has come for it.
#[derive(Debug)]
struct Slot {
    call_id: Arc<str>,
    result: Option<Arc<Message>>,
}

#[derive(Debug, Default)]
struct Record {
    log: Log,
    meta: Meta,
    last_id: u64,
    epoch: u64,
    leased: bool,
    /// Where the turn began: its first position in the log and its first id.
    start: usize,
    first_id: u64,
    /// The position, within the turn, and the message of the turn's input.
    input: Option<(usize, Arc<Message>)>,
    /// The calls of the last assistant message; those before `answered` are in the log.
    open: Vec<Slot>,
    answered: usize,
}

impl Book {
    pub(crate) fn new(store: Option<Arc<dyn Store>>) -> Arc<Self> {
        Arc::new(Self {
            record: Mutex::default(),
            memory: Mutex::default(),
            attempts: Attempts::default(),
            store,
        })
    }

    /// Copies the record, without a message whose calls are open, into memory.
    pub(crate) fn fork(&self) -> Arc<Self> {
        let (log, record) = (self.log(), self.lock());
        let copy =
            Record { log, meta: record.meta.clone(), last_id: record.last_id, ..Record::default() };
        Arc::new(Self {
            record: Mutex::new(copy),
            memory: Mutex::default(),
            attempts: Attempts::default(),
            store: None,
        })
    }

    /// A journal with a lease that nobody ends.
    pub(super) fn detached() -> Journal {
        let book = Self::new(None);
        book.lock().begin();
        Journal::new(book, 1)
    }

    /// Begins a turn; refuses while another one runs.
    pub(crate) fn lease(self: &Arc<Self>) -> Result<(Lease, Log, Meta), Error> {
        let mut record = self.lock();
        if record.leased {
            return Err(Error::new(ErrorKind::Busy, "a turn is already running on this session"));
        }
        record.begin();
        let journal = Journal::new(self.clone(), record.epoch);
        Ok((Lease(journal), record.log.clone(), record.meta.clone()))
    }

    /// Returns the log without an assistant message whose calls are still open.
    pub(crate) fn log(&self) -> Log {
        let record = self.lock();
        let mut log = record.log.clone();
        if !record.open.is_empty() {
            log.truncate(log.len() - record.answered - 1);
        }
        log
    }

    pub(crate) fn meta(&self) -> Meta {
        self.lock().meta.clone()
    }

    pub(super) fn attempts(&self) -> &Attempts {
        &self.attempts
    }

    /// Works on what layers keep between turns.
    pub(super) fn memory<T>(&self, work: impl FnOnce(&mut http::Extensions) -> T) -> T {
        work(&mut self.memory.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn remembered(&self, key: &str) -> Option<Arc<Value>> {
        self.lock().meta.get(key).cloned()
    }

    pub(crate) fn is_leased(&self) -> bool {
        self.lock().leased
    }

    /// Remembers a value between two turns.
    pub(crate) fn remember_idle(&self, key: Arc<str>, value: Arc<Value>) {
        self.lock().remember(self.store.as_deref(), key, value);
    }

    pub(super) fn store(&self) -> Option<&Arc<dyn Store>> {
        self.store.as_ref()
    }

    /// Opens the record for writing, if the turn of that epoch is still running.
    pub(super) fn writer(&self, epoch: u64) -> Option<Writer<'_>> {
        let record = self.lock();
        let is_live = record.leased && record.epoch == epoch;
        is_live.then(|| Writer { record, store: self.store.as_deref() })
    }

    fn lock(&self) -> MutexGuard<'_, Record> {
        // Nothing in here panics half-way; a poisoned lock still guards a whole record.
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to write the record; ends the turn when it is dropped.
#[derive(Debug)]
pub(crate) struct Lease(Journal);

impl Lease {
    pub(crate) fn journal(&self) -> &Journal {
        &self.0
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Journal { book, epoch, .. } = &self.0;
        if let Some(mut writer) = book.writer(*epoch) {
            writer.close_open_calls();
            writer.record.leased = false;
        }
    }
}

/// The record and the store that is told of every change.
pub(super) struct Writer<'a> {
    record: MutexGuard<'a, Record>,
    store: Option<&'a dyn Store>,
}

impl Writer<'_> {
    pub(super) fn record(&mut self, message: Arc<Message>) -> Arc<Message> {
        if message.role == Role::Tool || holds_result(&message) {
            return match self.record.open_slot(&message) {
                Some(position) => self.record_result(position, message),
                None => message,
            };
        }
        if let Some(known) = self.record.find_in_turn(message.id) {
            return known;
        }
        self.record.close_open_calls(self.store);
        self.record.append(self.store, message)
    }

    pub(super) fn accept(&mut self, input: Arc<Message>) -> (usize, Arc<Message>) {
        if let Some(accepted) = &self.record.input {
            return accepted.clone();
        }
        self.record.close_open_calls(self.store);
        let position = self.recorded();
        let accepted = (position, self.record.append(self.store, input));
        self.record.input = Some(accepted.clone());
        accepted
    }

    pub(super) fn record_result(&mut self, position: usize, result: Arc<Message>) -> Arc<Message> {
        match self.record.fill(position, result) {
            Ok(recorded) => {
                self.record.tell_results(self.store, position);
                self.record.fold_results();
                recorded
            }
            Err(refused) => refused,
        }
    }

    /// Records those messages that are not recorded yet; in the usual case all are, in this order.
    pub(super) fn record_missing(&mut self, messages: &[Arc<Message>]) -> usize {
        let before = self.record.log.len();
        let known = self.record.count_leading_recorded(messages);
        for message in &messages[known..] {
            self.record(message.clone());
        }
        self.record.log.len() - before
    }

    /// Records what is not recorded yet, and returns all as it was recorded.
    pub(super) fn record_all(&mut self, mut messages: Vec<Arc<Message>>) -> Vec<Arc<Message>> {
        if self.record.ends_with(&messages) {
            return messages;
        }
        let known = self.record.count_leading_recorded(&messages);
        let rest = messages.split_off(known);
        messages.extend(rest.into_iter().map(|message| self.record(message)));
        messages
    }

    pub(super) fn remember(&mut self, key: Arc<str>, value: Arc<Value>) {
        self.record.remember(self.store, key, value);
    }

    pub(super) fn recorded(&self) -> usize {
        self.record.log.len() - self.record.start
    }

    pub(super) fn entries(&self, from: usize) -> Vec<Arc<Message>> {
        self.record.log.since(self.record.start + from).cloned().collect()
    }

    pub(super) fn close_open_calls(&mut self) {
        self.record.close_open_calls(self.store);
    }
}

fn tell(store: Option<&dyn Store>, entry: impl FnOnce() -> Entry) {
    if let Some(store) = store {
        store.append(&entry());
    }
}

impl Record {
    fn begin(&mut self) {
        self.leased = true;
        self.epoch += 1;
        self.start = self.log.len();
        self.first_id = self.last_id + 1;
        self.input = None;
    }

    fn remember(&mut self, store: Option<&dyn Store>, key: Arc<str>, value: Arc<Value>) {
        tell(store, || Entry::Meta { key: key.clone(), value: value.clone() });
        self.meta.set(key, value);
    }

    /// Appends a message that is no tool result, under a new id.
    fn append(&mut self, store: Option<&dyn Store>, message: Arc<Message>) -> Arc<Message> {
        let message = self.identify(message);
        self.log.push(message.clone());
        self.open_calls_of(&message);
        // Last, so that the record is whole even if the store panics.
        tell(store, || Entry::Message(message.clone()));
        message
    }

    fn identify(&mut self, mut message: Arc<Message>) -> Arc<Message> {
        self.last_id += 1;
        Arc::make_mut(&mut message).id = MessageId(self.last_id);
        message
    }

    fn open_calls_of(&mut self, message: &Message) {
        self.open.extend(
            message.tool_calls().map(|call| Slot { call_id: call.id.clone(), result: None }),
        );
    }

    /// Finds a message that this turn has recorded.
    fn find_in_turn(&self, id: MessageId) -> Option<Arc<Message>> {
        if id.0 < self.first_id || id.0 > self.last_id {
            return None;
        }
        self.log
            .iter()
            .rev()
            .take(self.log.len() - self.start)
            .find(|message| message.id == id)
            .cloned()
    }

    /// Counts how many messages at the head of a list stand in this turn's record in that order.
    fn count_leading_recorded(&self, messages: &[Arc<Message>]) -> usize {
        let mut wanted = messages.iter().peekable();
        for recorded in self.log.since(self.start) {
            wanted.next_if(|message| Arc::ptr_eq(message, recorded));
        }
        messages.len() - wanted.len()
    }

    /// Tells whether these messages are the newest of the record: the usual case, and a quick look.
    fn ends_with(&self, messages: &[Arc<Message>]) -> bool {
        let Some(from) = self.log.len().checked_sub(messages.len()) else { return false };
        self.log.since(from).zip(messages).all(|(recorded, message)| Arc::ptr_eq(recorded, message))
    }

    /// Finds the first open call that a result answers.
    fn open_slot(&self, message: &Message) -> Option<usize> {
        let answers = only_result(message)?;
        let is_open = |slot: &Slot| slot.call_id == answers.call_id && slot.result.is_none();
        Some(self.answered + self.open.get(self.answered..)?.iter().position(is_open)?)
    }

    /// Puts a result into an open slot; gives it back where none waits for it.
    fn fill(
        &mut self,
        position: usize,
        result: Arc<Message>,
    ) -> Result<Arc<Message>, Arc<Message>> {
        let call_id = only_result(&result).map(|result| &result.call_id);
        let is_due = position >= self.answered
            && self
                .open
                .get(position)
                .is_some_and(|slot| slot.result.is_none() && Some(&slot.call_id) == call_id);
        if !is_due {
            return Err(result);
        }
        let result = self.identify(result);
        self.open[position].result = Some(result.clone());
        Ok(result)
    }

    /// Tells the store of a result that came, and of those that waited for it.
    ///
    /// When entries are read again, a result goes to the first open call of its id. So where one id
    /// stands for several calls, a later one's result waits for those before it.
    fn tell_results(&self, store: Option<&dyn Store>, position: usize) {
        if store.is_none() {
            return;
        }
        let call_id = &self.open[position].call_id;
        let is_same = |slot: &&Slot| slot.call_id == *call_id;
        let mut before = self.open[self.answered..position].iter().filter(is_same);
        if before.any(|slot| slot.result.is_none()) {
            return;
        }
        let slots = self.open[position..].iter().filter(is_same);
        for result in slots.map_while(|slot| slot.result.as_ref()) {
            tell(store, || Entry::Message(result.clone()));
        }
    }

    /// Moves results into the log as far as they have come, in the order of the calls.
    fn fold_results(&mut self) {
        while let Some(slot) = self.open.get_mut(self.answered) {
            let Some(result) = slot.result.take() else { return };
            self.log.push(result);
            self.answered += 1;
        }
        self.open.clear();
        self.answered = 0;
    }

    fn close_open_calls(&mut self, store: Option<&dyn Store>) {
        if self.open.is_empty() {
            return;
        }
        for position in self.answered..self.open.len() {
            if self.open[position].result.is_none() {
                let result = ToolResult::error(self.open[position].call_id.clone(), CANCELLED);
                if self.fill(position, Arc::new(Message::tool_result(result))).is_ok() {
                    self.tell_results(store, position);
                }
            }
        }
        self.fold_results();
    }
}

fn holds_result(message: &Message) -> bool {
    message.tool_results().next().is_some()
}

/// Returns the result of a tool's message that is nothing but that.
fn only_result(message: &Message) -> Option<&ToolResult> {
    match message.parts.as_slice() {
        [Part::ToolResult(result)] if message.role == Role::Tool => Some(result),
        _ => None,
    }
}
