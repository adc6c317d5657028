//! Quotes what tools returned.

use super::listing::is_note;

/// How many characters of a line are quoted.
const WIDTH: usize = 120;

/// Quotes the first lines of a text, one below the other.
pub(super) fn lines<'a>(lines: impl Iterator<Item = &'a str>, most: usize) -> String {
    let quotes: Vec<_> = lines.take(most).map(|line| format!("\n> {}", short(line))).collect();
    quotes.concat()
}

/// Returns a line without what could move a terminal, and not too long.
pub(super) fn short(line: &str) -> String {
    let mut shown: String =
        line.chars().filter(|letter| !letter.is_control()).take(WIDTH + 1).collect();
    if let Some((end, _)) = shown.char_indices().nth(WIDTH) {
        shown.truncate(end);
        shown.push('…');
    }
    shown
}

/// Iterates over the lines of a result that are no notes of the tool.
pub(super) fn content(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty() && !is_note(line))
}

/// Returns the notes of the tool, in parentheses.
pub(super) fn notes(text: &str) -> String {
    let notes = text.lines().filter(|line| is_note(line));
    let notes: Vec<_> = notes.map(|note| format!(" ({})", short(unbracketed(note)))).collect();
    notes.concat()
}

fn unbracketed(note: &str) -> &str {
    note.trim_start_matches('[').trim_end_matches(']')
}

/// Returns a line of a file without its number.
pub(super) fn unnumbered(line: &str) -> &str {
    match line.split_once('\t') {
        Some((number, text)) if number.trim().parse::<u64>().is_ok() => text,
        _ => line,
    }
}

/// Tells whether a text is made of numbered lines.
pub(super) fn is_numbered(text: &str) -> bool {
    text.lines().next().is_some_and(|line| unnumbered(line).len() < line.len())
}

/// Returns "1 file", "2 files".
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
