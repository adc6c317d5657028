//! Ties each line of a text to the tools that it names.

use std::{borrow::Cow, collections::BTreeSet, fmt::Write};

use crate::template::{Piece, PieceKind, code_and_quotes, pieces};

/// What an expression with the name of a tool has in it.
const TOOLS: &str = "tools.";

/// Returns the source with each line that prints a tool's name wrapped in a condition on it.
///
/// A line ends where a line break comes out, so it goes on through a tag or a comment of several
/// lines. No line is added, so that the line numbers of errors stay true. A line with a statement
/// or a raw part of its own is left to its author.
pub(crate) fn tie(source: &str) -> Cow<'_, str> {
    if !source.contains(TOOLS) {
        return Cow::Borrowed(source);
    }
    let pieces: Vec<_> = pieces(source).collect();
    let trims = Trims::of(&pieces);
    let mut out = String::with_capacity(source.len() * 2);
    for line in lines(&pieces) {
        if line.is_left || line.tools.is_empty() {
            out.push_str(&source[line.start..line.end]);
        } else {
            trims.wrap(&mut out, source, &line);
        }
    }
    Cow::Owned(out)
}

/// One line as it comes out, with its line break.
#[derive(Default)]
struct Line<'a> {
    start: usize,
    end: usize,
    tools: BTreeSet<&'a str>,
    /// Whether it is left as it is.
    is_left: bool,
}

impl Line<'_> {
    fn condition(&self) -> String {
        // A name that nobody knows passes, so that the line itself fails with it, or asks for it.
        let tools: Vec<_> =
            self.tools.iter().map(|tool| format!("{TOOLS}{tool}|default(true)")).collect();
        tools.join(" and ")
    }
}

fn lines<'a>(pieces: &[Piece<'a>]) -> Vec<Line<'a>> {
    let (mut lines, mut line) = (Vec::new(), Line::default());
    for piece in pieces {
        line.is_left |= matches!(piece.kind, PieceKind::Statement | PieceKind::Raw);
        line.is_left |= !piece.is_closed;
        if piece.kind == PieceKind::Print {
            line.tools.extend(printed_tools(piece.expression()));
        }
        for end in line_ends(piece) {
            lines.push(Line { end, ..std::mem::take(&mut line) });
            line.start = end;
        }
        line.end = piece.end();
    }
    lines.push(line);
    lines
}

/// Returns where lines end in a piece: behind LF, CR LF and CR.
fn line_ends<'a>(piece: &Piece<'a>) -> impl Iterator<Item = usize> + use<'a> {
    let (start, text) = (piece.start, if piece.kind == PieceKind::Text { piece.text } else { "" });
    let breaks = text.match_indices(['\r', '\n']);
    let ends = breaks.filter(|(at, sign)| *sign == "\n" || !text[at + 1..].starts_with('\n'));
    ends.map(move |(at, _)| start + at + 1)
}

/// Where tags trim white space.
struct Trims {
    in_front_of: Vec<usize>,
    behind: Vec<usize>,
}

impl Trims {
    fn of(pieces: &[Piece<'_>]) -> Self {
        let in_front_of = pieces.iter().filter(|piece| piece.trims_before());
        let behind = pieces.iter().filter(|piece| piece.trims_behind());
        Self {
            in_front_of: in_front_of.map(|piece| piece.start).collect(),
            behind: behind.map(Piece::end).collect(),
        }
    }

    /// Writes the line within a condition, which trims what was trimmed without it.
    fn wrap(&self, out: &mut String, source: &str, line: &Line<'_>) {
        let whole = &source[line.start..line.end];
        let front = self.sign(source, line.start);
        let said = if front.is_empty() { whole_line(whole) } else { without_break(whole) };
        let back = self.sign(source, line.start + said.len());
        let (condition, rest) = (line.condition(), &whole[said.len()..]);
        let _ = write!(
            out,
            "{{%{front} if {condition} {front}%}}{said}{{%{back} endif {back}%}}{rest}"
        );
    }

    /// Returns the sign that trims, where the white space around a place is trimmed.
    fn sign(&self, source: &str, place: usize) -> &'static str {
        let behind = source[..place].trim_end().len();
        let in_front_of = source.len() - source[place..].trim_start().len();
        let is_trimmed = self.behind.binary_search(&behind).is_ok()
            || self.in_front_of.binary_search(&in_front_of).is_ok();
        if is_trimmed { "-" } else { "" }
    }
}

/// Returns the line with its break, if it has one.
fn whole_line(line: &str) -> &str {
    if line.ends_with(['\r', '\n']) { line } else { without_break(line) }
}

/// Returns the line for a place where it is joined to the one before, so that one break is left.
///
/// A brace at its end goes too: with the mark behind it, it would open another tag.
fn without_break(line: &str) -> &str {
    line.trim_end_matches(['\r', '\n', '{'])
}

/// Returns the tools that an expression names.
fn printed_tools(expression: &str) -> impl Iterator<Item = &str> {
    let code = code_and_quotes(expression).filter(|(is_code, _)| *is_code);
    code.flat_map(|(_, code)| named_tools(code))
}

fn named_tools(code: &str) -> impl Iterator<Item = &str> {
    let places = code.match_indices(TOOLS).filter(|(at, _)| is_own_name(&code[..*at]));
    let names = places.filter_map(|(at, _)| {
        code[at + TOOLS.len()..].split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()
    });
    names.filter(|name| !name.is_empty())
}

/// Tells whether a name begins behind this, and is no field of another value.
fn is_own_name(before: &str) -> bool {
    let continues = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    !continues && !before.trim_end().ends_with('.')
}
