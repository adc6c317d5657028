//! `discover_skills`, `validate_skill` and `format_skills`.

use std::path::Path;

use brute_prompts::{
    PromptContext, PromptModule, SystemPrompt,
    gather::repository_root,
    skill::{self, DiscoverOptions, Discovery, ListStyle, Skill, SkillList, SkillRoot, listed},
};
use serde::Deserialize;
use serde_json::{Value, json};
use tower::BoxError;

use super::{GivenSkill, Scene};

/// A folder of skills, as a case names it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SkillFolder {
    path: String,
    #[serde(default)]
    scope: String,
}

impl SkillFolder {
    /// Returns the root that the presets would make of such a folder.
    pub(super) fn root(&self, scene: &Scene) -> SkillRoot {
        let path = scene.path(&self.path);
        match self.scope.as_str() {
            "global" => SkillRoot::global(path),
            "project" => in_project(&path, scene),
            scope => SkillRoot::new(path, scope),
        }
    }
}

/// Returns a root whose links may lead to any place of the project that it lies in.
fn in_project(path: &Path, scene: &Scene) -> SkillRoot {
    let project = repository_root(&scene.cwd()).unwrap_or_else(|| scene.cwd());
    let root = SkillRoot::project(path);
    if path.starts_with(&project) { root.boundary(project) } else { root }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Discover {
    dirs: Vec<SkillFolder>,
    #[serde(default)]
    max_depth: Option<usize>,
}

pub(super) fn discover(args: &Discover, scene: &Scene) -> Result<Value, BoxError> {
    let found = find(args, scene);
    let skills: Result<Vec<_>, _> = found.skills.iter().map(record).collect();
    Ok(json!({ "skills": skills?, "diagnostics": found.diagnostics }))
}

fn find(args: &Discover, scene: &Scene) -> Discovery {
    let roots: Vec<_> = args.dirs.iter().map(|folder| folder.root(scene)).collect();
    let mut options = DiscoverOptions::default();
    options.max_depth = args.max_depth.unwrap_or(options.max_depth);
    skill::discover(&roots, &options)
}

fn record(skill: &Skill) -> Result<Value, BoxError> {
    let body = skill.load_body().map_err(|diagnostic| diagnostic.to_string())?;
    let mut record = serde_json::to_value(skill)?;
    record["body"] = body.into();
    Ok(record)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Validate {
    dirs: Vec<String>,
}

pub(super) fn validate(args: &Validate, scene: &Scene) -> Value {
    let verdict = |folder: &String| {
        let problems = skill::validate(&scene.path(folder));
        let kinds: Vec<_> = problems.iter().map(|problem| problem.kind).collect();
        json!({ "valid": kinds.is_empty(), "problems": kinds })
    };
    json!({ "verdicts": args.dirs.iter().map(verdict).collect::<Vec<_>>() })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Format {
    #[serde(default)]
    skills: Option<Vec<GivenSkill>>,
    #[serde(default)]
    from_discovery: Option<Discover>,
    #[serde(default)]
    max_chars: Option<usize>,
}

pub(super) fn format(args: Format, scene: &Scene) -> Result<Value, BoxError> {
    let skills = match (args.skills, args.from_discovery) {
        (Some(skills), None) => skills.into_iter().map(given).collect(),
        (None, Some(folders)) => find(&folders, scene).skills,
        _ => return Err("call.args: either `skills` or `from_discovery` is needed".into()),
    };
    let skills = Some(listed(&skills).into());
    let ctx = PromptContext { skills, ..scene.prompt_context() };
    let Some(limit) = args.max_chars else {
        return Ok(json!({ "text": SystemPrompt::new(["skills"]).prepare(&ctx)?.text() }));
    };
    let list = SkillList::new(ListStyle::Xml { location: true }).unlimited().max_chars(limit);
    Ok(json!({ "text": list.render(&ctx)?.unwrap_or_default() }))
}

fn given(skill: GivenSkill) -> Skill {
    let GivenSkill { name, description, location, scope, .. } = skill;
    Skill { name, description, location: location.into(), scope, ..Skill::default() }
}
