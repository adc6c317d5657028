//! A second reading of front matter that is not YAML: each faulty value is taken as it stands.

use std::ops::Range;

use super::yaml::{self, Yaml, YamlFault};

/// Front matter as read, and what had to be taken literally.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) pairs: Vec<(String, Yaml)>,
    pub(crate) repairs: Vec<Repair>,
}

/// One field whose value was taken literally, and why.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Repair {
    pub(crate) field: String,
    /// The line within the front matter, counted from 1.
    pub(crate) line: usize,
    pub(crate) reason: String,
}

/// Reads front matter as YAML, and where that fails field by field.
///
/// # Errors
///
/// Text in which no fields can be told apart, aliases that resolve, and YAML that is no mapping.
pub(crate) fn read(text: &str) -> Result<Reading, YamlFault> {
    match yaml::parse(text) {
        Ok(Yaml::Map(pairs)) => Ok(Reading { pairs, repairs: Vec::new() }),
        Ok(_) => Err(no_mapping()),
        Err(fault) if fault.refused => Err(fault),
        Err(fault) => reread(text).ok_or(fault),
    }
}

/// Returns the source of a field's value, its lines joined with blanks.
///
/// For a value that is sound YAML but no text, such as `[draft]`, where a text is wanted.
pub(crate) fn literal(text: &str, field: &str) -> Option<String> {
    let entries = entries(text)?;
    let entry = entries.iter().rev().find(|entry| entry.key == field)?;
    Some(entry.literal(text))
}

fn no_mapping() -> YamlFault {
    let message = "the front matter is not a mapping; write one `key: value` to a line";
    YamlFault { line: 1, message: message.into(), refused: true }
}

fn reread(text: &str) -> Option<Reading> {
    let mut reading = Reading { pairs: Vec::new(), repairs: Vec::new() };
    for entry in entries(text)? {
        let value = match entry.parse(text) {
            Ok(value) => value,
            Err(fault) => {
                reading.repairs.push(entry.repair(fault));
                entry.parse_quoted(text).unwrap_or_else(|| Yaml::Text(entry.literal(text)))
            }
        };
        reading.pairs.push((entry.key.to_owned(), value));
    }
    Some(reading)
}

/// A top-level field: the line that names it, and the lines up to the next.
struct Entry<'a> {
    key: &'a str,
    /// What follows the colon on the first line.
    first: &'a str,
    source: Range<usize>,
    line: usize,
}

impl Entry<'_> {
    fn parse(&self, text: &str) -> Result<Yaml, YamlFault> {
        only_value(yaml::parse(&text[self.source.clone()])?)
    }

    fn repair(&self, fault: YamlFault) -> Repair {
        let line = self.line + fault.line.saturating_sub(1);
        Repair { field: self.key.to_owned(), line, reason: fault.message }
    }

    /// Quotes the faulty values of a nested mapping and tries once more.
    fn parse_quoted(&self, text: &str) -> Option<Yaml> {
        if !self.first.trim().is_empty() {
            return None;
        }
        let quoted: Vec<_> = text[self.source.clone()].lines().map(quote_if_faulty).collect();
        only_value(yaml::parse(&quoted.join("\n")).ok()?).ok()
    }

    fn literal(&self, text: &str) -> String {
        let source = &text[self.source.clone()];
        let lines = source.lines().skip(1).filter(|line| !line.starts_with('#'));
        let first = Some(self.first).filter(|first| !is_block_indicator(first.trim()));
        let words = first.into_iter().chain(lines).map(str::trim).filter(|line| !line.is_empty());
        words.collect::<Vec<_>>().join(" ")
    }
}

fn only_value(yaml: Yaml) -> Result<Yaml, YamlFault> {
    match yaml {
        Yaml::Map(mut pairs) if pairs.len() == 1 => Ok(pairs.remove(0).1),
        _ => Err(no_mapping()),
    }
}

/// Splits front matter at the lines that name a field; `None` when other text comes first.
fn entries(text: &str) -> Option<Vec<Entry<'_>>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut start = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let end = start + line.len();
        match (field(line), entries.last_mut()) {
            (Some((key, first)), _) => {
                entries.push(Entry { key, first, source: start..end, line: index + 1 });
            }
            (None, Some(entry)) => entry.source.end = end,
            (None, None) if line.trim().is_empty() || line.starts_with('#') => {}
            (None, None) => return None,
        }
        start = end;
    }
    (!entries.is_empty()).then_some(entries)
}

/// Returns the key and the rest of a line that names a field at its very start.
fn field(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(':')?;
    let plain = unquote(key.trim_end());
    let named =
        !plain.is_empty() && plain.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
    (named && starts_blank(rest)).then_some((plain, rest))
}

fn unquote(key: &str) -> &str {
    let quoted = |mark| key.strip_prefix(mark).and_then(|key| key.strip_suffix(mark));
    quoted('"').or_else(|| quoted('\'')).unwrap_or(key)
}

fn starts_blank(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with([' ', '\t', '\n'])
}

/// Puts the value of an indented `key: value` line in quotes when it cannot stand alone.
fn quote_if_faulty(line: &str) -> String {
    let Some((key, value)) = line.split_once(": ") else { return line.to_owned() };
    if !key.starts_with(' ') || yaml::parse(&format!("key: {value}")).is_ok() {
        return line.to_owned();
    }
    format!("{key}: '{}'", value.trim().replace('\'', "''"))
}

fn is_block_indicator(text: &str) -> bool {
    let rest = text.strip_prefix(['|', '>']);
    rest.is_some_and(|rest| rest.len() <= 2 && rest.chars().all(|c| "+-123456789".contains(c)))
}
