//! Turns the text of a skill file into a [`Skill`], leniently or strictly.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{
    Skill,
    fault::Fault,
    fields::{self, Fields},
    front_matter::{self, Parts},
    read,
    repair::{self, Repair},
    rules,
    yaml::{self, Yaml, YamlFault},
};
use crate::Diagnostic;

/// How much a skill file may deviate from the format and still be loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Validation {
    /// Any deviation leaves the skill out.
    Spec,
    /// A skill with a name and a description is loaded; deviations are reported.
    #[default]
    Lenient,
    /// The rules for values are not checked, and a description may be missing.
    None,
}

/// A skill file to be read, and what its place says about it.
pub(crate) struct Place<'a> {
    pub(crate) path: &'a Path,
    /// The name that stands in for a missing one, and that the format wants to see.
    pub(crate) folder: &'a str,
    pub(crate) scope: &'a str,
    /// Whether the file is named in another case than `SKILL.md`.
    pub(crate) odd_case: bool,
}

/// Reads a skill from memory, as if it stood at `location`; its body is not kept.
///
/// ```
/// use std::path::Path;
/// use brute_prompts::skill::{Validation, parse_skill};
///
/// let bytes = b"---\nname: draw\ndescription: Draws a chart.\n---\nBody.\n";
/// let (skill, diagnostics) = parse_skill(bytes, Path::new("/skills/draw/SKILL.md"), Validation::Spec);
/// assert_eq!(skill.unwrap().description, "Draws a chart.");
/// assert!(diagnostics.is_empty());
/// ```
pub fn parse_skill(
    bytes: &[u8],
    location: &Path,
    validation: Validation,
) -> (Option<Skill>, Vec<Diagnostic>) {
    let folder = location.parent().and_then(Path::file_name).unwrap_or_default();
    let folder = folder.to_string_lossy();
    let place = Place { path: location, folder: &folder, scope: "", odd_case: false };
    let mut diagnostics = Vec::new();
    let skill = match read::as_text(bytes) {
        Ok(text) => load(text, &place, validation, &mut diagnostics),
        Err(fault) => {
            diagnostics.push(fault.fatal(location));
            None
        }
    };
    (skill, diagnostics)
}

