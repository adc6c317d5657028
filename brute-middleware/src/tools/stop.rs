//! Stops work on another thread when nobody waits for it any more.

use std::{
    io::{self, Read},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Tells work on another thread whether anybody still waits for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Tells whether the work is to end.
    pub(super) fn is_asked_for(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Asks for it when the returned guard is dropped.
    pub(super) fn on_drop(&self) -> StopOnDrop {
        StopOnDrop(self.clone())
    }

    /// Makes a reader fail as soon as its work is to end.
    pub(super) fn guard<R>(&self, reader: R) -> Guarded<R> {
        Guarded { reader, stop: self.clone() }
    }
}

/// Asks for a stop when it is dropped.
#[derive(Debug)]
pub(super) struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// A reader that fails as soon as its work is to end.
#[derive(Debug)]
pub(super) struct Guarded<R> {
    reader: R,
    stop: Stop,
}

impl<R: Read> Read for Guarded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_asked_for() {
            return Err(io::Error::other("nobody waits for it any more"));
        }
        self.reader.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guarded_reader_fails_once_nobody_waits() {
        let stop = Stop::default();
        let waiting = stop.on_drop();
        let mut reader = stop.guard(io::repeat(b'x'));
        assert_eq!(reader.read(&mut [0; 4]).ok(), Some(4));
        drop(waiting);
        assert!(reader.read(&mut [0; 4]).is_err());
    }
}
