//! What a session remembers besides its messages.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The metadata of a session, ordered by key; a clone shares everything.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Meta(imbl::OrdMap<Arc<str>, Arc<Value>>);

impl Meta {
    /// Returns what is remembered under a key.
    pub fn get(&self, key: &str) -> Option<&Arc<Value>> {
        self.0.get(key)
    }

    /// Iterates over everything, ordered by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Arc<Value>)> {
        self.0.iter().map(|(key, value)| (&**key, value))
    }

    /// Remembers a value for the layers below; [`Journal::remember`](crate::Journal::remember)
    /// makes it part of the session.
    pub fn set(&mut self, key: impl Into<Arc<str>>, value: impl Into<Arc<Value>>) {
        self.0.insert(key.into(), value.into());
    }
}

impl fmt::Debug for Meta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
