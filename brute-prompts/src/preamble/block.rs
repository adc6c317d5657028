//! Data as pieces of Markdown that nothing in the data can break out of.

use serde::Serialize;

use crate::{normalise::normalise, plain};

/// How many characters of one line of an output are shown.
const LINE: usize = 2_000;

/// The end of an output as fenced lines.
#[derive(Debug, Default, Serialize)]
pub(super) struct Block {
    /// The line that opens and closes it; none where there is nothing to show.
    fence: Option<String>,
    indent: String,
    omitted: usize,
    text: String,
}

impl Block {
    /// Returns the last lines of a text.
    pub(super) fn last_lines(text: Option<&str>, most: usize, indent: usize) -> Self {
        let text = cleaned(text.unwrap_or_default());
        let lines: Vec<&str> = text.trim_end().lines().collect();
        if lines.is_empty() {
            return Self::default();
        }
        let omitted = lines.len().saturating_sub(most);
        let indent = " ".repeat(indent);
        let lines: Vec<_> = lines[omitted..].iter().map(|line| clipped(line, LINE)).collect();
        let fence = format!("{indent}{}", fence(&lines.join("\n"), 3));
        let lines: Vec<_> = lines.iter().map(|line| format!("{indent}{line}")).collect();
        Self { fence: Some(fence), indent, omitted, text: trimmed(&lines) }
    }
}

/// Returns a text as a code span with a blank before it, or, where it has several lines, as fenced
/// lines below: what may follow a colon.
pub(super) fn code(text: &str, most: usize, indent: usize) -> String {
    let text = cleaned(text);
    let text = text.trim();
    if !text.contains('\n') {
        return format!(" {}", span(&clipped(text, most)));
    }
    let (fence, indent) = (fence(text, 3), " ".repeat(indent));
    let lines = [&*fence].into_iter().chain(text.lines()).chain([&*fence]);
    lines.map(|line| format!("\n{indent}{line}").trim_end_matches(' ').to_owned()).collect()
}

/// Returns a text as a quotation.
pub(super) fn quote(text: &str) -> String {
    let text = cleaned(text);
    let lines: Vec<_> = text.trim().lines().map(|line| format!("> {line}")).collect();
    trimmed(&lines)
}

/// Returns a remark on one line, cut where it is too long.
pub(super) fn remark(text: &str, most: usize) -> String {
    clipped(&plain::collapsed(text), most)
}

/// Returns a text for a list, whose further lines belong to the same item.
pub(super) fn item(text: &str) -> String {
    cleaned(text).trim_end().replace('\n', "\n  ")
}

/// Returns a text for a cell of a table.
pub(super) fn cell(text: &str) -> String {
    cleaned(text).trim_end().replace('|', "\\|").replace('\n', "<br>")
}

/// Returns the text with plain line ends and without control characters.
pub(super) fn cleaned(text: &str) -> String {
    let text = normalise(text);
    text.chars().filter(|&c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

fn trimmed(lines: &[String]) -> String {
    let lines: Vec<_> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n")
}

fn span(text: &str) -> String {
    let mark = fence(text, 1);
    let gap = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{mark}{gap}{text}{gap}{mark}")
}

/// Returns more backticks than the text has anywhere in a row, and at least so many.
fn fence(text: &str, least: usize) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(least.max(longest + 1))
}

fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}
