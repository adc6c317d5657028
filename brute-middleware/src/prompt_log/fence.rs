//! Texts between fences that they cannot break.

/// Returns the text between two lines of backticks, more of them than it has anywhere in a row.
pub(super) fn fenced(kind: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{kind}\n{text}{gap}{fence}\n")
}
