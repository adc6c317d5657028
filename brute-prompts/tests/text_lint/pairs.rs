//! Sentences that pull in two directions: a reader has to confirm that they agree.

use std::{collections::BTreeSet, fs, path::Path};

use serde::{Deserialize, Serialize};

use crate::{
    names, profiles,
    stacks::{Mode, Offer, Stack, stack},
    words::{pattern, prose, sentences},
};

/// Two directions, each with a pattern for the sentences that pull there.
const DIRECTIONS: [(&str, &str, &str); 4] = [
    (
        "brief and thorough",
        r"\b(?:brief|brevity|short|concise|few|fewer|leave out|a line|one line|sentence)\b",
        r"\b(?:thorough|complete|detail|explain|explained|to the end|informed)\b",
    ),
    (
        "ask and do not ask",
        r"question first|ask one|ask the user|look up or ask|only when the user asks",
        r"without asking|\b(?:go|carry) on\b|take initiative|ma[dk]e (?:it )?rather than",
    ),
    (
        "act and hold back",
        r"ma[dk]e (?:it )?rather than|make the change|carry out|to the end|finish their",
        r"strictly forbidden|leave the files|last three leave|text only",
    ),
    (
        "rule and exception",
        r"\b(?:never|always|must|only|do not|don't)\b",
        r"\b(?:unless|except|apart from|otherwise)\b",
    ),
];

/// The sentences of one stack that pull in two directions, and what a reader found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    family: String,
    kind: String,
    one: BTreeSet<String>,
    other: BTreeSet<String>,
    /// Why they agree.
    verdict: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SignedOff {
    pair: Vec<Pair>,
}

/// Returns the pairs that nobody has read since their sentences changed.
pub(crate) fn complaints() -> Vec<String> {
    let signed = read().pair;
    let found: Vec<_> = stacks().iter().flat_map(pairs).collect();
    let unread = found.iter().filter(|pair| !signed.iter().any(|read| read.covers(pair)));
    let gone = signed.iter().filter(|read| !found.iter().any(|pair| read.covers(pair)));
    let blank = signed.iter().filter(|read| read.verdict.trim().is_empty());
    let show =
        |pair: &Pair| toml::to_string_pretty(&SignedOff { pair: vec![pair.clone()] }).unwrap();
    let unread = unread.map(|pair| format!("read and sign off:\n{}", show(pair)));
    let stale =
        gone.chain(blank).map(|read| format!("{}, {}: stale or blank", read.family, read.kind));
    unread.chain(stale).collect()
}

impl Pair {
    fn covers(&self, other: &Self) -> bool {
        Self { verdict: String::new(), ..self.clone() } == *other
    }
}

/// Returns the stack of every family, and every profile.
fn stacks() -> Vec<Stack> {
    let (offer, mode) = (Offer::All, Mode::PlanAndLastStep);
    let families = names::FAMILIES.iter().map(|family| stack(family, offer, mode));
    families.chain(profiles::each(offer, mode)).collect()
}

fn pairs(stack: &Stack) -> Vec<Pair> {
    let all: Vec<_> =
        stack.sections.iter().flat_map(|part| sentences(&prose(&part.text))).collect();
    DIRECTIONS.iter().filter_map(|direction| pair(&stack.family, direction, &all)).collect()
}

fn pair(family: &str, (kind, one, other): &(&str, &str, &str), all: &[String]) -> Option<Pair> {
    let pulls = |text: &str| -> BTreeSet<String> {
        let direction = pattern(&format!("(?i){text}"));
        all.iter().filter(|sentence| direction.is_match(sentence)).cloned().collect()
    };
    let (one, other) = (pulls(one), pulls(other));
    let both = !one.is_empty() && !other.is_empty();
    let (family, kind) = (family.to_owned(), (*kind).to_owned());
    both.then(|| Pair { family, kind, one, other, verdict: String::new() })
}

fn read() -> SignedOff {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/points/signed_off.toml");
    let text = fs::read_to_string(path).unwrap_or_else(|_| "pair = []".to_owned());
    toml::from_str(&text).unwrap_or_else(|error| panic!("pairs.toml: {error}"))
}
