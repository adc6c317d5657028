//! Walks through the files that a search looks into.

use std::path::{Path, PathBuf};

use brute_core::Error;
use ignore::{Walk, WalkBuilder};

use super::pattern::Chosen;
use crate::tools::{
    place::{Found, tool_error},
    show,
    stop::Stop,
};

/// The files below a place: regular, neither hidden nor ignored, each once.
pub(super) struct Files<'a> {
    walk: Walk,
    root: PathBuf,
    chosen: Option<&'a Chosen>,
    stop: &'a Stop,
}

impl<'a> Files<'a> {
    /// Walks below a directory, or to the one file that was asked for.
    pub(super) fn below(root: &Found, chosen: Option<&'a Chosen>, stop: &'a Stop) -> Self {
        let (Found::File(path) | Found::Directory(path)) = root;
        // Links are not followed, so that there are no circles and no file comes twice.
        let walk = WalkBuilder::new(path)
            .git_global(false)
            .require_git(false)
            .filter_entry(|entry| entry.depth() == 0 || !is_of_kernel(entry.path()))
            .build();
        let root = match root {
            Found::Directory(path) => path.clone(),
            Found::File(path) => path.parent().unwrap_or(path).to_owned(),
        };
        Self { walk, root, chosen, stop }
    }

    fn is_chosen(&self, entry: &ignore::DirEntry) -> bool {
        // A link is followed where it was asked for by its own path.
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file())
            || entry.depth() == 0 && entry.path().is_file();
        let below = entry.path().strip_prefix(&self.root).unwrap_or(entry.path());
        is_file && self.chosen.is_none_or(|chosen| chosen.includes(below))
    }
}

/// Tells whether the kernel makes up the files of a directory: reading some of them never ends.
fn is_of_kernel(path: &Path) -> bool {
    ["/proc", "/sys", "/dev"].iter().any(|directory| path == Path::new(directory))
}

impl Iterator for Files<'_> {
    type Item = Result<PathBuf, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.stop.is_asked_for() {
                return None;
            }
            match self.walk.next()? {
                Ok(entry) if self.is_chosen(&entry) => return Some(Ok(entry.into_path())),
                Ok(_) => {}
                Err(error) => return Some(Err(tool_error(show::line(&error.to_string())))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_directories_of_the_kernel_itself_are_passed_by() {
        for (path, is_passed_by) in [("/proc", true), ("/dev", true), ("/home/dev", false)] {
            assert_eq!(is_of_kernel(Path::new(path)), is_passed_by, "{path}");
        }
    }
}
