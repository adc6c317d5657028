//! Refuses templates that the engine cannot read: nested so deep that the stack would be used up,
//! or with tags so far to the right that it loses count of the columns.

use super::pieces::{Piece, PieceKind, code_and_quotes, pieces};
use crate::{PromptError, PromptErrorKind};

/// How many names, numbers and signs one tag may hold; each can be a level of its own.
const MAX_PARTS: usize = 1_000;

/// How many characters of one line may stand in front of the end of a tag; the engine counts
/// columns in 16 bits, and adding one to a full count is a panic where overflow is checked.
const MAX_COLUMN: usize = 65_000;

/// How many further branches the conditions of one template may have.
const MAX_BRANCHES: usize = 250;

/// Fails where a tag, or a chain of conditions, has too many parts, and where a tag ends too far to
/// the right.
pub(crate) fn check_depth(name: &str, source: &str) -> Result<(), PromptError> {
    let (mut place, mut branches) = (Place { line: 1, column: 0 }, 0);
    for piece in pieces(source) {
        branches += usize::from(is_branch(&piece));
        let parts = parts(piece.expression());
        if parts > MAX_PARTS || branches > MAX_BRANCHES {
            return Err(too_deep(parts).in_file(name).at_line(place.line));
        }
        if place.pass_piece(&piece).is_err() {
            return Err(too_far().in_file(name).at_line(place.line));
        }
    }
    Ok(())
}

/// The place that has been reached, as the engine counts.
struct Place {
    line: usize,
    column: usize,
}

/// Tells that the engine may fail at a column that it cannot count.
struct TooFar;

impl Place {
    /// Goes on behind a piece.
    ///
    /// The engine fails within the code of a tag, or at the end of a template where a piece is
    /// not closed. In text, in closed comments and raw parts, and in closed quotes it only counts.
    fn pass_piece(&mut self, piece: &Piece<'_>) -> Result<(), TooFar> {
        if matches!(piece.kind, PieceKind::Print | PieceKind::Statement) {
            for (is_code, part) in code_and_quotes(piece.text) {
                if is_code { self.pass_code(part)? } else { self.pass(part) }
            }
        } else {
            self.pass(piece.text);
        }
        if piece.is_closed { Ok(()) } else { self.check() }
    }

    fn pass_code(&mut self, code: &str) -> Result<(), TooFar> {
        for c in code.chars() {
            self.step(c);
            if !c.is_ascii_whitespace() {
                self.check()?;
            }
        }
        Ok(())
    }

    fn pass(&mut self, text: &str) {
        text.chars().for_each(|c| self.step(c));
    }

    fn step(&mut self, c: char) {
        if c == '\n' {
            *self = Self { line: self.line + 1, column: 0 };
        } else {
            self.column += 1;
        }
    }

    fn check(&self) -> Result<(), TooFar> {
        if self.column > MAX_COLUMN { Err(TooFar) } else { Ok(()) }
    }
}

fn too_far() -> PromptError {
    let message =
        format!("a tag stands behind {MAX_COLUMN} characters of one line; break the line");
    PromptError::new(PromptErrorKind::Syntax, message)
}

fn too_deep(parts: usize) -> PromptError {
    let message = if parts > MAX_PARTS {
        format!("the tag has more than {MAX_PARTS} parts; close it, or split it up with `set`")
    } else {
        format!("the template has more than {MAX_BRANCHES} `elif`; split it up")
    };
    PromptError::new(PromptErrorKind::Syntax, message)
}

fn is_branch(piece: &Piece<'_>) -> bool {
    let words = piece.expression().trim_start_matches(['-', '+']).trim_start();
    piece.kind == PieceKind::Statement && words.starts_with("elif")
}

/// Counts the parts of an expression.
fn parts(expression: &str) -> usize {
    let code = code_and_quotes(expression).filter(|(is_code, _)| *is_code);
    code.map(|(_, code)| parts_of_code(code)).sum()
}

fn parts_of_code(code: &str) -> usize {
    let (mut parts, mut continues) = (0, false);
    for c in code.chars() {
        let is_name = c.is_alphanumeric() || c == '_';
        parts += usize::from(is_part(c) && !(is_name && continues));
        continues = is_name;
    }
    parts
}

/// Tells whether a character is, or begins, what may be a level of its own.
fn is_part(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, ',' | ':')
}
