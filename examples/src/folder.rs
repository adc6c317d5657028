//! The directory that a command works in.

use std::{
    fs,
    path::{Path, PathBuf, absolute},
};

use brute_prompts::plain;
use tower::BoxError;

/// Returns the directory as an absolute path.
///
/// # Errors
/// Fails where it does not exist, is no directory or cannot be read, and names it.
pub(crate) fn open(path: &Path) -> Result<PathBuf, BoxError> {
    let opened = fs::read_dir(path).and_then(|_| absolute(path));
    opened.map_err(|error| format!("cannot work in the directory {}: {error}", shown(path)).into())
}

/// Returns a path on one line, whatever its name holds.
pub(crate) fn shown(path: &Path) -> String {
    plain::visible(&path.to_string_lossy()).into_owned()
}
