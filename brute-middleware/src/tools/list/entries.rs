//! Collects the entries below a directory in bounded memory.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs::{self, DirEntry},
    io,
    path::{Path, PathBuf},
};

use ignore::WalkBuilder;

use super::ListLimits;
use crate::tools::{place::Place, show, stop::Stop};

/// The entries below a directory.
#[derive(Debug, Default)]
pub(super) struct Entries {
    /// The first of them, in order.
    pub(super) first: BTreeMap<PathBuf, Kind>,
    counted: u64,
    hidden: u64,
    is_counted: bool,
    unreadable: Vec<PathBuf>,
}

/// What stands at an entry, links not followed.
#[derive(Debug)]
pub(super) enum Kind {
    File,
    Directory,
    Link(PathBuf),
    Other,
}

impl Kind {
    /// Returns what is put after the path.
    pub(super) fn mark(&self) -> String {
        match self {
            Self::File => String::new(),
            Self::Directory => "/".into(),
            Self::Link(target) => format!(" -> {}", show::path(target)),
            Self::Other => " (no regular file)".into(),
        }
    }
}

impl Entries {
    /// Collects the entries down to a depth; fails only if the directory itself cannot be read.
    pub(super) fn below(
        directory: &Path,
        depth: usize,
        limits: ListLimits,
        stop: &Stop,
    ) -> io::Result<Self> {
        let mut entries = Self { is_counted: true, ..Self::default() };
        entries.add_all(directory, limits, stop)?;
        for path in directories_to_open(directory, depth, stop) {
            if !entries.is_counted {
                break;
            }
            if entries.add_all(&path, limits, stop).is_err() {
                entries.unreadable.push(path);
            }
        }
        Ok(entries)
    }

    fn add_all(&mut self, directory: &Path, limits: ListLimits, stop: &Stop) -> io::Result<()> {
        for entry in fs::read_dir(directory)? {
            if self.counted >= limits.counted || stop.is_asked_for() {
                self.is_counted = false;
                break;
            }
            self.add(&entry?, limits);
        }
        Ok(())
    }

    fn add(&mut self, entry: &DirEntry, limits: ListLimits) {
        if is_hidden(&entry.file_name()) {
            self.hidden += 1;
            return;
        }
        self.counted += 1;
        self.first.insert(entry.path(), kind(entry));
        // Only the first are kept, however many there are.
        if self.first.len() > limits.entries {
            self.first.pop_last();
        }
    }

    /// Tells whether there are more than are kept.
    pub(super) fn is_cut(&self) -> bool {
        !self.is_counted || self.counted > self.first.len() as u64
    }

    /// Says what is not there.
    pub(super) fn notes(&self, place: &Place) -> Vec<String> {
        let mut notes = Vec::new();
        if self.counted == 0 {
            notes.push(match self.hidden {
                0 => "the directory is empty".into(),
                hidden => {
                    let entries = show::count(hidden, "hidden entry", "hidden entries");
                    format!("the directory holds nothing but {entries}")
                }
            });
        }
        if self.is_cut() {
            let (shown, total) = (self.first.len(), self.counted);
            let at_least = if self.is_counted { "" } else { "at least " };
            notes.push(format!(
                "{shown} of {at_least}{total} entries; list a directory among them to see its own"
            ));
        }
        if let Some(path) = self.unreadable.first() {
            let number = self.unreadable.len() as u64;
            let directories = show::count(number, "directory", "directories");
            notes.push(format!("{directories} could not be read, such as {}", place.show(path)));
        }
        notes
    }
}

/// Walks through the directories below one that are to be opened: neither hidden nor ignored, and
/// never through a link, so that there are no circles.
fn directories_to_open(
    directory: &Path,
    depth: usize,
    stop: &Stop,
) -> impl Iterator<Item = PathBuf> + use<> {
    let stop = stop.clone();
    let walk = WalkBuilder::new(directory)
        .max_depth(Some(depth - 1))
        .git_global(false)
        .require_git(false)
        .sort_by_file_name(OsStr::cmp)
        .filter_entry(move |entry| {
            entry.file_type().is_some_and(|kind| kind.is_dir()) && !stop.is_asked_for()
        })
        .build();
    walk.flatten().filter(|entry| entry.depth() > 0).map(ignore::DirEntry::into_path)
}

fn kind(entry: &DirEntry) -> Kind {
    match entry.file_type() {
        Ok(kind) if kind.is_file() => Kind::File,
        Ok(kind) if kind.is_dir() => Kind::Directory,
        Ok(kind) if kind.is_symlink() => {
            Kind::Link(fs::read_link(entry.path()).unwrap_or_default())
        }
        _ => Kind::Other,
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}
