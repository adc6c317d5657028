//! Compares the records of calls with what a case expects.
//!
//! Only what is listed counts; a key that is not known here is a mismatch, never a pass.

mod diagnostics;
mod entry;
mod record;
mod text;
mod xml;

use std::fmt;

use serde_json::{Map, Value};

use super::calls::{Outcomes, Request};

/// Keys whose conditions are for several runs, or for one of them.
const OF_SEVERAL_RUNS: [&str; 4] = ["runs", "each_run", "all_runs_equal", "differing_lines_max"];

/// How many characters of a value are shown.
const SHOWN: usize = 400;

/// One thing that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    place: String,
    expected: String,
    got: String,
}

impl Mismatch {
    fn new(place: impl Into<String>, expected: impl fmt::Display, got: impl fmt::Display) -> Self {
        Self { place: place.into(), expected: shown(&expected), got: shown(&got) }
    }

    /// Reports that the case could not be run.
    pub(crate) fn of_runner(error: &impl fmt::Display) -> Self {
        Self::new("the case", "a case that can be run", error)
    }

    fn unknown(place: &str, key: &str) -> Self {
        Self::new(place, "a key that the runner knows", format_args!("`{key}`"))
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, got {}", self.place, self.expected, self.got)
    }
}

/// Returns the first mismatch, and how many more there are.
pub(crate) fn in_one_line(mismatches: &[Mismatch]) -> String {
    match mismatches {
        [] => String::new(),
        [only] => only.to_string(),
        [first, more @ ..] => format!("{first} (and {} more)", more.len()),
    }
}

/// Returns a value on one line, cut where it is long.
fn shown(value: &impl fmt::Display) -> String {
    let line = value.to_string().replace('\n', "\\n").replace('\r', "\\r");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Compares the records of all runs with what is expected.
pub(crate) fn judge(
    expect: &Map<String, Value>,
    request: &Request,
    outcomes: &Outcomes,
) -> Vec<Mismatch> {
    let mut mismatches = judge_together(expect, outcomes);
    for (run, records) in outcomes.iter().enumerate() {
        match expectations(expect, run, outcomes.len()) {
            Ok(expected) => mismatches.extend(judge_run(&expected, request, run, records)),
            Err(mismatch) => mismatches.push(mismatch),
        }
    }
    mismatches
}

/// Compares what is expected of all runs together.
fn judge_together(expect: &Map<String, Value>, outcomes: &Outcomes) -> Vec<Mismatch> {
    let equal = expect.get("all_runs_equal");
    let equal = equal.and_then(|expected| judge_equality(expected, outcomes));
    let lines = expect.get("differing_lines_max");
    let lines = lines.map(|expected| text::judge_lines(expected, outcomes));
    equal.into_iter().chain(lines.into_iter().flatten()).collect()
}

fn judge_equality(expected: &Value, outcomes: &Outcomes) -> Option<Mismatch> {
    let mut records = outcomes.iter().flatten();
    let first = records.next()?;
    let other = records.find(|record| *record != first);
    let is_equal = other.is_none();
    (*expected != Value::Bool(is_equal)).then(|| {
        let records = format!("{first} and {}", other.unwrap_or(first));
        Mismatch::new("all_runs_equal", expected, records)
    })
}

/// What is expected of one run: the name of the place, and the conditions that stand there.
type Expectation = (String, Map<String, Value>);

/// Returns what is expected of one run: of every run by itself, and of this one.
fn expectations(
    expect: &Map<String, Value>,
    run: usize,
    runs: usize,
) -> Result<Vec<Expectation>, Mismatch> {
    let mut common = expect.clone();
    common.retain(|key, _| !OF_SEVERAL_RUNS.contains(&key.as_str()));
    let place = if runs == 1 { "expect".to_owned() } else { format!("expect (run {run})") };
    let mut all = vec![(place, common)];
    if let Some(expected) = expect.get("each_run") {
        all.push(conditions(format!("each_run (run {run})"), expected)?);
    }
    if let Some(expected) = expect.get("runs") {
        let list = expected.as_array().filter(|list| list.len() == runs);
        let list = list.ok_or_else(|| Mismatch::new("runs", expected, format!("{runs} runs")))?;
        all.push(conditions(format!("runs[{run}]"), &list[run])?);
    }
    Ok(all)
}

fn conditions(place: String, expected: &Value) -> Result<Expectation, Mismatch> {
    match expected.as_object() {
        Some(conditions) => Ok((place, conditions.clone())),
        None => Err(Mismatch::new(place, "an object of conditions", expected)),
    }
}

/// Compares the record of every call of one run.
fn judge_run(
    expected: &[Expectation],
    request: &Request,
    run: usize,
    records: &[Value],
) -> Vec<Mismatch> {
    let root = request.root.to_string_lossy();
    let judge = entry::Judge { root: &root, args: &request.runs[run].args };
    let may_fail = expected.iter().any(|(_, conditions)| conditions.contains_key("error"));
    let judged = records.iter().flat_map(|record| {
        let error = record.get("error").filter(|_| !may_fail);
        let failed = error.map(|error| Mismatch::new(format!("run {run}"), "a result", error));
        let kept = expected.iter();
        failed.into_iter().chain(kept.flat_map(|(at, wanted)| judge.record(wanted, record, at)))
    });
    judged.collect()
}
