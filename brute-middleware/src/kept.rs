//! What a session keeps in its metadata, read back.

use brute_core::{Event, Turn};
use serde::de::DeserializeOwned;

/// Reads what a session keeps under a key; nothing where it keeps nothing, or nothing readable.
pub(crate) fn read<T: DeserializeOwned>(turn: &Turn, key: &str) -> Option<T> {
    serde_json::from_value((*turn.journal.remembered(key)?).clone()).ok()
}

/// Tells that something is kept and cannot be read, where it is about to be made anew.
pub(crate) fn tell_unreadable<T: DeserializeOwned>(turn: &Turn, key: &str) {
    let kept = turn.journal.remembered(key).filter(|kept| !kept.is_null());
    let error = kept.and_then(|kept| serde_json::from_value::<T>((*kept).clone()).err());
    if let Some(error) = error {
        turn.events.emit(|| {
            Event::diagnostic(format!(
                "what the session keeps as {key:?} cannot be read, so it is made anew: {error}"
            ))
        });
    }
}
