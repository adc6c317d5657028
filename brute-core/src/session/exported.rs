//! The JSON form of a session.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Session;
use crate::{Entry, Error, ErrorKind, Log, Meta};

/// The version of the form that is written.
const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Exported {
    brute_session: u32,
    #[serde(default)]
    meta: Meta,
    messages: Log,
}

pub(super) fn write(log: &Log, meta: &Meta) -> Result<String, Error> {
    let exported = Exported { brute_session: FORMAT, meta: meta.clone(), messages: log.clone() };
    let text = serde_json::to_string_pretty(&exported).map_err(|error| {
        Error::new(ErrorKind::Store, "the session has no json form").because(error)
    })?;
    // Values that a program made may nest deeper than any reader follows: better to hear it now.
    serde_json::from_str::<Value>(&text).map_err(|error| {
        Error::new(ErrorKind::Store, "the session could not be read again").because(error)
    })?;
    Ok(text)
}

pub(super) fn read(text: &str) -> Result<Session, Error> {
    let exported: Exported = serde_json::from_str(text).map_err(|error| {
        Error::new(ErrorKind::Store, format!("no exported session: {error}")).because(error)
    })?;
    if exported.brute_session != FORMAT {
        let version = exported.brute_session;
        let message =
            format!("the session has format {version}, this version reads format {FORMAT}");
        return Err(Error::new(ErrorKind::Store, message));
    }
    let meta = exported
        .meta
        .iter()
        .map(|(key, value)| Entry::Meta { key: key.into(), value: value.clone() });
    // Messages first, so that a complaint counts them as the text does.
    Session::reopen(exported.messages.iter().cloned().map(Entry::Message).chain(meta))
}
