//! Shows names and notes so that nothing in them passes for something else.

use std::{borrow::Cow, fmt::Write as _, path::Path};

/// Shows a path on one line: characters that a reader would not see are escaped.
pub(super) fn path(path: &Path) -> String {
    line(&path.to_string_lossy())
}

/// Shows a text on one line: characters that a reader would not see are escaped.
pub(super) fn line(text: &str) -> String {
    if text.chars().any(is_unseen) { text.chars().map(escape).collect() } else { text.into() }
}

/// Adds a note for the model, on a line of its own below what came before.
pub(super) fn note(text: &mut String, note: &str) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    // Writing to a string cannot fail.
    let _ = writeln!(text, "[{note}]");
}

/// Returns "1 file", "2 files".
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Tells whether a character moves or hides what stands around it.
fn is_unseen(character: char) -> bool {
    let is_invisible = matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}' | '\u{feff}');
    is_invisible || character.is_control()
}

fn escape(character: char) -> Cow<'static, str> {
    match character {
        // Once anything is escaped, a backslash of the name itself must not look like an escape.
        '\\' => r"\\".into(),
        _ if is_unseen(character) => character.escape_default().to_string().into(),
        _ => character.to_string().into(),
    }
}
