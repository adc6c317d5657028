//! Tools that load a skill when the model needs it.

use std::sync::Arc;

use async_trait::async_trait;
use brute_core::{Effect, Error, ErrorKind, Tool, ToolContext, ToolOutput, ToolSpec};
use brute_prompts::{
    Diagnostic,
    skill::{ContentOptions, Skill, content, find_for_model},
};
use serde_json::{Value, json};

use crate::session_facts::blocking;

/// The tool `skill`: answers the text of a skill, its folder and the files that lie there.
#[derive(Clone, Debug)]
pub struct LoadSkill {
    skills: Arc<[Skill]>,
}

/// The tool `use_skill`: answers the text of a skill as it is, placeholders included.
#[derive(Clone, Debug)]
pub struct UseSkill {
    skills: Arc<[Skill]>,
}

impl LoadSkill {
    /// Offers these skills.
    pub fn new(skills: impl Into<Arc<[Skill]>>) -> Self {
        Self { skills: skills.into() }
    }
}

impl UseSkill {
    /// Offers these skills.
    pub fn new(skills: impl Into<Arc<[Skill]>>) -> Self {
        Self { skills: skills.into() }
    }
}

#[async_trait]
impl Tool for LoadSkill {
    fn spec(&self) -> ToolSpec {
        describe(
            "skill",
            "name",
            "Loads a skill: its instructions, its folder and the files in it.",
        )
    }

    async fn call(&self, arguments: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        load(&self.skills, arguments, "name", whole).await
    }
}

#[async_trait]
impl Tool for UseSkill {
    fn spec(&self) -> ToolSpec {
        describe("use_skill", "skill_name", "Loads the instructions of a skill, to be followed.")
    }

    async fn call(&self, arguments: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        load(&self.skills, arguments, "skill_name", Skill::load_body).await
    }
}

fn describe(name: &str, argument: &str, description: &str) -> ToolSpec {
    let what = "The name of the skill as it is listed, without a slash.";
    let schema = json!({
        "type": "object",
        "properties": { argument: { "type": "string", "description": what } },
        "required": [argument],
    });
    ToolSpec::new(name, description).parameters(schema).effect(Effect::ReadOnly)
}

async fn load(
    skills: &[Skill],
    arguments: &Value,
    argument: &str,
    read: fn(&Skill) -> Result<String, Diagnostic>,
) -> Result<ToolOutput, Error> {
    let Some(name) = arguments.get(argument).and_then(Value::as_str) else {
        let message = format!("invalid arguments: `{argument}` is missing or no text");
        return Err(Error::new(ErrorKind::Tool, message));
    };
    let skill =
        find_for_model(skills, name).map_err(|answer| Error::new(ErrorKind::Tool, answer))?.clone();
    let read = blocking(move || Some(read(&skill))).await;
    match read {
        Some(Ok(text)) => Ok(ToolOutput::from(text).pinned()),
        Some(Err(diagnostic)) => Err(Error::new(ErrorKind::Tool, diagnostic.to_string())),
        None => Err(Error::new(ErrorKind::Tool, "the skill could not be read")),
    }
}

fn whole(skill: &Skill) -> Result<String, Diagnostic> {
    content(skill, ContentOptions::default())
}
