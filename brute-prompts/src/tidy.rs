//! Takes out what a text leaves behind when some of its lines have gone.

use std::ops::Range;

/// Returns the text without headings that head nothing and with single blank lines, or nothing
/// where only headings are left.
///
/// `data` are the places that hold values, in order; what stands there is kept as it is.
pub(crate) fn tidy(text: &str, data: &[Range<usize>]) -> Option<String> {
    let lines = read_lines(text, data);
    if !lines.iter().any(|line| line.kind == Kind::Text) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut blank = true;
    for (index, line) in lines.iter().enumerate() {
        if line.kind == Kind::Blank {
            if !blank {
                out.push('\n');
            }
            blank = true;
        } else if line.kind == Kind::Text || heads_text(&lines[index..]) {
            out.push_str(line.text);
            blank = false;
        }
    }
    Some(out)
}

struct Line<'a> {
    text: &'a str,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    Heading(usize),
    Text,
}

fn read_lines<'a>(text: &'a str, data: &[Range<usize>]) -> Vec<Line<'a>> {
    let (mut at, mut fenced, mut data) = (0, false, data);
    let lines = text.split_inclusive('\n').map(|line| {
        data = skip_before(data, at);
        let is_data = data.first().is_some_and(|range| range.start <= at);
        at += line.len();
        let is_fence = !is_data && is_fence(line);
        fenced ^= is_fence;
        let kind = if is_data || is_fence || fenced { Kind::Text } else { kind_of(line) };
        Line { text: line, kind }
    });
    lines.collect()
}

/// Drops the ranges that end at `at` or before.
fn skip_before(data: &[Range<usize>], at: usize) -> &[Range<usize>] {
    let passed = data.iter().take_while(|range| range.end <= at).count();
    &data[passed..]
}

fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

fn kind_of(line: &str) -> Kind {
    let line = line.trim();
    let level = line.len() - line.trim_start_matches('#').len();
    if line.is_empty() {
        Kind::Blank
    } else if (1..=6).contains(&level) && line[level..].starts_with(' ') {
        Kind::Heading(level)
    } else {
        Kind::Text
    }
}

/// Returns true where text follows the heading in front before one of its level or above.
fn heads_text(lines: &[Line<'_>]) -> bool {
    let Some(Kind::Heading(level)) = lines.first().map(|line| line.kind) else {
        return false;
    };
    let below = lines[1..].iter().map(|line| line.kind);
    let mut own = below.take_while(|kind| !matches!(kind, Kind::Heading(other) if *other <= level));
    own.any(|kind| kind == Kind::Text)
}
