//! Reads a skill file from disk, within bounds.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use super::{fault::Fault, front_matter};
use crate::Diagnostic;

/// The largest skill file that is read; a larger one would not fit a conversation.
pub const MAX_FILE_BYTES: u64 = 256_000;

/// Reads the body of a skill file: line ends are LF, and no blank line stands at either end.
///
/// # Errors
///
/// Describes a file that cannot be read, is too large, is not UTF-8 or has no front matter.
pub fn load_body(path: &Path) -> Result<String, Diagnostic> {
    body(path).map_err(|fault| fault.fatal(path))
}

fn body(path: &Path) -> Result<String, Fault> {
    let mut buffer = Vec::new();
    let text = read(path, file_size(path)?, MAX_FILE_BYTES, &mut buffer)?;
    let text = front_matter::normalise(text);
    Ok(front_matter::trim_body(front_matter::split(&text)?.body).to_owned())
}

/// Returns the size of a file, following links.
///
/// A pipe or a device must not even be opened: it might never end, or never begin.
pub(crate) fn file_size(path: &Path) -> Result<u64, Fault> {
    let metadata = fs::metadata(path).map_err(|error| unreadable(&error))?;
    if metadata.is_file() { Ok(metadata.len()) } else { Err(not_a_file()) }
}

/// Reads a file of a known size into a buffer that is used over and over.
pub(crate) fn read<'a>(
    path: &Path,
    size: u64,
    limit: u64,
    buffer: &'a mut Vec<u8>,
) -> Result<&'a str, Fault> {
    let size = usize::try_from(size).ok().filter(|_| size <= limit);
    let size = size.ok_or_else(|| too_large(limit))?;
    buffer.resize(size, 0);
    let filled = fill(path, buffer).map_err(|error| unreadable(&error))?;
    as_text(&buffer[..filled])
}

/// Takes bytes for UTF-8, or says where they are not.
pub(crate) fn as_text(bytes: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|error| not_utf8(error.valid_up_to()))
}

/// Describes a file or folder that the system would not give out.
pub(crate) fn unreadable(error: &io::Error) -> Fault {
    Fault::new("unreadable", format!("it cannot be read: {error}"))
}

pub(crate) fn not_a_file() -> Fault {
    Fault::new(
        "not_a_file",
        "a folder or device bears the name of a skill file; rename or remove it",
    )
}

fn fill(path: &Path, buffer: &mut [u8]) -> io::Result<usize> {
    let mut file = File::open(path)?;
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

fn too_large(limit: u64) -> Fault {
    let message =
        format!("the file is larger than {limit} bytes; move parts of it into files beside it");
    Fault::new("file_too_large", message)
}

fn not_utf8(offset: usize) -> Fault {
    Fault::new("not_utf8", format!("the file is not UTF-8 at byte {offset}; save it as UTF-8"))
}
