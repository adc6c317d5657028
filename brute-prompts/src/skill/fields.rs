//! The fields of the front matter, each as the type it should have.

use std::collections::{BTreeMap, HashSet};

use super::{fault::Fault, gates::Gates, tool_names::tool_names, yaml::Yaml};

/// The fields of the format, and after them those that only hosts know.
const FORMAT_FIELDS: [&str; 6] =
    ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
const HOST_FIELDS: [&str; 2] = ["disable-model-invocation", "user-invocable"];

/// What the front matter says, before the rules are applied.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) license: Option<String>,
    pub(crate) compatibility: Option<String>,
    pub(crate) metadata: BTreeMap<String, String>,
    pub(crate) allowed_tools: Vec<String>,
    pub(crate) disable_model_invocation: bool,
    pub(crate) user_invocable: bool,
    pub(crate) gates: Gates,
}

/// Sorts pairs into fields; a later one of the same name wins.
///
/// `literal` gives the source of a field, for a value that should be a text and is none.
pub(crate) fn sort(
    pairs: Vec<(String, Yaml)>,
    literal: impl Fn(&str) -> Option<String>,
) -> (Fields, Vec<Fault>) {
    let mut faults: Vec<_> = duplicates(&pairs).into_iter().collect();
    let mut fields = Fields { user_invocable: true, ..Fields::default() };
    for (key, value) in last_of_each(pairs) {
        let mut text = |value| as_text(&key, value, &literal, &mut faults);
        match key.as_str() {
            "name" => fields.name = text(value),
            "description" => fields.description = text(value),
            "license" => fields.license = text(value),
            "compatibility" => fields.compatibility = text(value),
            "disable-model-invocation" => {
                fields.disable_model_invocation = is_true(text(value).as_deref());
            }
            "user-invocable" => fields.user_invocable = is_true(text(value).as_deref()),
            "allowed-tools" => fields.allowed_tools = tools(value, &mut faults),
            "metadata" => (fields.metadata, fields.gates) = metadata(value, &mut faults),
            _ => {}
        }
    }
    (fields, faults)
}

/// Reports the fields that are not those of the format; `hosts` lets those of hosts pass.
pub(crate) fn unknown<'a>(keys: impl Iterator<Item = &'a str>, hosts: bool) -> Option<Fault> {
    let known = |key: &str| FORMAT_FIELDS.contains(&key) || (hosts && HOST_FIELDS.contains(&key));
    let unknown = some(keys.filter(|key| !known(key)))?;
    let message = format!("the format does not know {unknown}; `metadata` is the place for extras");
    Some(Fault::new("unknown_field", message))
}

fn duplicates(pairs: &[(String, Yaml)]) -> Option<Fault> {
    let mut seen = HashSet::new();
    let repeated =
        some(pairs.iter().map(|(key, _)| key.as_str()).filter(|key| !seen.insert(*key)))?;
    let message = format!("{repeated} stands here twice; the last one counts, remove the others");
    Some(Fault::new("duplicate_key", message))
}

/// Names the first few keys; a hostile file may hold thousands.
fn some<'a>(keys: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut keys: Vec<_> = keys.take(6).map(|key| format!("{key:?}")).collect();
    keys.dedup();
    if keys.len() > 5 {
        keys[5] = "others".into();
    }
    (!keys.is_empty()).then(|| keys.join(", "))
}

/// Drops what a later pair of the same key replaces.
fn last_of_each(pairs: Vec<(String, Yaml)>) -> Vec<(String, Yaml)> {
    let mut seen = HashSet::new();
    let mut last: Vec<_> =
        pairs.into_iter().rev().filter(|(key, _)| seen.insert(key.clone())).collect();
    last.reverse();
    last
}

fn as_text(
    key: &str,
    value: Yaml,
    literal: impl Fn(&str) -> Option<String>,
    faults: &mut Vec<Fault>,
) -> Option<String> {
    if let Yaml::Text(text) = value {
        return Some(text);
    }
    faults.push(wrong_type(key, "a text"));
    literal(key)
}

fn wrong_type(key: &str, wanted: &str) -> Fault {
    Fault::new("wrong_type", format!("{key:?} must be {wanted}; put the value in quotes"))
}

fn is_true(text: Option<&str>) -> bool {
    let text = text.map(|text| text.trim().to_lowercase());
    matches!(text.as_deref(), Some("true" | "yes" | "on" | "1"))
}

fn tools(value: Yaml, faults: &mut Vec<Fault>) -> Vec<String> {
    match value {
        Yaml::Text(text) => tool_names([text]),
        Yaml::List(items) => tool_names(items.into_iter().map(Yaml::into_text)),
        Yaml::Map(_) => {
            faults.push(wrong_type("allowed-tools", "a text or a list"));
            Vec::new()
        }
    }
}

fn metadata(value: Yaml, faults: &mut Vec<Fault>) -> (BTreeMap<String, String>, Gates) {
    let Yaml::Map(pairs) = value else {
        // An empty `metadata:` holds nothing and harms nobody.
        if value != Yaml::Text(String::new()) {
            faults.push(wrong_type("metadata", "a mapping of keys to texts"));
        }
        return Default::default();
    };
    faults.extend(duplicates(&pairs));
    faults.extend(nested(&pairs));
    let gates = Gates::from_metadata(&pairs);
    (pairs.into_iter().map(|(key, value)| (key, value.into_text())).collect(), gates)
}

fn nested(pairs: &[(String, Yaml)]) -> Option<Fault> {
    let (key, _) = pairs.iter().find(|(_, value)| !matches!(value, Yaml::Text(_)))?;
    let message = format!("the metadata {key:?} is not a text; it is kept as JSON");
    Some(Fault::new("metadata_nested", message))
}
