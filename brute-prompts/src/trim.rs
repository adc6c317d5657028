//! The edges of a section.

/// Returns the text without blank lines at its start and white space at its end.
pub(crate) fn trim(text: &str) -> &str {
    let text = text.trim_end();
    let indent = text.len() - text.trim_start().len();
    let line = text[..indent].rfind('\n').map_or(0, |newline| newline + 1);
    &text[line..]
}
