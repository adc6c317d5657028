//! Cuts a template into text, tags, comments and raw parts, exactly where the engine does.

/// How many bytes a mark has that opens or closes a tag.
const MARK: usize = 2;

/// What a piece of a template is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PieceKind {
    /// It comes out as it stands.
    Text,
    /// `{{ … }}`.
    Print,
    /// `{% … %}`.
    Statement,
    /// `{# … #}`.
    Comment,
    /// `{% raw %} … {% endraw %}`.
    Raw,
}

/// A piece of a template; all pieces together are the template.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    pub(crate) kind: PieceKind,
    pub(crate) start: usize,
    pub(crate) text: &'a str,
    /// Whether its end was found; what has none goes to the end of the template.
    pub(crate) is_closed: bool,
}

/// Cuts a template into pieces, in time linear in its length.
pub(crate) fn pieces(source: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = source.get(start..).filter(|rest| !rest.is_empty())?;
        let piece = first(rest, start);
        start = piece.end();
        Some(piece)
    })
}

impl<'a> Piece<'a> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Returns whether white space in front of it goes.
    pub(crate) fn trims_before(&self) -> bool {
        self.kind != PieceKind::Text && self.text.as_bytes().get(MARK) == Some(&b'-')
    }

    /// Returns whether white space behind it goes.
    pub(crate) fn trims_behind(&self) -> bool {
        // A sign directly behind the opening mark belongs to that mark.
        let inside = self.text.as_bytes().get(MARK + 1..self.text.len().saturating_sub(MARK));
        let is_tag = self.kind != PieceKind::Text && self.is_closed;
        is_tag && inside.is_some_and(|inside| inside.ends_with(b"-"))
    }

    /// Returns what stands between the marks of a tag; nothing for what is no tag.
    pub(crate) fn expression(&self) -> &'a str {
        if !matches!(self.kind, PieceKind::Print | PieceKind::Statement) {
            return "";
        }
        let closing = if self.is_closed { MARK } else { 0 };
        self.text.get(MARK..self.text.len() - closing).unwrap_or_default()
    }
}

/// Cuts an expression into code and texts in quotes; with each comes whether it is code.
pub(crate) fn code_and_quotes(expression: &str) -> impl Iterator<Item = (bool, &str)> {
    let mut rest = expression;
    std::iter::from_fn(move || {
        let is_code = !rest.starts_with(['\'', '"']);
        let len = if is_code { rest.find(['\'', '"']) } else { quoted_len(rest.as_bytes()) };
        let (part, behind) = rest.split_at(len.unwrap_or(rest.len()));
        rest = behind;
        (!part.is_empty()).then_some((is_code, part))
    })
}

/// Returns the first piece of a text that is not empty.
fn first(rest: &str, start: usize) -> Piece<'_> {
    let (kind, end) = match mark_at(rest, 0) {
        Some(PieceKind::Comment) => (PieceKind::Comment, comment_len(rest)),
        Some(PieceKind::Statement) => match opening_len(rest, "raw") {
            Some(opening) => (PieceKind::Raw, raw_len(rest, opening)),
            None => (PieceKind::Statement, tag_len(rest, "%}")),
        },
        Some(kind) => (kind, tag_len(rest, "}}")),
        None => (PieceKind::Text, Some(text_len(rest))),
    };
    let text = &rest[..end.unwrap_or(rest.len())];
    Piece { kind, start, text, is_closed: end.is_some() }
}

fn mark_at(text: &str, at: usize) -> Option<PieceKind> {
    match text.as_bytes().get(at..at + MARK)? {
        b"{{" => Some(PieceKind::Print),
        b"{%" => Some(PieceKind::Statement),
        b"{#" => Some(PieceKind::Comment),
        _ => None,
    }
}

fn text_len(text: &str) -> usize {
    let mut braces = text.match_indices('{').map(|(at, _)| at);
    braces.find(|at| mark_at(text, *at).is_some()).unwrap_or(text.len())
}

fn comment_len(text: &str) -> Option<usize> {
    let inside = opened(text);
    Some(text.len() - inside.len() + inside.find("#}")? + MARK)
}

/// Returns what follows an opening mark and its sign.
fn opened(text: &str) -> &str {
    let inside = &text[MARK..];
    inside.strip_prefix(['-', '+']).unwrap_or(inside)
}

/// Returns the length of a tag that consists of this one word.
fn opening_len(text: &str, word: &str) -> Option<usize> {
    let behind = opened(text).trim_ascii_start().strip_prefix(word)?.trim_ascii_start();
    let behind = behind.strip_prefix(['-', '+']).unwrap_or(behind);
    Some(text.len() - behind.strip_prefix("%}")?.len())
}

fn raw_len(text: &str, opening: usize) -> Option<usize> {
    let mut marks = text[opening..].match_indices("{%").map(|(at, _)| opening + at);
    marks.find_map(|at| Some(at + opening_len(&text[at..], "endraw")?))
}

/// Returns the length of a tag: the engine looks for the closing mark outside quotes and brackets.
fn tag_len(text: &str, closing: &str) -> Option<usize> {
    let (mut at, mut depth) = (text.len() - opened(text).len(), 0_isize);
    while let Some(byte) = text.as_bytes().get(at) {
        let rest = &text.as_bytes()[at..];
        if depth == 0 && rest.starts_with(closing.as_bytes()) {
            return Some(at + closing.len());
        }
        at += if matches!(byte, b'\'' | b'"') { quoted_len(rest)? } else { 1 };
        depth += step(*byte);
    }
    None
}

fn step(byte: u8) -> isize {
    match byte {
        b'(' | b'[' | b'{' => 1,
        b')' | b']' | b'}' => -1,
        _ => 0,
    }
}

/// Returns the length of the text in quotes that this begins with, or nothing where it is not
/// closed.
fn quoted_len(text: &[u8]) -> Option<usize> {
    let (quote, mut is_escaped) = (text.first()?, false);
    let end = text.iter().skip(1).position(|byte| {
        let is_end = byte == quote && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    });
    end.map(|at| at + 2)
}
