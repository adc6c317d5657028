//! The guard that leaves no call without a result.

use super::Journal;

/// Closes open calls when it is dropped, however the tools ended.
#[derive(Debug)]
pub struct OpenCalls(Journal);

impl OpenCalls {
    pub(super) fn new(journal: Journal) -> Self {
        Self(journal)
    }
}

impl Drop for OpenCalls {
    fn drop(&mut self) {
        self.0.close_open_calls();
    }
}
