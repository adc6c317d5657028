//! Files that only their owner may read, such as what was said.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf, absolute},
};

use tempfile::NamedTempFile;

/// How many links in a row are followed; more are taken for a circle.
const MOST_LINKS: usize = 40;

/// Returns where a file lies that may be replaced; a link stays a link, be there a file or none.
///
/// # Errors
/// Fails where it is read-only, and where nobody can tell.
pub(crate) fn place(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => behind_links(path),
        Err(error) => Err(error),
        Ok(found) if found.permissions().readonly() => Err(io::Error::other("it is read-only")),
        Ok(_) => fs::canonicalize(path),
    }
}

/// Returns where a link leads at whose end there is no file.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = absolute(path)?;
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else { return Ok(path) };
        path = path.with_file_name(target);
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// Finds out whether a file can be replaced, before there is something to lose.
///
/// # Errors
/// Fails where it cannot.
pub(crate) fn check(place: &Path) -> io::Result<()> {
    match NamedTempFile::new_in(parent(place)?) {
        Err(error) if takes_no_neighbour(place, &error) => open(place).map(drop),
        file => file.map(drop),
    }
}

/// Finds out whether a text can be written into a file, before there is something to lose.
///
/// # Errors
/// Fails where it cannot.
pub(crate) fn check_writing(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => Ok(()),
        _ => check(&place(path)?),
    }
}

/// Puts a text in the place of what the file holds, at once or not at all; where its directory
/// takes no other file, the text is written over it.
///
/// # Errors
/// Fails where it cannot be written.
pub(crate) fn replace(place: &Path, text: &str) -> io::Result<()> {
    match replace_whole(place, text) {
        Err(error) if takes_no_neighbour(place, &error) => overwrite(place, text),
        replaced => replaced,
    }
}

fn replace_whole(place: &Path, text: &str) -> io::Result<()> {
    let mut file = NamedTempFile::new_in(parent(place)?)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(place)?;
    Ok(())
}

/// Tells whether a file is there that nothing can be put in the place of, as in a directory that
/// may not be written, or where it is mounted by itself.
fn takes_no_neighbour(place: &Path, error: &io::Error) -> bool {
    let kinds = [io::ErrorKind::PermissionDenied, io::ErrorKind::ResourceBusy];
    kinds.contains(&error.kind()) && place.is_file()
}

fn overwrite(place: &Path, text: &str) -> io::Result<()> {
    let mut file = open(place)?;
    // Only its owner can do so; whoever else may write it was let in by the owner.
    #[cfg(unix)]
    drop(file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600)));
    file.set_len(0)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn open(place: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(place)
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
