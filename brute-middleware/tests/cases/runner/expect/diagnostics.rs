//! Compares what was reported about files.

use serde_json::{Map, Value};

use super::{
    Mismatch,
    entry::{Judge, unknown_keys},
    text::texts,
};

const RECORD: [&str; 3] = ["path", "kind", "severity"];

/// Returns what is not as expected about the diagnostics.
pub(super) fn judge(
    judge: &Judge<'_>,
    expected: &Value,
    got: &Value,
    place: &str,
) -> Vec<Mismatch> {
    let (Some(expected), Some(records)) = (expected.as_object(), got.as_array()) else {
        return vec![Mismatch::new(place, expected, got)];
    };
    let judged = expected.iter().flat_map(|(key, wanted)| {
        let at = format!("{place}.{key}");
        let holds = match key.as_str() {
            "none" => wanted.as_bool().map(|none| none == records.is_empty()),
            "exclude_kinds" => none_of(wanted, "kind", records),
            "no_severity" => none_of(wanted, "severity", records),
            "min_for_path" => minimum(judge, wanted, records),
            "include" | "exclude" => {
                return listed(judge, wanted, got, key == "include", &at);
            }
            _ => return vec![Mismatch::unknown(place, key)],
        };
        if holds == Some(true) { Vec::new() } else { vec![Mismatch::new(at, wanted, got)] }
    });
    judged.collect()
}

/// Compares records that must be there, or must not.
fn listed(
    judge: &Judge<'_>,
    wanted: &Value,
    got: &Value,
    is_there: bool,
    place: &str,
) -> Vec<Mismatch> {
    let records = got.as_array().map(Vec::as_slice).unwrap_or_default();
    let wanted = wanted.as_array().map_or(std::slice::from_ref(wanted), Vec::as_slice);
    let judged = wanted.iter().flat_map(|expected| {
        let mut mismatches = unknown_keys(expected, &RECORD, place);
        let fits = |record: &Value| judge.entry(expected, record, &RECORD, place).is_empty();
        if records.iter().any(fits) != is_there {
            mismatches.push(Mismatch::new(place, expected, got));
        }
        mismatches
    });
    judged.collect()
}

fn none_of(wanted: &Value, key: &str, records: &[Value]) -> Option<bool> {
    let words = texts(wanted)?;
    let is_among = |record: &Value| record[key].as_str().is_some_and(|word| words.contains(&word));
    Some(!records.iter().any(is_among))
}

/// Counts the records for each path, given as `{path: number}` or `{"path": …, "count": number}`.
fn minimum(judge: &Judge<'_>, wanted: &Value, records: &[Value]) -> Option<bool> {
    let wanted = wanted.as_object()?;
    let pairs: Vec<_> = match wanted.get("path").and_then(Value::as_str) {
        Some(path) => vec![(path, wanted.values().find_map(Value::as_u64)?)],
        None => numbers(wanted)?,
    };
    let count = |path: &str| {
        let expected = Value::Object(Map::from_iter([("path".to_owned(), path.into())]));
        records
            .iter()
            .filter(|record| judge.entry(&expected, record, &RECORD, "").is_empty())
            .count()
    };
    Some(pairs.into_iter().all(|(path, least)| count(path) as u64 >= least))
}

fn numbers(wanted: &Map<String, Value>) -> Option<Vec<(&str, u64)>> {
    wanted.iter().map(|(path, least)| Some((path.as_str(), least.as_u64()?))).collect()
}
