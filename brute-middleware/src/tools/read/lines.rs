//! Reads lines of any length in bounded memory.

use std::{
    borrow::Cow,
    io::{self, BufRead, Read as _},
};

/// A line, or as much of it as was asked for.
#[derive(Debug)]
pub(super) struct Line {
    /// The text, without its line end.
    pub(super) text: String,
    /// Whether there is more of it.
    pub(super) is_cut: bool,
    /// Whether bytes that are no UTF-8 were replaced.
    pub(super) is_lossy: bool,
    /// Whether it ends in a carriage return and a line feed.
    pub(super) is_crlf: bool,
}

/// Skips a line; tells whether there was one.
pub(super) fn skip(reader: &mut impl BufRead) -> io::Result<bool> {
    Ok(reader.skip_until(b'\n')? > 0)
}

/// Reads the first characters of a line and skips the others; `None` at the end.
pub(super) fn read(reader: &mut impl BufRead, chars: usize) -> io::Result<Option<Line>> {
    // One character takes four bytes at most, and the line end two.
    let room = chars.saturating_mul(4).saturating_add(2);
    let mut bytes = Vec::new();
    reader.by_ref().take(room as u64).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let is_whole = bytes.ends_with(b"\n") || reader.fill_buf()?.is_empty();
    if !is_whole {
        skip(reader)?;
    }
    Ok(Some(line(&bytes, is_whole, chars)))
}

fn line(bytes: &[u8], is_whole: bool, chars: usize) -> Line {
    let is_crlf = bytes.ends_with(b"\r\n");
    let bytes = if is_whole { without_end(bytes) } else { without_torn_character(bytes) };
    let text = String::from_utf8_lossy(bytes);
    let end = text.char_indices().nth(chars).map(|(position, _)| position);
    Line {
        is_cut: !is_whole || end.is_some(),
        is_lossy: matches!(text, Cow::Owned(_)),
        is_crlf,
        text: text[..end.unwrap_or(text.len())].to_owned(),
    }
}

fn without_end(bytes: &[u8]) -> &[u8] {
    let Some(line) = bytes.strip_suffix(b"\n") else { return bytes };
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Leaves out the beginning of a character whose other bytes were not read.
fn without_torn_character(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    }
}
