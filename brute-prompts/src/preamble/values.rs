//! Which values of the context a preamble shows, and how.

use serde::Serialize;
use serde_json::Value;

use super::{
    LARGE_VALUE, Run, Stage,
    block::{cell, item, remark},
    mode::Values,
};

/// Beginnings of keys that are nobody's business but the program's, or are told elsewhere.
const HIDDEN_PREFIXES: [&str; 5] = ["internal.", "current", "graph.", "thread.", "response."];

/// Keys of the same sort.
const HIDDEN_KEYS: [&str; 4] = ["outcome", "last_stage", "last_response", "preferred_label"];

/// The most values that are shown.
const MOST: usize = 500;

/// A value as a template sees it.
#[derive(Debug, Serialize)]
pub(super) struct Shown {
    key: String,
    text: String,
    /// Where the value lies, where it is too large to be shown.
    path: Option<String>,
    /// How large it is then.
    bytes: Option<usize>,
}

/// Returns the values to show, ordered by key, and how many were left out for lack of room.
pub(super) fn shown(run: &Run, told: &[&Stage], values: Values) -> (Vec<Shown>, usize) {
    if values == Values::No {
        return (Vec::new(), 0);
    }
    let is_told = |key: &String| told.iter().any(|stage| stage.shown.contains(key));
    let all: Vec<_> = run
        .context
        .iter()
        .filter(|(key, value)| is_open(key) && !is_told(key) && !is_blank(value))
        .collect();
    let omitted = all.len().saturating_sub(MOST);
    let shown = all.into_iter().take(MOST).map(|(key, value)| Shown::new(run, key, value, values));
    (shown.collect(), omitted)
}

fn is_open(key: &str) -> bool {
    !HIDDEN_KEYS.contains(&key) && !HIDDEN_PREFIXES.iter().any(|prefix| key.starts_with(prefix))
}

fn is_blank(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty())
}

impl Shown {
    fn new(run: &Run, key: &str, value: &Value, values: Values) -> Self {
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let layout = if values == Values::Table { cell } else { item };
        let shown = Self::of(run, key, &text, layout);
        Self { key: layout(&remark(key, usize::MAX)), ..shown }
    }

    /// Returns the text in this layout, or where it lies if it is large.
    pub(super) fn of(run: &Run, key: &str, text: &str, layout: fn(&str) -> String) -> Self {
        let path = run.stored.get(key).map(|path| remark(path, usize::MAX));
        let is_large = path.is_some() || text.len() > LARGE_VALUE;
        Self {
            key: String::new(),
            text: if is_large { String::new() } else { layout(text) },
            bytes: is_large.then_some(text.len()),
            path,
        }
    }
}
