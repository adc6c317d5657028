//! Reads a text file within bounds, whatever lies at its path.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

/// What was read of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileText {
    /// The text; what is not UTF-8 stands as replacement characters.
    pub(crate) text: String,
    /// Whether something was not UTF-8.
    pub(crate) is_lossy: bool,
    /// Whether the file goes on behind what was read.
    pub(crate) is_cut: bool,
}

/// Reads at most `cap` bytes of a regular file, following links.
///
/// A pipe or a device is not even opened: it might never end, or never begin.
pub(crate) fn read_text(path: &Path, cap: u64) -> io::Result<FileText> {
    let mut bytes = Vec::new();
    let is_cut = read_bytes(path, cap, &mut bytes)?;
    if is_cut {
        bytes.truncate(whole_characters(&bytes));
    }
    let (text, is_lossy) = match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
    };
    Ok(FileText { text, is_lossy, is_cut })
}

/// Reads at most `cap` bytes, and tells whether the file goes on.
pub(crate) fn read_bytes(path: &Path, cap: u64, bytes: &mut Vec<u8>) -> io::Result<bool> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    File::open(path)?.take(cap.saturating_add(1)).read_to_end(bytes)?;
    let cap = usize::try_from(cap).unwrap_or(usize::MAX);
    let is_cut = bytes.len() > cap;
    bytes.truncate(cap);
    Ok(is_cut)
}

/// Returns true where there is nothing at the path.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Returns the length without a character that was cut in two at the end.
fn whole_characters(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    }
}
