//! One attempt at a turn at a time.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::SeqCst},
};

use super::Book;
use crate::{Error, ErrorKind};

/// What a second attempt is refused with while the first one runs.
const TWICE: &str = "a turn cannot be attempted twice at the same time: a layer above the tool loop called it again while its first call was running; put Hedge below Journal";

/// How many bits count the attempts; those above them hold the epoch of the turn.
const COUNT_BITS: u32 = 16;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;

/// An attempt at a turn, which ends when this is dropped; made by
/// [`Journal::attempt`](super::Journal::attempt).
#[derive(Debug)]
#[must_use = "the attempt ends when this is dropped"]
pub struct Attempt {
    book: Arc<Book>,
    epoch: u64,
}

impl Attempt {
    /// Begins an attempt at the turn of an epoch, within so many others.
    pub(super) fn begin(book: &Arc<Book>, epoch: u64, depth: usize) -> Result<Self, Error> {
        book.attempts().enter(epoch, depth)?;
        Ok(Self { book: book.clone(), epoch })
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        self.book.attempts().leave(self.epoch);
    }
}

/// How many attempts at the newest turn are running, each within the one before.
#[derive(Debug, Default)]
pub(super) struct Attempts(AtomicU64);

impl Attempts {
    /// Begins an attempt within so many others; refuses while one more is running.
    fn enter(&self, epoch: u64, depth: usize) -> Result<(), Error> {
        let depth = depth as u64;
        let entered = self.0.fetch_update(SeqCst, SeqCst, |now| match count(now, epoch) {
            // A turn that has ended records nothing, so it cannot be mixed up.
            None => Some(now),
            Some(count) => (count <= depth).then_some((epoch << COUNT_BITS) | (count + 1)),
        });
        entered.map(drop).map_err(|_| Error::new(ErrorKind::Invalid, TWICE))
    }

    fn leave(&self, epoch: u64) {
        let is_running = |now: u64| now >> COUNT_BITS == epoch && now & COUNT_MASK > 0;
        // Where another turn has begun there is nothing to leave.
        let _ = self.0.fetch_update(SeqCst, SeqCst, |now| is_running(now).then(|| now - 1));
    }
}

/// Returns how many attempts of a turn are running; nothing where a later turn has begun.
fn count(now: u64, epoch: u64) -> Option<u64> {
    match (now >> COUNT_BITS).cmp(&epoch) {
        std::cmp::Ordering::Less => Some(0),
        std::cmp::Ordering::Equal => Some(now & COUNT_MASK),
        std::cmp::Ordering::Greater => None,
    }
}
