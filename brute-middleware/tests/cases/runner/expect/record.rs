//! Compares the record of one call, key by key.

use serde_json::{Map, Value};

use super::{
    Mismatch, diagnostics,
    entry::{Judge, error, unknown_keys},
    xml,
};

const SKILL: [&str; 9] = [
    "name",
    "description",
    "body",
    "location",
    "scope",
    "license",
    "compatibility",
    "metadata",
    "allowed_tools",
];

const FIELDS: [&str; 10] = [
    "cwd",
    "is_git",
    "branch",
    "head",
    "model",
    "date",
    "status_lines",
    "status_lines_max",
    "status_truncated",
    "recent_commits",
];

impl Judge<'_> {
    /// Compares the record of one call.
    pub(super) fn record(
        &self,
        expected: &Map<String, Value>,
        record: &Value,
        place: &str,
    ) -> Vec<Mismatch> {
        let keys = expected.iter();
        keys.flat_map(|(key, expected)| self.key(key, expected, record, place)).collect()
    }

    fn key(&self, key: &str, expected: &Value, record: &Value, place: &str) -> Vec<Mismatch> {
        let (got, at) = (&record[key], format!("{place}.{key}"));
        match key {
            "skills" => self.list(expected, got, &SKILL, &at),
            "docs" => self.list(expected, got, &["path", "text", "truncated"], &at),
            "verdicts" => self.list(expected, got, &["valid", "problems"], &at),
            "messages" => self.list(expected, got, &["role", "content"], &at),
            "results" => self.list(expected, got, &["kind", "text", "skill", "name", "error"], &at),
            "skills_include" => self.include(expected, &record["skills"], &at),
            "skills_any_of" => self.any_of(expected, &record["skills"], &at),
            "stacks" => stacks(expected, got, &at),
            "diagnostics" => diagnostics::judge(self, expected, got, &at),
            "xml" => xml::judge(self, expected, &record["text"], &at),
            "fields" => self.entry(expected, got, &FIELDS, &at),
            "block" => self.entry(expected, got, &["closing_tag_count"], &at),
            "error" => error(expected, got, &at),
            "text" | "system" | "reminders" => self.value(expected, got, &at),
            "total_bytes_max" => total_bytes(expected, &record["docs"], &at),
            _ => vec![Mismatch::unknown(place, key)],
        }
    }

    /// Compares entries, each of which must be somewhere in the list.
    fn include(&self, expected: &Value, got: &Value, place: &str) -> Vec<Mismatch> {
        let (Value::Array(wanted), Value::Array(entries)) = (expected, got) else {
            return vec![Mismatch::new(place, expected, got)];
        };
        let unknown = wanted.iter().flat_map(|entry| unknown_keys(entry, &SKILL, place));
        let missing = wanted.iter().filter(|expected| {
            !entries.iter().any(|entry| self.entry(expected, entry, &SKILL, place).is_empty())
        });
        let missing = missing.map(|expected| Mismatch::new(place, expected, got));
        unknown.chain(missing).collect()
    }

    fn any_of(&self, expected: &Value, got: &Value, place: &str) -> Vec<Mismatch> {
        let lists = expected.as_array().map(Vec::as_slice).unwrap_or_default();
        let entries = lists.iter().filter_map(Value::as_array).flatten();
        let unknown: Vec<_> =
            entries.flat_map(|entry| unknown_keys(entry, &SKILL, place)).collect();
        let fits = |list: &Value| self.list(list, got, &SKILL, place).is_empty();
        if !unknown.is_empty() || lists.iter().any(fits) {
            return unknown;
        }
        vec![Mismatch::new(place, expected, got)]
    }
}

fn stacks(expected: &Value, got: &Value, place: &str) -> Vec<Mismatch> {
    let (Value::Array(wanted), Value::Array(stacks)) = (expected, got) else {
        return vec![Mismatch::new(place, expected, got)];
    };
    let fits = |(wanted, stack): (&Value, &Value)| match wanted {
        Value::Array(any) => any.contains(stack),
        _ => wanted == stack,
    };
    let all = wanted.len() == stacks.len() && wanted.iter().zip(stacks).all(fits);
    if all { Vec::new() } else { vec![Mismatch::new(place, expected, got)] }
}

fn total_bytes(expected: &Value, docs: &Value, place: &str) -> Vec<Mismatch> {
    let Some(docs) = docs.as_array() else {
        return vec![Mismatch::new(place, expected, docs)];
    };
    let bytes: usize = docs.iter().filter_map(|doc| doc["text"].as_str()).map(str::len).sum();
    let fits = expected.as_u64().is_some_and(|most| bytes as u64 <= most);
    if fits { Vec::new() } else { vec![Mismatch::new(place, expected, bytes)] }
}
