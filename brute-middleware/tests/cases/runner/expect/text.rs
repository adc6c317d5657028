//! Conditions on a text, all of which must hold.

use fancy_regex::Regex;
use serde_json::{Map, Value};

use super::{Mismatch, Outcomes};

/// The conditions that are known.
pub(super) const CONDITIONS: [&str; 10] = [
    "contains",
    "not_contains",
    "starts_with",
    "matches",
    "not_matches",
    "min_bytes",
    "max_bytes",
    "max_chars",
    "max_bytes_from",
    "count",
];

/// Returns the conditions that do not hold.
pub(super) fn judge(
    conditions: &Map<String, Value>,
    got: &Value,
    args: &Map<String, Value>,
    place: &str,
) -> Vec<Mismatch> {
    let text = as_text(got);
    let judged = conditions.iter().filter_map(|(condition, wanted)| {
        let holds = text.as_deref().map(|text| holds(condition, wanted, text, args));
        match holds {
            Some(Ok(true)) => None,
            Some(Ok(false)) | None => {
                Some(Mismatch::new(place, format_args!("{condition} {wanted}"), got))
            }
            Some(Err(complaint)) => Some(Mismatch::new(place, complaint, wanted)),
        }
    });
    judged.collect()
}

/// Returns a text, or the lines of a list of texts.
fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(_) => texts(value).map(|lines| lines.join("\n")),
        _ => None,
    }
}

/// Returns a text or several texts; `null` is none.
pub(super) fn texts(value: &Value) -> Option<Vec<&str>> {
    match value {
        Value::Null => Some(Vec::new()),
        Value::String(text) => Some(vec![text]),
        Value::Array(items) => items.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

fn holds(
    condition: &str,
    wanted: &Value,
    text: &str,
    args: &Map<String, Value>,
) -> Result<bool, String> {
    let all = |holds: &dyn Fn(&str) -> Result<bool, String>| {
        let parts = texts(wanted).ok_or("a text or a list of texts")?;
        parts.into_iter().try_fold(true, |all, part| Ok(all && holds(part)?))
    };
    match condition {
        "contains" => all(&|part| Ok(text.contains(part))),
        "not_contains" => all(&|part| Ok(!text.contains(part))),
        "starts_with" => all(&|part| Ok(text.starts_with(part))),
        "matches" => all(&|pattern| is_match(pattern, text)),
        "not_matches" => all(&|pattern| Ok(!is_match(pattern, text)?)),
        "min_bytes" => Ok(text.len() >= number(wanted)?),
        "max_bytes" => Ok(text.len() <= number(wanted)?),
        "max_chars" => Ok(text.chars().count() <= number(wanted)?),
        "max_bytes_from" => Ok(text.len() <= number(argument(wanted, args)?)?),
        "count" => counts(wanted, text),
        _ => Err(format!("a condition that the runner knows, not `{condition}`")),
    }
}

fn is_match(pattern: &str, text: &str) -> Result<bool, String> {
    let found = Regex::new(pattern).and_then(|pattern| pattern.is_match(text));
    found.map_err(|error| format!("a regular expression, not {pattern:?} ({error})"))
}

fn number(value: &Value) -> Result<usize, String> {
    let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| "a number".to_owned())
}

fn argument<'a>(name: &Value, args: &'a Map<String, Value>) -> Result<&'a Value, String> {
    let argument = name.as_str().and_then(|name| args.get(name));
    argument.ok_or_else(|| "the name of an argument".to_owned())
}

fn counts(wanted: &Value, text: &str) -> Result<bool, String> {
    let wanted = wanted.as_object().ok_or("texts with numbers")?;
    wanted.iter().try_fold(true, |all, (part, times)| {
        Ok(all && text.matches(part.as_str()).count() == number(times)?)
    })
}

/// Compares the texts of any two calls line by line.
pub(super) fn judge_lines(expected: &Value, outcomes: &Outcomes) -> Vec<Mismatch> {
    let texts: Vec<Vec<&str>> = outcomes.iter().flatten().map(lines).collect();
    let most = expected.as_u64();
    let mut mismatches = Vec::new();
    for (index, one) in texts.iter().enumerate() {
        for other in &texts[index + 1..] {
            let different = one.iter().zip(other).filter(|(one, other)| one != other);
            let count = different.count();
            if one.len() != other.len() || most.is_none_or(|most| count as u64 > most) {
                let got = format!("{count} of {} and {} lines", one.len(), other.len());
                mismatches.push(Mismatch::new("differing_lines_max", expected, got));
            }
        }
    }
    mismatches
}

fn lines(record: &Value) -> Vec<&str> {
    let text = ["text", "system"].iter().find_map(|key| record[*key].as_str());
    text.unwrap_or_default().split('\n').collect()
}
