//! Names of variables as another template language spells them.

use crate::template::{Piece, PieceKind, pieces};

/// The variables whose names differ in more than their spelling.
const RENAMED: [(&str, &str); 3] = [
    ("builder_run_command", "run_command"),
    ("builder_launch_command", "run_command"),
    ("estimated_tool_calls_for_context", "estimated_tool_calls"),
];

/// Returns the template with these variables under our names; no line is added or taken.
pub(super) fn translated(template: &str) -> String {
    let pieces = pieces(template);
    pieces.map(|piece| in_our_words(&piece).unwrap_or_else(|| piece.text.into())).collect()
}

/// Returns a tag such as `{{ .DefaultSystemPrompt }}` as we spell it, or nothing for other pieces.
fn in_our_words(piece: &Piece<'_>) -> Option<String> {
    if piece.kind != PieceKind::Print || !piece.is_closed {
        return None;
    }
    let (front, rest) = sign(piece.expression().strip_prefix('-'), piece.expression());
    let (back, rest) = sign(rest.strip_suffix('-'), rest);
    let name = rest.trim().strip_prefix('.').filter(|name| is_name(name))?;
    let lines = "\n".repeat(rest.matches('\n').count());
    Some(format!("{{{{{front} {} {lines}{back}}}}}", variable(name)))
}

/// Returns the sign that trims, if there was one, and what is left without it.
fn sign<'a>(without: Option<&'a str>, whole: &'a str) -> (&'static str, &'a str) {
    without.map_or(("", whole), |without| ("-", without))
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric())
}

fn variable(name: &str) -> String {
    let name = snake_case(name);
    let renamed = RENAMED.iter().find(|(theirs, _)| *theirs == name);
    renamed.map_or(name.clone(), |(_, ours)| (*ours).to_owned())
}

fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 8);
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
