//! Writes a new file that only its owner may read.

use std::{
    fs::{DirBuilder, File, OpenOptions},
    io::{self, Write},
    path::Path,
};

use super::place::Place;

/// The most documents that may have one name.
const MOST: u32 = 100_000;

/// Writes a text into a new file below the folder and returns its path there.
///
/// A file that is there already, be it a link to another one, is never touched.
pub(super) fn write_new(folder: &Path, place: &Place, text: &str) -> io::Result<String> {
    for number in 1..=MOST {
        let path = place.path(number);
        let file = folder.join(&path);
        if let Some(parent) = file.parent() {
            private_folder(parent)?;
        }
        match private_file(&file) {
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
