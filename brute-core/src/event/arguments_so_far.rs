//! The arguments of a tool call as far as they have come.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The arguments of a tool call as far as they have come; a clone is one reference count.
///
/// All that is streamed of one call shares its text, so a piece costs its own length, however much
/// came before; [`text`](Self::text) copies it for who wants to read. What is read from an event
/// stays as it was then, whatever comes later.
///
/// ```
/// use brute_core::ArgumentsSoFar;
///
/// let mut arguments = ArgumentsSoFar::default();
/// arguments.push(r#"{"path": "#);
/// let then = arguments.clone();
/// arguments.push(r#""src"}"#);
/// assert_eq!(then, r#"{"path": "#);
/// assert_eq!(arguments.text(), r#"{"path": "src"}"#);
/// ```
#[derive(Clone, Default)]
pub struct ArgumentsSoFar {
    /// What all handles share; it only grows.
    shared: Arc<Mutex<String>>,
    /// How much of it was there when this handle was made.
    len: usize,
}

impl ArgumentsSoFar {
    /// Adds a piece; clones keep what they have.
    pub fn push(&mut self, delta: &str) {
        let mut shared = lock(&self.shared);
        if shared.len() == self.len {
            shared.push_str(delta);
            self.len = shared.len();
        } else {
            // A clone has gone on by itself: what is said from here on is another text.
            let own = [&shared[..self.len], delta].concat();
            drop(shared);
            *self = own.into();
        }
    }

    /// Returns the text, which is copied; see [`partial_json`](crate::partial_json) for reading it.
    pub fn text(&self) -> String {
        lock(&self.shared)[..self.len].to_owned()
    }

    /// Returns the length of the text, in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Tells whether nothing has come yet.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

fn lock(shared: &Mutex<String>) -> MutexGuard<'_, String> {
    // Pushing onto a text leaves it whole even if it panics.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl From<String> for ArgumentsSoFar {
    fn from(text: String) -> Self {
        Self { len: text.len(), shared: Arc::new(Mutex::new(text)) }
    }
}

impl From<&str> for ArgumentsSoFar {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl PartialEq for ArgumentsSoFar {
    fn eq(&self, other: &Self) -> bool {
        let is_shared = Arc::ptr_eq(&self.shared, &other.shared);
        // One lock at a time: two could wait for each other.
        self.len == other.len && (is_shared || self.text() == other.text())
    }
}

impl Eq for ArgumentsSoFar {}

impl PartialEq<str> for ArgumentsSoFar {
    fn eq(&self, other: &str) -> bool {
        lock(&self.shared)[..self.len] == *other
    }
}

impl PartialEq<&str> for ArgumentsSoFar {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl fmt::Display for ArgumentsSoFar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A copy, because the lock is not held while a stranger writes.
        fmt::Display::fmt(&self.text(), f)
    }
}

impl fmt::Debug for ArgumentsSoFar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text(), f)
    }
}
