//! The portion of a file that one call returns.

use std::{
    io::{self, BufRead},
    ops::RangeInclusive,
};

use brute_core::ToolOutput;

use super::{ReadLimits, lines};
use crate::tools::show;

/// How many bytes behind the portion are looked at to count the lines of the file.
const COUNTED: u64 = 256 * 1024 * 1024;

/// Consecutive lines of a file, as the model reads them.
#[derive(Debug, Default)]
pub(super) struct Portion {
    text: String,
    last_shown: u64,
    seen: u64,
    is_counted: bool,
    cut: u64,
    is_lossy: bool,
    is_crlf: bool,
}

impl Portion {
    /// Reads the lines of a range, as far as the limits go.
    pub(super) fn read(
        reader: &mut impl BufRead,
        wanted: RangeInclusive<u64>,
        limits: ReadLimits,
    ) -> io::Result<Self> {
        let mut portion = Self::default();
        let before = wanted.start() - 1;
        let last = before.saturating_add(limits.lines).min(*wanted.end());
        portion.skip_to(before, reader)?;
        if portion.seen == before {
            portion.show_to(last, reader, limits)?;
        }
        portion.count_rest(reader)?;
        Ok(portion)
    }

    fn skip_to(&mut self, before: u64, reader: &mut impl BufRead) -> io::Result<()> {
        while self.seen < before && lines::skip(reader)? {
            self.seen += 1;
        }
        Ok(())
    }

    fn show_to(
        &mut self,
        last: u64,
        reader: &mut impl BufRead,
        limits: ReadLimits,
    ) -> io::Result<()> {
        while self.seen < last
            && let Some(line) = lines::read(reader, limits.line_chars)?
        {
            self.seen += 1;
            let suffix = if line.is_cut { "… [cut]" } else { "" };
            let shown = format!("{}\t{}{suffix}\n", self.seen, line.text);
            // The first line is shown in any case, or the model could never go on.
            if !self.text.is_empty() && self.text.len() + shown.len() > limits.bytes {
                break;
            }
            self.text.push_str(&shown);
            self.last_shown = self.seen;
            self.cut += u64::from(line.is_cut);
            self.is_lossy |= line.is_lossy;
            self.is_crlf |= line.is_crlf;
        }
        Ok(())
    }

    fn count_rest(&mut self, reader: &mut impl BufRead) -> io::Result<()> {
        let mut rest = io::Read::take(&mut *reader, COUNTED);
        while lines::skip(&mut rest)? {
            self.seen += 1;
        }
        self.is_counted = rest.limit() > 0;
        Ok(())
    }

    /// Turns the portion into what the tool answers, with notes on all that is not there.
    pub(super) fn into_output(self, wanted: RangeInclusive<u64>, limits: ReadLimits) -> ToolOutput {
        let notes = [
            self.where_to_go_on(*wanted.start()),
            (self.cut > 0).then(|| self.what_was_cut(limits)),
            self.is_lossy.then(|| "bytes that are no UTF-8 are shown as \u{fffd}".into()),
            self.is_crlf.then(|| "these lines end in CRLF".into()),
        ];
        let is_short = self.last_shown < self.seen.min(*wanted.end());
        let mut text = self.text;
        notes.iter().flatten().for_each(|note| show::note(&mut text, note));
        ToolOutput { truncated: is_short || self.cut > 0, ..text.into() }
    }

    fn where_to_go_on(&self, first: u64) -> Option<String> {
        let at_least = if self.is_counted { "" } else { "at least " };
        let total = show::count(self.seen, "line", "lines");
        match (self.seen, self.last_shown) {
            (0, _) => Some("the file is empty".into()),
            (_, 0) => Some(format!("the file has {at_least}{total}; none is numbered {first}")),
            (seen, last) if last < seen => {
                let next = last + 1;
                Some(format!(
                    "lines {first} to {last} of {at_least}{seen}; go on with start_line {next}"
                ))
            }
            _ => None,
        }
    }

    fn what_was_cut(&self, limits: ReadLimits) -> String {
        let lines = show::count(self.cut, "line is", "lines are");
        format!("{lines} cut after {} characters", limits.line_chars)
    }
}
