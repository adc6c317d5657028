//! Keeps the lines of the files that were changed last, however many match.

use std::{cmp::Reverse, collections::BTreeMap, path::PathBuf, time::SystemTime};

use brute_core::Error;

use super::lines::{FoundLine, FoundLines};

/// Orders files by when they were changed, latest first, and then by name.
type Key = (Reverse<SystemTime>, PathBuf);

/// What a search found.
#[derive(Debug, Default)]
pub(super) struct Finds {
    most: usize,
    kept: usize,
    files: BTreeMap<Key, Vec<FoundLine>>,
    /// How many files were searched.
    pub(super) searched: u64,
    /// How many files have lines that match.
    pub(super) files_found: u64,
    /// How many lines match.
    pub(super) lines_found: u64,
    /// How many files with lines that match are binary from some point on.
    pub(super) binary: u64,
    /// How many files or directories could not be read.
    pub(super) failures: u64,
    /// Why the first of them could not be read.
    pub(super) first_failure: Option<Error>,
}

impl Finds {
    /// Keeps at least so many lines, if there are as many.
    pub(super) fn new(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    /// Adds what was found in a file.
    pub(super) fn add(&mut self, path: PathBuf, found: FoundLines) {
        self.searched += 1;
        if found.total == 0 {
            return;
        }
        self.files_found += 1;
        self.lines_found += found.total;
        self.binary += u64::from(found.is_binary);
        self.kept += found.lines.len();
        self.files.insert((Reverse(found.changed), path), found.lines);
        self.drop_oldest();
    }

    /// Adds that something could not be read.
    pub(super) fn add_failure(&mut self, error: Error) {
        self.failures += 1;
        self.first_failure.get_or_insert(error);
    }

    /// Iterates over the files and lines to be shown, files changed last first.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&PathBuf, &FoundLine)> {
        let files = self.files.iter();
        files
            .flat_map(|((_, path), lines)| lines.iter().map(move |line| (path, line)))
            .take(self.most)
    }

    /// Forgets the files whose lines will not be shown, since newer ones have enough.
    fn drop_oldest(&mut self) {
        while let Some(oldest) = self.files.last_entry() {
            let left = self.kept - oldest.get().len();
            if left < self.most {
                return;
            }
            oldest.remove();
            self.kept = left;
        }
    }
}