/// Reads a skill as the policy allows, and reports everything odd about it.
pub(crate) fn load(
    text: &str,
    place: &Place<'_>,
    validation: Validation,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Skill> {
    match validation {
        Validation::Spec => load_strictly(text, place, diagnostics),
        Validation::Lenient | Validation::None => {
            let lenient = validation == Validation::Lenient;
            load_leniently(text, place, lenient, diagnostics)
        }
    }
}

/// Returns every deviation from the format.
pub(crate) fn problems(text: &str, place: &Place<'_>) -> Vec<Fault> {
    strict(text, place).1
}

fn load_strictly(
    text: &str,
    place: &Place<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Skill> {
    let (fields, faults) = strict(text, place);
    let sound = faults.is_empty();
    diagnostics.extend(faults.into_iter().map(|fault| fault.fatal(place.path)));
    fields.filter(|_| sound).map(|fields| skill(fields, place))
}

fn strict(text: &str, place: &Place<'_>) -> (Option<Fields>, Vec<Fault>) {
    match strict_fields(text) {
        Ok((fields, mut faults)) => {
            faults.extend(rule_faults(&fields, place.folder));
            faults.extend(case_fault(place));
            (Some(fields), faults)
        }
        Err(fault) => (None, vec![fault]),
    }
}

fn strict_fields(text: &str) -> Result<(Fields, Vec<Fault>), Fault> {
    let text = front_matter::normalise(text);
    let parts = front_matter::split(&text)?;
    if parts.late {
        return Err(late());
    }
    let pairs = match yaml::parse(parts.yaml) {
        Ok(Yaml::Map(pairs)) => pairs,
        Ok(_) => return Err(Fault::new("yaml_invalid", "the front matter is not a mapping")),
        Err(fault) => return Err(yaml_invalid(&parts, &fault)),
    };
    let unknown = fields::unknown(pairs.iter().map(|(key, _)| key.as_str()), false);
    let (fields, mut faults) = fields::sort(pairs, |_| None);
    faults.extend(unknown);
    Ok((fields, faults))
}

fn load_leniently(
    text: &str,
    place: &Place<'_>,
    check_rules: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Skill> {
    let (mut fields, mut faults) = match lenient_fields(text) {
        Ok(read) => read,
        Err(fault) => {
            diagnostics.push(fault.fatal(place.path));
            return None;
        }
    };
    faults.extend(rule_faults(&fields, place.folder).into_iter().filter(|_| check_rules));
    faults.extend(case_fault(place));
    fields.name = fields.name.filter(|name| !name.trim().is_empty()).or(Some(place.folder.into()));
    let described = fields.description.as_deref().is_some_and(|text| !text.trim().is_empty());
    diagnostics.extend(faults.into_iter().map(|fault| match fault.kind {
        "description_missing" => fault.fatal(place.path),
        _ => fault.tolerated(place.path),
    }));
    (described || !check_rules).then(|| skill(fields, place))
}

fn lenient_fields(text: &str) -> Result<(Fields, Vec<Fault>), Fault> {
    let text = front_matter::normalise(text);
    let parts = front_matter::split(&text)?;
    let reading = repair::read(parts.yaml).map_err(|fault| yaml_invalid(&parts, &fault))?;
    let unknown = fields::unknown(reading.pairs.iter().map(|(key, _)| key.as_str()), true);
    let (fields, sorting) = fields::sort(reading.pairs, |key| repair::literal(parts.yaml, key));
    let repairs = yaml_repaired(&parts, &reading.repairs);
    let late = parts.late.then(late);
    Ok((fields, late.into_iter().chain(repairs).chain(sorting).chain(unknown).collect()))
}

fn rule_faults(fields: &Fields, folder: &str) -> Vec<Fault> {
    let mut faults = rules::name_faults(fields.name.as_deref().unwrap_or_default(), folder);
    faults.extend(rules::description_fault(fields.description.as_deref().unwrap_or_default()));
    faults.extend(fields.compatibility.as_deref().and_then(rules::compatibility_fault));
    faults
}

fn case_fault(place: &Place<'_>) -> Option<Fault> {
    let fault =
        || Fault::new("file_name_case", "the file must be named SKILL.md, in capitals; rename it");
    place.odd_case.then(fault)
}

fn late() -> Fault {
    let message = "blank lines stand before the front matter; it must begin on the first line";
    Fault::new("frontmatter_late", message)
}

fn yaml_invalid(parts: &Parts<'_>, fault: &YamlFault) -> Fault {
    let line = parts.yaml_line + fault.line.saturating_sub(1);
    let message = format!("line {line} is not YAML that a skill may hold: {}", fault.message);
    Fault::new("yaml_invalid", message)
}

/// Reports the first repairs one by one; a hostile file may need thousands.
fn yaml_repaired(parts: &Parts<'_>, repairs: &[Repair]) -> Vec<Fault> {
    let told = repairs.len().min(8);
    let describe = |Repair { field, line, reason }: &Repair| {
        let line = parts.yaml_line + line.saturating_sub(1);
        format!(
            "line {line}: the value of {field:?} is not valid YAML ({reason}) and was taken as it stands; put it in quotes"
        )
    };
    let rest = (repairs.len() > told)
        .then(|| format!("{} more values were taken as they stand", repairs.len() - told));
    let messages = repairs[..told].iter().map(describe).chain(rest);
    messages.map(|message| Fault::new("yaml_repaired", message)).collect()
}

fn skill(fields: Fields, place: &Place<'_>) -> Skill {
    let trimmed = |text: Option<String>| text.map(|text| text.trim().to_owned());
    Skill {
        name: trimmed(fields.name).unwrap_or_default(),
        description: trimmed(fields.description).unwrap_or_default(),
        location: place.path.to_path_buf(),
        scope: place.scope.to_owned(),
        license: trimmed(fields.license),
        compatibility: trimmed(fields.compatibility),
        metadata: fields.metadata,
        allowed_tools: fields.allowed_tools,
        disable_model_invocation: fields.disable_model_invocation,
        user_invocable: fields.user_invocable,
        gates: fields.gates,
    }
}
