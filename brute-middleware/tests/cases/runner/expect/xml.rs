//! Compares the element of a text that lists skills.

use quick_xml::{Reader, escape::unescape, events::Event};
use serde_json::{Map, Value};

use super::{Mismatch, entry::Judge, text::texts};

const SKILL: [&str; 3] = ["name", "description", "location"];
const PARTS: &str = "description_contains";

/// Returns what is not as expected about the element.
pub(super) fn judge(
    judge: &Judge<'_>,
    expected: &Value,
    text: &Value,
    place: &str,
) -> Vec<Mismatch> {
    let (Some(expected), Some(tag)) = (expected.as_object(), expected["tag"].as_str()) else {
        return vec![Mismatch::new(place, expected, text)];
    };
    match children(text.as_str().unwrap_or_default(), tag) {
        Ok(children) => judge_children(judge, expected, &children, place),
        Err(complaint) => {
            vec![Mismatch::new(
                place,
                format_args!("an element {tag}"),
                format!("{complaint}: {text}"),
            )]
        }
    }
}

fn judge_children(
    judge: &Judge<'_>,
    expected: &Map<String, Value>,
    children: &[Value],
    place: &str,
) -> Vec<Mismatch> {
    let got = Value::Array(children.to_vec());
    let judged = expected.iter().flat_map(|(key, wanted)| {
        let at = format!("{place}.{key}");
        let holds = match key.as_str() {
            "tag" => Some(true),
            "skills" => return judge_skills(judge, wanted, children, &at),
            "min_skills" => wanted.as_u64().map(|least| children.len() as u64 >= least),
            "prefix_of_input" => wanted.as_bool().map(|is| is == is_prefix(children, judge.args)),
            PARTS => texts(wanted).map(|parts| parts.iter().all(|part| contain(children, part))),
            _ => return vec![Mismatch::unknown(place, key)],
        };
        if holds == Some(true) { Vec::new() } else { vec![Mismatch::new(at, wanted, &got)] }
    });
    judged.collect()
}

fn judge_skills(
    judge: &Judge<'_>,
    wanted: &Value,
    children: &[Value],
    place: &str,
) -> Vec<Mismatch> {
    let Some(wanted) = wanted.as_array().filter(|wanted| wanted.len() == children.len()) else {
        return vec![Mismatch::new(place, wanted, Value::Array(children.to_vec()))];
    };
    let pairs = wanted.iter().zip(children).enumerate();
    let judged = pairs.flat_map(|(index, (expected, child))| {
        judge_skill(judge, expected, child, &format!("{place}[{index}]"))
    });
    judged.collect()
}

fn judge_skill(judge: &Judge<'_>, expected: &Value, child: &Value, place: &str) -> Vec<Mismatch> {
    let Some(mut expected) = expected.as_object().cloned() else {
        return vec![Mismatch::new(place, expected, child)];
    };
    let parts = expected.remove(PARTS).unwrap_or_default();
    let mut mismatches = judge.entry(&Value::Object(expected), child, &SKILL, place);
    let description = child["description"].as_str().unwrap_or_default();
    let has_parts =
        texts(&parts).is_some_and(|all| all.iter().all(|part| description.contains(part)));
    if !has_parts {
        mismatches.push(Mismatch::new(format!("{place}.{PARTS}"), parts, child));
    }
    mismatches
}

fn contain(children: &[Value], part: &str) -> bool {
    children
        .iter()
        .any(|child| child["description"].as_str().is_some_and(|text| text.contains(part)))
}

/// Tells whether the children are a proper, non-empty beginning of the skills that were given.
fn is_prefix(children: &[Value], args: &Map<String, Value>) -> bool {
    let given = args.get("skills").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_same = |(child, given): (&Value, &Value)| child["name"] == given["name"];
    !children.is_empty() && children.len() < given.len() && children.iter().zip(given).all(is_same)
}

/// Returns the children of the first element of this name that is well formed.
fn children(text: &str, tag: &str) -> Result<Vec<Value>, String> {
    let opening = format!("<{tag}");
    let mut complaint = "there is none".to_owned();
    for (start, _) in text.match_indices(&opening) {
        match parse(&text[start..], tag) {
            Ok(children) => return Ok(children),
            Err(error) => complaint = error,
        }
    }
    Err(complaint)
}

/// The child that is being read, and the name of the element in it.
#[derive(Default)]
struct Reading {
    children: Vec<Map<String, Value>>,
    path: Vec<String>,
}

fn parse(text: &str, tag: &str) -> Result<Vec<Value>, String> {
    let mut reader = Reader::from_str(text);
    let mut reading = Reading::default();
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(start) => reading.open(start.name().as_ref(), tag)?,
            Event::Empty(empty) => {
                reading.open(empty.name().as_ref(), tag)?;
                reading.path.pop();
            }
            Event::Text(text) => reading.push(&text),
            Event::CData(text) => reading.push(&text),
            Event::GeneralRef(entity) => {
                let entity = format!("&{};", &*entity);
                reading.push(&unescape(&entity).map_err(|error| error.to_string())?);
            }
            Event::End(_) => drop(reading.path.pop()),
            Event::Eof => return Err("it is not closed".to_owned()),
            _ => {}
        }
        if reading.path.is_empty() {
            return Ok(reading.children.into_iter().map(trimmed).collect());
        }
    }
}

impl Reading {
    fn open(&mut self, name: &str, tag: &str) -> Result<(), String> {
        match self.path.len() {
            0 if name != tag => return Err(format!("it begins with {name}")),
            1 if name != "skill" => return Err(format!("its child is a {name}, not a skill")),
            1 => self.children.push(Map::new()),
            _ => {}
        }
        self.path.push(name.to_owned());
        self.push("");
        Ok(())
    }

    /// Adds text to the innermost element, where that is one of a child.
    fn push(&mut self, text: &str) {
        let (Some(child), Some(name)) = (self.children.last_mut(), self.path.get(2)) else {
            return;
        };
        let so_far = child.entry(name.as_str()).or_insert_with(|| "".into());
        *so_far = format!("{}{text}", so_far.as_str().unwrap_or_default()).into();
    }
}

fn trimmed(child: Map<String, Value>) -> Value {
    let trim = |(name, text): (String, Value)| {
        (name, Value::from(text.as_str().unwrap_or_default().trim()))
    };
    Value::Object(child.into_iter().map(trim).collect())
}
