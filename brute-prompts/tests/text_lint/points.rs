//! What each text has to say: a point for each thing, and no sentence beyond the points.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use regex::Regex;
use serde::{Deserialize, Deserializer};

use crate::{
    names, raw, runs,
    stacks::{Offer, Part, Stack},
    words::{pattern, sentences, without_data},
};

/// Returns the fewest points of a text.
fn fewest(module: &str) -> usize {
    let is_phrase = names::PHRASES.contains(&module) || module == "simulated_response";
    if is_phrase {
        return 1;
    }
    if module == "preamble_truncate" { 2 } else { 3 }
}

/// One thing that a text says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Point {
    id: String,
    /// The point in a sentence, or the failure that it prevents.
    says: String,
    /// The texts of the module that say it; empty for all.
    #[serde(default)]
    texts: Vec<String>,
    /// Patterns, of which a sentence that says it matches one.
    #[serde(deserialize_with = "patterns")]
    any: Vec<Regex>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    point: Vec<Point>,
}

impl Point {
    fn concerns(&self, file: &str) -> bool {
        self.texts.is_empty() || self.texts.iter().any(|text| text == file)
    }

    fn is_said_in(&self, sentence: &str) -> bool {
        self.any.iter().any(|pattern| pattern.is_match(sentence))
    }
}

fn patterns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Regex>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    Ok(texts.iter().map(|text| pattern(&format!("(?i){text}"))).collect())
}

/// The sentences of each text, under module and file.
type Said = BTreeMap<(String, String), BTreeSet<String>>;

/// Returns every missing point, every sentence without a point, and every file without a text.
pub(crate) fn complaints(stacks: &[Stack]) -> Vec<String> {
    let said = said(stacks);
    let unread = raw::texts().into_iter().filter(|raw| !said.contains_key(&key(raw)));
    let mut found: Vec<_> =
        unread.map(|raw| format!("{}/{} is never rendered", raw.module, raw.family)).collect();
    for ((module, file), sentences) in &said {
        let points = read(module).point;
        let place = format!("{module}/{file}.txt");
        found.extend(
            compare(&points, fewest(module), file, sentences)
                .into_iter()
                .map(|c| format!("{place}: {c}")),
        );
    }
    found
}

fn key(raw: &raw::RawText) -> (String, String) {
    (raw.module.clone(), raw.family.clone())
}

fn compare(
    points: &[Point],
    fewest: usize,
    file: &str,
    sentences: &BTreeSet<String>,
) -> Vec<String> {
    let own: Vec<_> = points.iter().filter(|point| point.concerns(file)).collect();
    let missing = own.iter().filter(|point| !sentences.iter().any(|text| point.is_said_in(text)));
    let loose = sentences.iter().filter(|text| !own.iter().any(|point| point.is_said_in(text)));
    let few = (own.len() < fewest).then(|| format!("has {} of {fewest} points", own.len()));
    let missing = missing.map(|point| format!("does not say {} ({})", point.id, point.says));
    missing.chain(loose.map(|text| format!("no point for: {text}"))).chain(few).collect()
}

/// Returns the sentences that could go without a point being lost.
fn idle(points: &[Point], file: &str, sentences: &BTreeSet<String>) -> Vec<String> {
    let own: Vec<_> = points.iter().filter(|point| point.concerns(file)).collect();
    let others = |text: &String| -> BTreeSet<String> {
        sentences.iter().filter(|other| *other != text).cloned().collect()
    };
    let is_idle = |text: &&String| {
        let others = others(text);
        let said = |point: &&Point| others.iter().any(|other| point.is_said_in(other));
        own.iter().filter(|point| point.is_said_in(text)).all(said)
    };
    sentences.iter().filter(is_idle).map(|text| format!("could go: {text}")).collect()
}

/// Returns every sentence of a static text that says nothing of its own.
pub(crate) fn repetitions(stacks: &[Stack]) -> Vec<String> {
    let full: Vec<_> = stacks.iter().filter(|stack| stack.offer == Offer::All).cloned().collect();
    let said = said(&full).into_iter();
    let varies = |module: &str| runs::is_text(module) || names::SESSION_MODULES.contains(&module);
    let fixed = said.filter(|((module, _), _)| !varies(module));
    let of = |((module, file), sentences): ((String, String), BTreeSet<String>)| {
        let idle = idle(&read(&module).point, &file, &sentences);
        idle.into_iter().map(move |what| format!("{module}/{file}.txt: {what}"))
    };
    fixed.flat_map(of).collect()
}

fn said(stacks: &[Stack]) -> Said {
    let mut said = Said::new();
    for stack in stacks.iter().filter(|stack| stack.offer != Offer::Renamed) {
        for part in &stack.sections {
            let entry = said.entry((part.name.clone(), part.file.clone())).or_default();
            entry.extend(part_sentences(part));
        }
    }
    said
}

fn part_sentences(part: &Part) -> Vec<String> {
    // Sections of facts say what they have to say inside their container.
    if part.name.starts_with("environment") || part.name == "git_status" {
        return sentences(&part.text);
    }
    sentences(&without_data(&part.text))
}

fn read(module: &str) -> File {
    let name = format!("tests/points/{module}.toml");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&name);
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn point(id: &str, any: &str) -> Point {
    Point { id: id.into(), says: id.into(), texts: Vec::new(), any: vec![pattern(any)] }
}

/// A point that nothing says and a sentence that no point asks for are both found.
#[test]
fn points_and_sentences_are_compared_both_ways() {
    let points = [point("dogs", "dog"), point("barks", "bark"), point("cats", "cat")];
    let sentences = BTreeSet::from(["A dog barks.".to_owned(), "A fish swims.".to_owned()]);
    let found = compare(&points, 3, "default", &sentences);
    assert_eq!(found, ["does not say cats (cats)", "no point for: A fish swims."]);
}

/// A sentence is idle where another one makes all its points.
#[test]
fn a_sentence_without_a_point_of_its_own_is_found() {
    let points = [point("dogs", "dog"), point("bones", "bone")];
    let sentences = BTreeSet::from(["A dog barks.".to_owned(), "A dog has a bone.".to_owned()]);
    assert_eq!(idle(&points, "default", &sentences), ["could go: A dog barks."]);
}
