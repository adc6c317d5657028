//! The sources of a prompt, as a person reads them.

use std::path::Path;

use brute_prompts::{FileStatus, SourceKind, SourceReport, plain};

use super::Seen;

/// Returns the sources that stand in the prompt, and those that go beside it.
pub(super) fn halves(sources: &[SourceReport]) -> (&[SourceReport], &[SourceReport]) {
    sources.split_at(sources.partition_point(|source| source.kind != SourceKind::Tools))
}

/// Returns the name of a source on one line, relative to the working directory.
pub(super) fn shown(seen: &Seen, source: &SourceReport) -> String {
    let cwd = seen.ctx.cwd.as_deref().unwrap_or_default();
    let path = Path::new(&source.source);
    let path = path.strip_prefix(cwd).unwrap_or(path).to_string_lossy();
    plain::visible(&path).into_owned()
}

/// Says what a source is.
pub(super) fn kind(source: &SourceReport) -> &'static str {
    match source.kind {
        SourceKind::Words => "words",
        SourceKind::Skills => "skills",
        SourceKind::PromptFile => "prompt file",
        SourceKind::Instructions => "instructions",
        SourceKind::Rules => "rules",
        SourceKind::Workspace => "workspace",
        SourceKind::Tools => "tool",
    }
}

/// Says what became of a source.
pub(super) fn status(source: &SourceReport) -> &'static str {
    match source.status {
        FileStatus::Ok => "ok",
        FileStatus::Truncated => "truncated",
        FileStatus::Missing => "missing",
        FileStatus::Dropped => "dropped",
    }
}

/// Returns the estimated number of tokens: a quarter of the bytes, rounded up.
pub(super) fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

/// Returns what a source adds to a call: its part of the prompt, or a definition beside it.
pub(super) fn sent(source: &SourceReport) -> usize {
    if source.kind == SourceKind::Tools { source.raw_bytes } else { source.injected_bytes }
}

/// Returns a number with its thousands set apart.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
