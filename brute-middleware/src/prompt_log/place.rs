//! The path of a document, from a pattern and a turn.

use std::{
    process,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use brute_core::{MessageId, Turn};
use serde_json::Value;

use crate::Secrets;

/// How many characters of a value go into a name.
const LONGEST: usize = 80;

/// The place of the number that tells documents of one name apart.
const VISIT: &str = "\0";

/// The path of a document within the folder, before it is known how many have the same name.
#[derive(Clone, Debug)]
pub(super) struct Place(Vec<String>);

/// What is known of a session from one document to the next.
#[derive(Clone)]
struct Visits {
    session: Arc<str>,
    turn: u32,
    input: Option<MessageId>,
}

impl Place {
    /// Returns the place of what a turn sends.
    pub(super) fn of(turn: &Turn, pattern: &str, secrets: &Secrets) -> Self {
        let visits = Visits::next(turn);
        let value = |name: &str| match name {
            "turn" => visits.turn.to_string(),
            "step" => turn.facts.step.to_string(),
            "visit" => VISIT.to_owned(),
            "session" => named(&secrets.redact(&visits.session)),
            name => named(&secrets.redact(&fact(turn, name).unwrap_or_default())),
        };
        let path = filled(pattern, value);
        let names = path.split('/').filter(|name| !matches!(*name, "" | "." | ".."));
        Self(names.map(str::to_owned).collect())
    }

    /// Returns the place beside a document, for another of its sort.
    pub(super) fn beside(path: &str, sort: &str) -> Self {
        let path = match path.rsplit_once('.').filter(|(_, end)| !end.contains('/')) {
            Some((stem, extension)) => format!("{stem}.{sort}.{extension}"),
            None => format!("{path}.{sort}"),
        };
        Self(path.split('/').map(str::to_owned).collect())
    }

    /// Returns the path of the document of this number among those of one name, from 1.
    pub(super) fn path(&self, number: u32) -> String {
        let path = self.0.join("/");
        if path.contains(VISIT) {
            return path.replace(VISIT, &number.to_string());
        }
        let folder = path.rfind('/').map_or(0, |slash| slash + 1);
        // A dot in front makes no ending.
        let end = path[folder..].rfind('.').filter(|dot| *dot > 0);
        let end = end.map_or(path.len(), |dot| folder + dot);
        match number {
            1 => path,
            number => format!("{}-{number}{}", &path[..end], &path[end..]),
        }
    }
}

impl Visits {
    /// Counts the turn, unless it was counted before.
    fn next(turn: &Turn) -> Self {
        let input = turn.journal.entries(0).first().map(|message| message.id);
        let last: Option<Self> = turn.journal.kept();
        let is_same =
            |last: &Self| last.input == input || (last.input.is_none() && turn.facts.step > 1);
        let (count, session) = match &last {
            Some(last) => (last.turn + u32::from(!is_same(last)), last.session.clone()),
            None => (1, session_name(turn)),
        };
        let visits = Self { session, turn: count, input };
        turn.journal.keep(visits.clone());
        visits
    }
}

/// Returns the name that the caller gave to the session, or one that no other session has.
fn session_name(turn: &Turn) -> Arc<str> {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let given = fact(turn, "session").filter(|name| !name.trim().is_empty());
    given
        .unwrap_or_else(|| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
            format!("{now}-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
        })
        .into()
}

/// Returns what the caller or the session says about a name.
fn fact(turn: &Turn, name: &str) -> Option<String> {
    let given = match name {
        "agent" => turn.facts.agent().map(Into::into),
        "provider" => Some(turn.model.provider().into()),
        "model" => Some(turn.model.model().into()),
        name => turn.facts.get(name).or_else(|| turn.meta.get(name).map(|it| &**it)).cloned(),
    };
    match given? {
        Value::String(text) => Some(text),
        Value::Null => None,
        other => Some(other.to_string()),
    }
}

/// Returns a value as a name without anything that means something in a path.
fn named(value: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@' | '[' | ']');
    let name: String =
        value.trim().chars().map(|c| if is_plain(c) { c } else { '_' }).take(LONGEST).collect();
    match name.trim_start_matches('.') {
        "" => "_".to_owned(),
        name => name.to_owned(),
    }
}

/// Returns the pattern with values in the places of names in braces.
fn filled(pattern: &str, value: impl Fn(&str) -> String) -> String {
    let mut path = String::new();
    let mut rest = pattern;
    while let Some((before, (name, after))) =
        rest.split_once('{').and_then(|(before, inner)| Some((before, inner.split_once('}')?)))
    {
        path.push_str(&before.replace(VISIT, ""));
        path.push_str(&value(name));
        rest = after;
    }
    path.push_str(&rest.replace(VISIT, ""));
    path
}
