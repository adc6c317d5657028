//! Writes exchanges into a file, as they come.

use std::{
    collections::VecDeque,
    fmt,
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    path::PathBuf,
};

use brute_core::{Error, ErrorKind, Event, Reply};
use tower::BoxError;

use super::{
    exchange::Exchange,
    new_file,
    request::{Asked, Request},
};
use crate::Secrets;

/// Among how many of the last lines is looked for the one that a request continues: as many
/// conversations may take turns.
const MOST_CONTINUED: usize = 64;

/// A file that exchanges are written into, one a line.
pub(super) struct Recording {
    path: PathBuf,
    /// The file, once it holds an exchange of this recording.
    file: Option<File>,
    /// Where the last whole line ends.
    end: u64,
    /// How many lines there are.
    count: usize,
    /// The requests of the last lines, the latest in front.
    latest: VecDeque<Asked>,
}

impl Recording {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, file: None, end: 0, count: 0, latest: VecDeque::new() }
    }

    /// Adds an exchange.
    pub(super) fn add(
        &mut self,
        asked: Asked,
        deltas: Vec<Event>,
        reply: &Reply,
        secrets: &Secrets,
    ) -> Result<(), Error> {
        let exchange = Exchange::new(self.request(&asked), deltas, reply, secrets);
        let line = line(&exchange, secrets);
        line.and_then(|line| Ok(self.write(&line)?)).map_err(|error| {
            unwritten(&format!("{}: {error}", self.path.display())).because(error)
        })?;
        self.count += 1;
        self.latest.truncate(MOST_CONTINUED - 1);
        self.latest.push_front(asked);
        Ok(())
    }

    /// Returns what a line holds of a request: it continues the one with which it shares most.
    fn request(&self, asked: &Asked) -> Request {
        let shared = self.latest.iter().map(|before| asked.shared_with(before)).enumerate();
        // Of those that share as much, the latest one needs no number.
        let best = shared.rev().max_by_key(|(_, shared)| *shared);
        let back = best.map_or(0, |(back, _)| back);
        let after = (back > 0).then(|| self.count - back);
        let nothing = Asked::default();
        asked.behind(self.latest.get(back).unwrap_or(&nothing), after)
    }

    /// Writes a line behind the last one; what is left of one that could not be written goes.
    fn write(&mut self, line: &str) -> io::Result<()> {
        match &mut self.file {
            Some(file) => append(file, self.end, line)?,
            None => self.file = Some(new_file::replace(&self.path, line)?),
        }
        self.end += line.len() as u64;
        Ok(())
    }
}

/// Says that there is no recording.
pub(super) fn unwritten(why: &str) -> Error {
    Error::new(ErrorKind::Invalid, format!("the cassette cannot be written: {why}"))
}

fn append(file: &mut File, end: u64, line: &str) -> io::Result<()> {
    file.set_len(end)?;
    file.seek(SeekFrom::Start(end))?;
    let written = file.write_all(line.as_bytes());
    if written.is_err() {
        // Half a line would make the whole file unreadable; that it failed is told anyway.
        drop(file.set_len(end));
    }
    written
}

fn line<R: serde::Serialize>(
    exchange: &Exchange<R>,
    secrets: &Secrets,
) -> Result<String, BoxError> {
    let mut value = serde_json::to_value(exchange)?;
    for member in ["request", "reply"] {
        secrets.redact_value(&mut value[member]);
    }
    Ok(format!("{value}\n"))
}

impl fmt::Debug for Recording {
    /// Leaves out what was said, which may hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording").field("path", &self.path).finish_non_exhaustive()
    }
}
