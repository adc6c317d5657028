//! Searches one file line by line.

use std::{io, path::Path, time::SystemTime};

use brute_core::Error;
use grep::{
    matcher::{LineTerminator, Matcher},
    regex::RegexMatcher,
    searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkFinish, SinkMatch},
};

use super::SearchLimits;
use crate::tools::{place::Place, stop::Stop};

/// The longest line that is searched; a file with a longer one is reported as unreadable.
const LINE: usize = 16 * 1024 * 1024;

/// What was found in one file.
#[derive(Debug)]
pub(super) struct FoundLines {
    /// The first lines that match.
    pub(super) lines: Vec<FoundLine>,
    /// How many lines match.
    pub(super) total: u64,
    /// Whether the search ended at a byte that text does not have.
    pub(super) is_binary: bool,
    /// When the file was last changed.
    pub(super) changed: SystemTime,
}

/// A line that matches.
#[derive(Debug)]
pub(super) struct FoundLine {
    /// Its number, from 1.
    pub(super) number: u64,
    /// Its text, or what stands around the match.
    pub(super) text: String,
    /// Whether that is not all of it.
    pub(super) is_cut: bool,
}

/// Searches files one after another.
pub(super) struct LineSearch<'a> {
    searcher: Searcher,
    matcher: &'a RegexMatcher,
    limits: SearchLimits,
    place: &'a Place,
    stop: &'a Stop,
}

impl<'a> LineSearch<'a> {
    pub(super) fn new(
        matcher: &'a RegexMatcher,
        limits: SearchLimits,
        place: &'a Place,
        stop: &'a Stop,
    ) -> Self {
        let searcher = SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(LINE))
            .build();
        Self { searcher, matcher, limits, place, stop }
    }

    /// Searches a file.
    pub(super) fn search(&mut self, path: &Path) -> Result<FoundLines, Error> {
        let (file, metadata) = self.place.open(path)?;
        let changed = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let found = FoundLines { lines: Vec::new(), total: 0, is_binary: false, changed };
        let mut collect = Collect { matcher: self.matcher, limits: self.limits, found };
        self.searcher
            .search_reader(self.matcher, self.stop.guard(file), &mut collect)
            .map_err(|error| self.place.unreadable(path, &error))?;
        Ok(collect.found)
    }
}

/// Takes the lines that the searcher finds.
struct Collect<'a> {
    matcher: &'a RegexMatcher,
    limits: SearchLimits,
    found: FoundLines,
}

impl Sink for Collect<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, matched: &SinkMatch<'_>) -> io::Result<bool> {
        self.found.total += 1;
        if self.found.lines.len() < self.limits.lines {
            let line = without_end(matched.bytes());
            let start = self.matcher.find(line)?.map_or(0, |found| found.start());
            let (text, is_cut) = preview(line, start, self.limits.line_chars);
            let number = matched.line_number().unwrap_or_default();
            self.found.lines.push(FoundLine { number, text, is_cut });
        }
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, finish: &SinkFinish) -> io::Result<()> {
        self.found.is_binary = finish.binary_byte_offset().is_some();
        Ok(())
    }
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns a line, or of a long one what stands around the match that starts at a byte.
fn preview(line: &[u8], start: usize, chars: usize) -> (String, bool) {
    let text = String::from_utf8_lossy(line);
    if text.chars().nth(chars).is_none() {
        return (text.into_owned(), false);
    }
    let before = String::from_utf8_lossy(&line[..start]).chars().count();
    // A quarter of the room shows what leads to the match.
    let skipped = before.saturating_sub(chars / 4);
    let shown: String = text.chars().skip(skipped).take(chars).collect();
    let left = if skipped > 0 { "…" } else { "" };
    let right = if text.chars().nth(skipped + chars).is_some() { "…" } else { "" };
    (format!("{left}{shown}{right}"), true)
}
