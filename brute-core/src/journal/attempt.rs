//! One attempt at a turn at a time.

use super::Journal;
use crate::{Error, ErrorKind};

/// What a second attempt is refused with while the first one runs.
const TWICE: &str = "a turn cannot be attempted twice at the same time: a layer above the tool loop called it again while its first call was running; put Hedge below Journal";

/// An attempt at a turn, which ends when this is dropped; made by [`Journal::attempt`].
#[derive(Debug)]
#[must_use = "the attempt ends when this is dropped"]
pub struct Attempt(Journal);

impl Attempt {
    pub(super) fn new(journal: Journal) -> Self {
        Self(journal)
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        if let Some(mut writer) = self.0.writer() {
            writer.attempts().leave();
        }
    }
}

/// How many attempts at a turn are running, each within the one before.
#[derive(Debug, Default)]
pub(super) struct Attempts(usize);

impl Attempts {
    /// Begins an attempt within so many others; refuses while one more is running.
    pub(super) fn enter(&mut self, depth: usize) -> Result<(), Error> {
        if self.0 > depth {
            return Err(Error::new(ErrorKind::Invalid, TWICE));
        }
        self.0 += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.0 = self.0.saturating_sub(1);
    }
}
