//! Refuses templates that the engine cannot read: nested so deep that the stack would be used up,
//! or with tags so far to the right that it loses count of the columns.

use crate::{PromptError, PromptErrorKind};

/// How many names, numbers and signs one tag may hold; each can be a level of its own.
const MAX_PARTS: usize = 1_000;

/// How many bytes the mark has that opens a tag.
const OPENING: usize = 2;

/// How many bytes of one line may stand in front of the end of a tag; the engine counts columns in
/// 16 bits, and adding one to a full count is a panic where overflow is checked.
const MAX_COLUMN: usize = 65_000;

/// How many further branches the conditions of one template may have.
const MAX_BRANCHES: usize = 250;

/// Fails where a tag, or a chain of conditions, has too many parts, and where a tag ends too far to
/// the right.
pub(crate) fn check_depth(name: &str, source: &str) -> Result<(), PromptError> {
    let mut branches = 0;
    let mut rest = source;
    let mut line = Line::default();
    while let Some(start) = rest.find('{') {
        let tag = &rest[start..];
        let (parts, end) = match tag.as_bytes().get(1) {
            Some(b'#') => (0, tag.find("#}").unwrap_or(tag.len())),
            Some(b'{' | b'%') => parts(&tag[OPENING..]),
            _ => (0, 1),
        };
        branches += usize::from(is_branch(tag));
        if parts > MAX_PARTS || branches > MAX_BRANCHES {
            let line = source[..source.len() - tag.len()].matches('\n').count() + 1;
            return Err(too_deep(parts).in_file(name).at_line(line));
        }
        rest = &tag[end..];
        if is_raw(tag) {
            rest = behind_raw(rest);
        }
        if end > 1 && line.is_too_long(source, source.len() - rest.len()) {
            return Err(too_far().in_file(name).at_line(line.number));
        }
    }
    Ok(())
}

/// The line that has been reached.
#[derive(Default)]
struct Line {
    number: usize,
    start: usize,
    reached: usize,
}

impl Line {
    /// Goes on to a place, and tells whether too much of its line stands in front of it.
    fn is_too_long(&mut self, source: &str, place: usize) -> bool {
        let passed = &source[self.reached..place];
        if let Some(last) = passed.rfind('\n') {
            self.start = self.reached + last + 1;
        }
        self.reached = place;
        let is_too_long = place - self.start > MAX_COLUMN;
        if is_too_long {
            self.number = source[..self.start].matches('\n').count() + 1;
        }
        is_too_long
    }
}

fn too_far() -> PromptError {
    let message = format!("a tag stands behind {MAX_COLUMN} bytes of one line; break the line");
    PromptError::new(PromptErrorKind::Syntax, message)
}

/// Tells whether a tag begins a part that is no template.
fn is_raw(tag: &str) -> bool {
    first_word(tag) == Some("raw")
}

/// Goes on behind the tag that ends a part that is no template.
fn behind_raw(text: &str) -> &str {
    let mut rest = text;
    while let Some(start) = rest.find("{%") {
        rest = &rest[start..];
        if first_word(rest) == Some("endraw") {
            return rest;
        }
        rest = &rest[OPENING..];
    }
    ""
}

fn first_word(tag: &str) -> Option<&str> {
    let inside = tag.strip_prefix("{%")?.trim_start_matches(['-', '+']).trim_start();
    inside.split(|c: char| !c.is_alphanumeric()).next()
}

fn too_deep(parts: usize) -> PromptError {
    let message = if parts > MAX_PARTS {
        format!("the tag has more than {MAX_PARTS} parts; split it up with `set`")
    } else {
        format!("the template has more than {MAX_BRANCHES} `elif`; split it up")
    };
    PromptError::new(PromptErrorKind::Syntax, message)
}

fn is_branch(tag: &str) -> bool {
    let words = tag.strip_prefix("{%").map(|tag| tag.trim_start_matches(['-', '+']).trim_start());
    words.is_some_and(|words| words.starts_with("elif"))
}

/// Counts the parts of a tag, and returns where its closing mark begins; `inside` follows the
/// opening mark.
fn parts(inside: &str) -> (usize, usize) {
    let (mut parts, mut continues) = (0, false);
    let mut chars = inside.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if matches!(c, '}' | '%') && chars.peek().is_some_and(|(_, next)| *next == '}') {
            return (parts, at + OPENING);
        }
        if matches!(c, '\'' | '"') {
            skip_text(&mut chars, c);
        }
        let is_name = c.is_alphanumeric() || c == '_';
        parts += usize::from(is_part(c) && !(is_name && continues));
        continues = is_name;
    }
    (parts, inside.len() + OPENING)
}

/// Tells whether a character is, or begins, what may be a level of its own.
fn is_part(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, ',' | ':' | '\'' | '"')
}

/// Goes on behind the quote that ends a text.
fn skip_text(chars: &mut impl Iterator<Item = (usize, char)>, quote: char) {
    while let Some((_, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            _ if c == quote => return,
            _ => {}
        }
    }
}
