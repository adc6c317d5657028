//! Files that only their owner may read, such as what was said.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf, absolute},
};

use tempfile::NamedTempFile;

/// Returns where a file lies that may be replaced; a link stays a link.
///
/// # Errors
/// Fails where it is read-only, and where nobody can tell.
pub(crate) fn place(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => absolute(path),
        Err(error) => Err(error),
        Ok(found) if found.permissions().readonly() => Err(io::Error::other("it is read-only")),
        Ok(_) => fs::canonicalize(path),
    }
}

/// Finds out whether a file can be replaced, before there is something to lose.
///
/// # Errors
/// Fails where it cannot.
pub(crate) fn check(place: &Path) -> io::Result<()> {
    NamedTempFile::new_in(parent(place)?).map(drop)
}

/// Puts a text in the place of what the file holds, at once or not at all.
///
/// # Errors
/// Fails where it cannot be written.
pub(crate) fn replace(place: &Path, text: &str) -> io::Result<()> {
    let mut file = NamedTempFile::new_in(parent(place)?)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(place)?;
    Ok(())
}

/// Writes a text into a file; what is no file, such as a pipe, is written into as it is.
///
/// # Errors
/// Fails where it cannot be written.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => fs::write(path, text),
        _ => replace(&place(path)?, text),
    }
}

fn parent(place: &Path) -> io::Result<&Path> {
    let parent = place.parent().filter(|parent| parent.is_dir());
    parent.ok_or_else(|| io::Error::other("there is no such directory"))
}
