//! Writes exchanges into a file, as they come.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Seek, SeekFrom, Write},
    path::PathBuf,
};

use brute_core::{Error, Event, Reply};
use tower::BoxError;

use super::{exchange::Exchange, request::Asked, tape::broken};
use crate::Secrets;

/// A file that exchanges are written into, one a line.
pub(super) struct Recording {
    path: PathBuf,
    /// The file, once it holds an exchange of this recording.
    file: Option<File>,
    /// Where the last whole line ends.
    end: u64,
    /// The request of the last line.
    before: Asked,
}

impl Recording {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, file: None, end: 0, before: Asked::default() }
    }

    /// Adds an exchange.
    pub(super) fn add(
        &mut self,
        asked: Asked,
        deltas: Vec<Event>,
        reply: &Reply,
        secrets: &Secrets,
    ) -> Result<(), Error> {
        let exchange = Exchange::new(asked.behind(&self.before), deltas, reply, secrets);
        let line = line(&exchange, secrets);
        line.and_then(|line| Ok(self.write(&line)?))
            .map_err(|error| broken(&format!("{}: {error}", self.path.display())).because(error))?;
        self.before = asked;
        Ok(())
    }

    /// Writes a line behind the last one, over what is left of one that could not be written.
    fn write(&mut self, line: &str) -> io::Result<()> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => self.create()?,
        };
        let end = SeekFrom::Start(self.end);
        let written = file
            .set_len(self.end)
            .and_then(|()| file.seek(end))
            .and_then(|_| file.write_all(line.as_bytes()));
        self.file = Some(file);
        written?;
        self.end += line.len() as u64;
        Ok(())
    }

    fn create(&self) -> io::Result<File> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        File::create(&self.path)
    }
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
