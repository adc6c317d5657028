//! Reads the status that git writes for programs.

use std::io::BufRead;

use crate::{GitFacts, plain};

/// The status, cut to a number of lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Status {
    branch: Option<String>,
    commit: Option<String>,
    lines: Vec<String>,
    omitted: usize,
}

impl Status {
    /// Reads records that end in a zero byte; of the lines beyond `limit` only the number is kept.
    pub(super) fn read(answer: impl BufRead, limit: usize) -> Self {
        let mut status = Self::default();
        let mut records = answer.split(0).map_while(Result::ok);
        while let Some(record) = records.next() {
            let record = String::from_utf8_lossy(&record);
            // A renamed file has its former path in a record of its own.
            let former = if record.starts_with("2 ") { records.next() } else { None };
            status.take(&record, former.as_deref(), limit);
        }
        status
    }

    /// Returns the facts; `commits` begin with the short id.
    pub(super) fn into_facts(self, commits: Vec<String>) -> GitFacts {
        let short = commits.first().and_then(|line| line.split(' ').next()).map(str::to_owned);
        GitFacts {
            head: short.or(self.commit),
            branch: self.branch,
            status_lines: self.lines,
            status_omitted: self.omitted,
            recent_commits: commits,
        }
    }

    fn take(&mut self, record: &str, former: Option<&[u8]>, limit: usize) {
        if let Some(header) = record.strip_prefix("# ") {
            self.take_header(header);
        } else if self.lines.len() == limit {
            self.omitted += 1;
        } else if let Some(line) = short_line(record, former) {
            self.lines.push(line);
        }
    }

    fn take_header(&mut self, header: &str) {
        match header.split_once(' ') {
            Some(("branch.oid", commit)) if commit != "(initial)" => {
                self.commit = Some(commit.chars().take(12).collect());
            }
            Some(("branch.head", branch)) if branch != "(detached)" => {
                self.branch = Some(branch.to_owned());
            }
            _ => {}
        }
    }
}

/// Returns the record as the short status prints it.
fn short_line(record: &str, former: Option<&[u8]>) -> Option<String> {
    let (kind, rest) = record.split_once(' ')?;
    let fields = match kind {
        "1" => 8,
        "2" => 9,
        "u" => 10,
        "?" => return Some(format!("?? {}", plain::visible(rest))),
        _ => return None,
    };
    let mut fields = rest.splitn(fields, ' ');
    let state = fields.next()?.replace('.', " ");
    let path = plain::visible(fields.last()?).into_owned();
    let Some(former) = former else {
        return Some(format!("{state} {path}"));
    };
    let former = String::from_utf8_lossy(former);
    Some(format!("{state} {} -> {path}", plain::visible(&former)))
}
