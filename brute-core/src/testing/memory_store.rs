//! A store that keeps entries where a test can look at them.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use futures::{FutureExt, future::BoxFuture};

use super::pending;
use crate::{Entry, Error, Store};

/// Keeps entries in memory and knows how many were made durable; a clone is the same store.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    entries: Arc<Mutex<Vec<Entry>>>,
    durable: Arc<AtomicUsize>,
    pending: usize,
}

impl MemoryStore {
    /// Creates a store whose `flush` returns to the executor so many times before it is done.
    pub fn slow(pending: usize) -> Self {
        Self { pending, ..Self::default() }
    }

    /// Returns all entries in the order they were appended.
    pub fn entries(&self) -> Vec<Entry> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns how many entries were made durable.
    pub fn durable(&self) -> usize {
        self.durable.load(Ordering::SeqCst)
    }
}

impl Store for MemoryStore {
    fn append(&self, entry: &Entry) {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).push(entry.clone());
    }

    fn flush(&self) -> BoxFuture<'static, Result<(), Error>> {
        let (store, appended) = (self.clone(), self.entries().len());
        async move {
            pending(store.pending).await;
            store.durable.fetch_max(appended, Ordering::SeqCst);
            Ok(())
        }
        .boxed()
    }
}
