//! Puts a new file in the place of an old one.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// How many links in a row are followed; more are taken for a circle.
const MOST_LINKS: usize = 40;

/// Puts a file with this text in the place of what is there, at once or not at all.
///
/// A link stays a link, and the file may be read by whom the old one could be read by. Where a
/// folder takes no new file, the text is written over the old one.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let path = behind_links(path);
    let neighbour = neighbour(&path);
    let file = match OpenOptions::new().write(true).create_new(true).open(&neighbour) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return overwrite(&path, text);
        }
        file => file?,
    };
    let moved = fill_and_move(file, &neighbour, &path, text);
    if moved.is_err() {
        // That it could not be moved is told; that it stays behind as well would help nobody.
        drop(fs::remove_file(&neighbour));
    }
    moved
}

/// Returns where a link leads, be there a file or none.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = path.with_file_name(target);
    }
    path
}

/// Returns a name beside a file that nothing else has.
fn neighbour(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{:016x}", fastrand::u64(..)));
    path.with_file_name(name)
}

fn fill_and_move(mut file: File, from: &Path, to: &Path, text: &str) -> io::Result<File> {
    file.write_all(text.as_bytes())?;
    if let Ok(old) = fs::metadata(to) {
        file.set_permissions(old.permissions())?;
    }
    fs::rename(from, to)?;
    Ok(file)
}

/// Writes over a file; should this fail, what it held is gone.
fn overwrite(path: &Path, text: &str) -> io::Result<File> {
    let mut file = OpenOptions::new().write(true).truncate(true).open(path)?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}
