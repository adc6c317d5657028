//! The exchanges of a file, and how far they were replayed.

use std::{fs, path::Path, sync::Arc};

use brute_core::{Error, ErrorKind, Turn};

use super::{
    exchange::Exchange,
    request::{Asked, Request, Whole},
    sought::{Place, Sought},
};
use crate::Secrets;

/// The exchanges of a file, and which of them were replayed.
#[derive(Debug, Default)]
pub(super) struct Tape {
    exchanges: Vec<Recorded>,
}

/// An exchange that was recorded.
#[derive(Debug)]
struct Recorded {
    exchange: Arc<Exchange<Whole>>,
    /// The place of the exchange that it continues.
    after: Option<usize>,
    /// What was asked, once it was replayed.
    asked: Option<Asked>,
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
        let after = self.continued_by(&exchange.request)?;
        let nothing = Whole::default();
        let before = after.map_or(&nothing, |place| &self.exchanges[place].exchange.request);
        let exchange = Arc::new(exchange.try_map(|request| request.whole(before))?);
        self.exchanges.push(Recorded { exchange, after, asked: None });
        Ok(())
    }

    /// Returns the place of the exchange that a request continues: the last one, if it names none.
    fn continued_by(&self, request: &Request) -> Result<Option<usize>, String> {
        let there = self.exchanges.len();
        match request.after {
            None => Ok(there.checked_sub(1)),
            Some(number @ 1..) if number <= there => Ok(Some(number - 1)),
            Some(number) => Err(format!("it continues exchange {number} of {there}")),
        }
    }

    /// Returns the first exchange that was not replayed yet and answers this request.
    pub(super) fn next(
        &mut self,
        turn: &Turn,
        secrets: &Secrets,
    ) -> Result<Arc<Exchange<Whole>>, Error> {
        let sought = Sought::of(turn, secrets);
        let found = self.unused().find(|place| self.first_place(*place, &sought).is_none());
        let Some(found) = found else { return Err(self.refusal(&sought)) };
        let recorded = &mut self.exchanges[found];
        recorded.asked = Some(sought.asked);
        Ok(recorded.exchange.clone())
    }

    fn unused(&self) -> impl Iterator<Item = usize> {
        let exchanges = self.exchanges.iter().enumerate();
        exchanges.filter(|(_, recorded)| recorded.asked.is_none()).map(|(place, _)| place)
    }

    fn first_place<'a>(&'a self, place: usize, sought: &'a Sought) -> Option<Place<'a>> {
        let recorded = &self.exchanges[place];
        let before = recorded.after.map(|after| &self.exchanges[after]);
        let before = before.and_then(|it| Some((&it.exchange.request, it.asked.as_ref()?)));
        recorded.exchange.request.first_place(sought, before)
    }

    /// Says what differs from the next exchange, or that there is none.
    fn refusal(&self, sought: &Sought) -> Error {
        let Some(next) = self.unused().next() else {
            let number = self.exchanges.len() + 1;
            return broken(&format!("request {number} was not recorded"));
        };
        let difference = self.first_place(next, sought).map(|place| place.difference());
        let difference = difference.unwrap_or_default();
        broken(&format!("request {} differs from the recorded one at {difference}", next + 1))
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
