//! A key that is never shown.

use std::{fmt, sync::Arc};

/// What stands where a key would stand.
const HIDDEN: &str = "[key]";

/// The key of a provider; neither `Debug` nor an error shows it.
#[derive(Clone)]
pub(in crate::models) struct Key(Arc<str>);

impl Key {
    pub(in crate::models) fn new(key: impl Into<String>) -> Self {
        Self(key.into().into())
    }

    /// Returns the key itself; whoever calls this must not let it out.
    pub(in crate::models) fn expose(&self) -> &str {
        &self.0
    }

    /// Takes the key out of a text that somebody else wrote, such as a provider's error.
    pub(in crate::models) fn hide_in(&self, text: String) -> String {
        if self.0.is_empty() || !text.contains(&*self.0) {
            return text;
        }
        text.replace(&*self.0, HIDDEN)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}
