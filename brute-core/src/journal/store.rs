//! Where a session's record is kept.

use std::{fmt::Debug, sync::Arc};

use futures::future::BoxFuture;
use serde_json::Value;

use crate::{Error, Message};

/// One entry of a session's record, in the order in which it happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A message; tool results come as they arrive, not in the order of the calls.
    Message(Arc<Message>),
    /// A value of the session's metadata.
    Meta {
        /// The key.
        key: Arc<str>,
        /// The value.
        value: Arc<Value>,
    },
}

/// Keeps the record of one session.
pub trait Store: Debug + Send + Sync + 'static {
    /// Takes an entry; it may wait in memory until [`flush`](Self::flush).
    fn append(&self, entry: &Entry);

    /// Makes all entries durable.
    ///
    /// It is awaited before the first model call of a turn, before tools start, before each further
    /// model call, and before the turn returns.
    fn flush(&self) -> BoxFuture<'static, Result<(), Error>>;
}
