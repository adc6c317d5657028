//! The exchanges of a file, and how far they were replayed.

use std::{fs, path::Path, sync::Arc};

use brute_core::{Error, ErrorKind, Turn};

use super::{
    exchange::Exchange,
    request::{Asked, Request, Whole},
};
use crate::Secrets;

/// The exchanges of a file, and how many of them were replayed.
#[derive(Debug, Default)]
pub(super) struct Tape {
    exchanges: Vec<Arc<Exchange<Whole>>>,
    replayed: usize,
    /// The request that was replayed last.
    before: Asked,
}

impl Tape {
    /// Reads a file: an exchange on each line, or all of them in one array, as they once were kept.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let bytes = fs::read(path)
            .map_err(|error| broken(&format!("{}: {error}", path.display())).because(error))?;
        let is_array = bytes.trim_ascii_start().starts_with(b"[");
        let tape = if is_array { array(&bytes) } else { lines(&bytes) };
        tape.map_err(|why| broken(&format!("{}{why}", path.display())))
    }

    fn push(&mut self, exchange: Exchange<Request>) -> Result<(), String> {
        let nothing = Whole::default();
        let before = self.exchanges.last().map_or(&nothing, |last| &last.request);
        self.exchanges.push(Arc::new(exchange.try_map(|request| request.whole(before))?));
        Ok(())
    }

    /// Returns the next exchange, if the request is the one that was recorded.
    pub(super) fn next(
        &mut self,
        turn: &Turn,
        secrets: &Secrets,
    ) -> Result<Arc<Exchange<Whole>>, Error> {
        let number = self.replayed + 1;
        let Some(exchange) = self.exchanges.get(self.replayed).cloned() else {
            return Err(broken(&format!("request {number} was not recorded")));
        };
        let (nothing, asked) = (Whole::default(), Asked::of(turn));
        let last = self.replayed.checked_sub(1).map(|last| &self.exchanges[last].request);
        let before = (last.unwrap_or(&nothing), &self.before);
        if let Some(place) = exchange.request.first_difference(&asked, before, secrets) {
            return Err(broken(&format!(
                "request {number} differs from the recorded one at {place}"
            )));
        }
        (self.replayed, self.before) = (number, asked);
        Ok(exchange)
    }
}

fn array(bytes: &[u8]) -> Result<Tape, String> {
    let exchanges: Vec<Exchange<Request>> =
        serde_json::from_slice(bytes).map_err(|error| format!(": {error}"))?;
    let mut tape = Tape::default();
    for (index, exchange) in exchanges.into_iter().enumerate() {
        tape.push(exchange).map_err(|why| format!(", exchange {}: {why}", index + 1))?;
    }
    Ok(tape)
}

fn lines(bytes: &[u8]) -> Result<Tape, String> {
    let mut tape = Tape::default();
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    for (index, line) in lines.filter(|(_, line)| !line.trim_ascii().is_empty()) {
        let exchange = serde_json::from_slice(line).map_err(|error| reason(&error));
        let added = exchange.and_then(|exchange| tape.push(exchange));
        added.map_err(|why| format!(", line {}: {why}", index + 1))?;
    }
    if tape.exchanges.is_empty() {
        return Err(": it holds no exchange".to_owned());
    }
    Ok(tape)
}

/// Says what is wrong with a line; which one it is, the parser does not know.
fn reason(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return "the exchange is cut off".to_owned();
    }
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

pub(super) fn broken(what: &str) -> Error {
    Error::new(ErrorKind::Invalid, format!("the cassette does not fit: {what}"))
}
