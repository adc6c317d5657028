//! Reads a JSON text that may be cut anywhere, also within an escape.

use super::{NoJson, Read, Reader};

impl Reader<'_> {
    /// Reads a text, whose opening quote comes next; an escape that may go on is left out.
    pub(super) fn text(&mut self) -> Result<Read<String>, NoJson> {
        let mut at = 1;
        let mut unread = &self.rest[1..];
        loop {
            match step(unread) {
                Step::Over(len) => {
                    at += len;
                    unread = &unread[len..];
                }
                Step::Wrong => return Err(NoJson),
                Step::End => return unescape(self.take(at + 1)).map(Read::Whole),
                Step::Cut => {
                    let whole = format!("{}\"", &self.rest[..at]);
                    self.take(self.rest.len());
                    return unescape(&whole).map(|text| Read::Open(Some(text)));
                }
            }
        }
    }
}

/// What comes next in a text.
enum Step {
    /// So many bytes that stay as they are, whatever follows.
    Over(usize),
    /// The closing quote.
    End,
    /// Nothing, or an escape that may go on.
    Cut,
    /// An escape that is none.
    Wrong,
}

fn step(unread: &str) -> Step {
    match unread.find(['"', '\\']) {
        None if unread.is_empty() => Step::Cut,
        None => Step::Over(unread.len()),
        Some(0) if unread.starts_with('"') => Step::End,
        Some(0) => escape(unread.as_bytes()),
        Some(len) => Step::Over(len),
    }
}

fn escape(unread: &[u8]) -> Step {
    match unread.get(1) {
        None => Step::Cut,
        Some(b'u') => match digits(&unread[2..]) {
            // The first half of a pair; what follows must be the second.
            Step::Over(_) if is_first_half(&unread[2..]) => second_half(&unread[6..]),
            Step::Over(len) => Step::Over(2 + len),
            cut_or_wrong => cut_or_wrong,
        },
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Step::Over(2),
        Some(_) => Step::Wrong,
    }
}

/// Steps over the four digits of an escape.
fn digits(unread: &[u8]) -> Step {
    match unread.iter().take(4).position(|sign| !sign.is_ascii_hexdigit()) {
        Some(_) => Step::Wrong,
        None if unread.len() < 4 => Step::Cut,
        None => Step::Over(4),
    }
}

fn is_first_half(digits: &[u8]) -> bool {
    matches!(digits, [b'd' | b'D', b'8' | b'9' | b'a' | b'A' | b'b' | b'B', ..])
}

/// Steps over a pair of escapes, of which the first half was seen.
fn second_half(unread: &[u8]) -> Step {
    match unread {
        [] | [b'\\'] => Step::Cut,
        [b'\\', b'u', rest @ ..] => match digits(rest) {
            Step::Over(_) => Step::Over(12),
            cut_or_wrong => cut_or_wrong,
        },
        _ => Step::Wrong,
    }
}

fn unescape(text: &str) -> Result<String, NoJson> {
    serde_json::from_str(text).map_err(|_| NoJson)
}
