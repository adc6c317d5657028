//! Compares lists by their entries, entries by their keys, and values.

use serde_json::{Map, Value};

use super::{Mismatch, text};

/// The months as a date in words writes them.
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// What is known besides the record: the root of the case and the arguments of the call.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    pub(super) root: &'a str,
    pub(super) args: &'a Map<String, Value>,
}

impl Judge<'_> {
    /// Compares lists: the same number, in the same order.
    pub(super) fn list(
        &self,
        expected: &Value,
        got: &Value,
        known: &[&str],
        place: &str,
    ) -> Vec<Mismatch> {
        let (Value::Array(wanted), Value::Array(entries)) = (expected, got) else {
            return vec![Mismatch::new(place, expected, got)];
        };
        if wanted.len() != entries.len() {
            return vec![Mismatch::new(place, expected, got)];
        }
        let pairs = wanted.iter().zip(entries).enumerate();
        let judged = pairs.flat_map(|(index, (expected, got))| {
            self.entry(expected, got, known, &format!("{place}[{index}]"))
        });
        judged.collect()
    }

    /// Compares an entry in the keys that are listed.
    pub(super) fn entry(
        &self,
        expected: &Value,
        got: &Value,
        known: &[&str],
        place: &str,
    ) -> Vec<Mismatch> {
        let Some(expected) = expected.as_object() else {
            return vec![Mismatch::new(place, expected, got)];
        };
        let judged = expected.iter().flat_map(|(key, expected)| {
            if !known.contains(&key.as_str()) {
                return vec![Mismatch::unknown(place, key)];
            }
            self.field(key, expected, got, &format!("{place}.{key}"))
        });
        judged.collect()
    }

    fn field(&self, key: &str, expected: &Value, entry: &Value, place: &str) -> Vec<Mismatch> {
        let got = &entry[key];
        match key {
            "error" => error(expected, got, place),
            "problems" => self.value(&sorted(expected), &sorted(got), place),
            "status_lines_max" => at_most(expected, &entry["status_lines"], place),
            "text" if entry.get("truncated").is_some() => {
                self.value(&without_end(expected), &without_end(got), place)
            }
            "path" | "location" => self.either(expected, got, self.relative(got), place),
            "recent_commits" => self.either(expected, got, subjects(got), place),
            "date" => self.either(expected, got, numeric_date(got), place),
            _ => self.value(expected, got, place),
        }
    }

    /// Compares with a value that can be written in two ways.
    fn either(
        &self,
        expected: &Value,
        got: &Value,
        other: Option<Value>,
        place: &str,
    ) -> Vec<Mismatch> {
        let fits = other.is_some_and(|other| self.value(expected, &other, place).is_empty());
        if fits { Vec::new() } else { self.value(expected, got, place) }
    }

    /// Returns the path as the case writes it, where it lies in the root.
    fn relative(&self, path: &Value) -> Option<Value> {
        let below = path.as_str()?.strip_prefix(self.root)?.strip_prefix(['/', '\\'])?;
        Some(below.replace('\\', "/").into())
    }

    /// Compares a value: exactly, or by the conditions on a text.
    pub(super) fn value(&self, expected: &Value, got: &Value, place: &str) -> Vec<Mismatch> {
        match (expected, got) {
            (Value::Object(expected), Value::Object(got)) => {
                let keys = expected.iter();
                let judged = keys.flat_map(|(key, expected)| {
                    let got = got.get(key).unwrap_or(&Value::Null);
                    self.value(expected, got, &format!("{place}.{key}"))
                });
                judged.collect()
            }
            (Value::Object(conditions), _) => text::judge(conditions, got, self.args, place),
            (Value::Array(wanted), Value::Array(items)) if wanted.len() == items.len() => {
                let pairs = wanted.iter().zip(items).enumerate();
                let judged = pairs.flat_map(|(index, (expected, got))| {
                    self.value(expected, got, &format!("{place}[{index}]"))
                });
                judged.collect()
            }
            _ if expected == got || (is_nothing(expected) && is_nothing(got)) => Vec::new(),
            _ => vec![Mismatch::new(place, expected, got)],
        }
    }
}

/// Reports the keys of an expected entry, and the conditions in it, that are not known.
pub(super) fn unknown_keys(entry: &Value, known: &[&str], place: &str) -> Vec<Mismatch> {
    let entries = || entry.as_object().into_iter().flatten();
    let keys = entries().map(|(key, _)| key).filter(|key| !known.contains(&key.as_str()));
    // The keys of metadata are the author's own.
    let texts = entries().filter(|(key, _)| *key != "metadata");
    let conditions = texts.filter_map(|(_, text)| text.as_object()).flat_map(Map::keys);
    let conditions = conditions.filter(|condition| !text::CONDITIONS.contains(&condition.as_str()));
    keys.chain(conditions).map(|key| Mismatch::unknown(place, key)).collect()
}

/// Compares a failure by its kind and by what its message mentions.
pub(super) fn error(expected: &Value, got: &Value, place: &str) -> Vec<Mismatch> {
    let mut mismatches = unknown_keys(expected, &["kind", "mentions"], place);
    let message = got["message"].as_str().unwrap_or_default();
    let kind = expected.get("kind").is_none_or(|kind| *kind == got["kind"]);
    let mentions = text::texts(expected.get("mentions").unwrap_or(&Value::Null));
    let mentions = mentions.is_some_and(|parts| parts.iter().all(|part| message.contains(part)));
    if !got.is_object() || !kind || !mentions {
        mismatches.push(Mismatch::new(place, expected, got));
    }
    mismatches
}

fn at_most(expected: &Value, list: &Value, place: &str) -> Vec<Mismatch> {
    let length = list.as_array().map_or(0, Vec::len);
    let fits = expected.as_u64().is_some_and(|most| length as u64 <= most);
    if fits { Vec::new() } else { vec![Mismatch::new(place, expected, length)] }
}

fn is_nothing(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

fn sorted(list: &Value) -> Value {
    let mut list = list.clone();
    if let Some(items) = list.as_array_mut() {
        items.sort_by_key(Value::to_string);
    }
    list
}

/// Returns a text without the white space at its end, which does not count.
fn without_end(text: &Value) -> Value {
    text.as_str().map_or_else(|| text.clone(), |text| text.trim_end().into())
}

/// Returns the commits without their ids, which no case can know.
fn subjects(commits: &Value) -> Option<Value> {
    let subject = |commit: &Value| Some(commit.as_str()?.split_once(' ')?.1.into());
    commits.as_array()?.iter().map(subject).collect::<Option<_>>().map(Value::Array)
}

/// Returns `Thu Mar 05 2026` as `2026-03-05`.
fn numeric_date(words: &Value) -> Option<Value> {
    let words: Vec<_> = words.as_str()?.split(' ').collect();
    let [_, month, day, year] = words[..] else { return None };
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    Some(format!("{year}-{month:02}-{day}").into())
}
