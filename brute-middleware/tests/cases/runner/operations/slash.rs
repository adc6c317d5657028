//! `expand_slash`: what becomes of inputs that begin with a slash.

use std::{fs, path::Path};

use brute_prompts::skill::{self, ExpandOptions, Expansion, Skill};
use serde::Deserialize;
use serde_json::{Value, json};
use tower::BoxError;

use super::GivenSkill;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    #[serde(default)]
    skills: Vec<GivenSkill>,
    inputs: Vec<String>,
}

pub(super) fn expand(args: Args) -> Result<Value, BoxError> {
    let folder = tempfile::tempdir()?;
    let skills = args.skills.into_iter().enumerate();
    let skills =
        skills.map(|(index, given)| written(&folder.path().join(index.to_string()), given));
    let skills: Vec<_> = skills.collect::<Result<_, _>>()?;
    let results = args.inputs.iter().map(|input| result(input, &skills));
    Ok(json!({ "results": results.collect::<Result<Vec<_>, _>>()? }))
}

/// Writes the file from which the body of a skill is read when it is called.
fn written(folder: &Path, given: GivenSkill) -> Result<Skill, BoxError> {
    let location = folder.join("SKILL.md");
    fs::create_dir(folder)?;
    fs::write(&location, format!("---\nname: x\ndescription: X.\n---\n{}", given.body))?;
    Ok(Skill { name: given.name, description: "X.".into(), location, ..Skill::default() })
}

fn result(input: &str, skills: &[Skill]) -> Result<Value, BoxError> {
    Ok(match skill::expand(input, skills, ExpandOptions::default())? {
        Expansion::Plain => json!({ "kind": "plain", "text": input }),
        Expansion::Expanded { skill, text } => {
            json!({ "kind": "expanded", "skill": skill, "text": text })
        }
        Expansion::Unknown { name } => json!({ "kind": "unknown", "name": name, "text": input }),
    })
}
