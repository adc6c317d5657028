//! Where relative paths start, and what stands at a path.

mod missing;

use std::{
    env,
    fs::{self, File, Metadata},
    io,
    path::{Path, PathBuf},
};

use brute_core::{Error, ErrorKind, Facts};

use super::show;

/// The directory that relative paths start from.
#[derive(Clone, Debug)]
pub(super) struct Place(PathBuf);

/// What stands at a path, links followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A regular file.
    File(PathBuf),
    /// A directory.
    Directory(PathBuf),
}

impl Place {
    /// Returns the working directory of a turn, or else that of the process.
    pub(super) fn of(facts: &Facts) -> Result<Self, Error> {
        let cwd = facts.cwd().map_or_else(env::current_dir, |cwd| Ok(cwd.to_owned()));
        let cwd = cwd.map_err(|error| failed("the working directory cannot be told", &error))?;
        let metadata = fs::metadata(&cwd).map_err(|error| {
            failed(&format!("the working directory {} cannot be used", show::path(&cwd)), &error)
        })?;
        if metadata.is_dir() { Ok(Self(cwd)) } else { Err(no_directory(&cwd)) }
    }

    /// Looks at what stands at a path.
    pub(super) fn find(&self, path: &str) -> Result<Found, Error> {
        let path = self.0.join(if path.is_empty() { "." } else { path });
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => Ok(Found::File(path)),
            Ok(metadata) if metadata.is_dir() => Ok(Found::Directory(path)),
            Ok(_) => Err(self.not_regular(&path)),
            Err(error) => Err(self.unreachable(&path, &error)),
        }
    }

    /// Opens a regular file; what would block or never end, such as a pipe, is refused.
    pub(super) fn open(&self, path: &Path) -> Result<(File, Metadata), Error> {
        let opened = File::open(path).and_then(|file| file.metadata().map(|about| (file, about)));
        match opened {
            Ok((file, metadata)) if metadata.is_file() => Ok((file, metadata)),
            Ok(_) => Err(self.not_regular(path)),
            Err(error) => Err(self.unreachable(path, &error)),
        }
    }

    /// Shows a path as the model would write it: relative, where it lies below this place.
    pub(super) fn show(&self, path: &Path) -> String {
        match path.strip_prefix(&self.0) {
            Ok(inside) if inside.as_os_str().is_empty() => ".".into(),
            Ok(inside) => show::path(inside),
            Err(_) => show::path(path),
        }
    }

    /// Says why something at a path cannot be read.
    pub(super) fn unreadable(&self, path: &Path, error: &io::Error) -> Error {
        failed(&format!("{} cannot be read", self.show(path)), error)
    }

    fn unreachable(&self, path: &Path, error: &io::Error) -> Error {
        let is_missing =
            matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
        if is_missing { self.missing(path) } else { self.unreadable(path, error) }
    }

    fn not_regular(&self, path: &Path) -> Error {
        tool_error(format!(
            "{} is neither a regular file nor a directory, but a pipe, socket or device, and is not read",
            self.show(path),
        ))
    }
}

fn no_directory(path: &Path) -> Error {
    tool_error(format!("the working directory {} is no directory", show::path(path)))
}

fn failed(what: &str, error: &io::Error) -> Error {
    tool_error(format!("{what}: {error}"))
}

/// Creates the error of a tool.
pub(super) fn tool_error(message: String) -> Error {
    Error::new(ErrorKind::Tool, message)
}
