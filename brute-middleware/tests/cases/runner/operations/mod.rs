//! The operations of the cases, each made with public items of the crates.

mod assembly;
mod environment;
mod instructions;
mod prompt;
mod scene;
mod skills;
mod slash;
mod stack;
mod template;

use std::error::Error;

use brute_prompts::{PromptError, PromptErrorKind};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use tower::BoxError;

pub(crate) use self::scene::{Context, Scene};
use super::case::parse;

/// Makes one call; a failure that the crates report is a record as well.
pub(crate) fn perform(
    op: &str,
    args: &Map<String, Value>,
    scene: &Scene,
) -> Result<Value, BoxError> {
    if scene.apply > 1 && op != "assemble_prompt" {
        return Err(format!("the result of `{op}` does not go through a layer").into());
    }
    let record = match op {
        "assemble_prompt" => assembly::assemble(read(args)?, scene),
        "build_default_prompt" => prompt::build(read(args)?, scene),
        "discover_skills" => skills::discover(&read(args)?, scene),
        "environment_block" => environment::block(&read(args)?, scene),
        "expand_slash" => slash::expand(read(args)?),
        "format_skills" => skills::format(read(args)?, scene),
        "infer_stack" => Ok(stack::infer(&read(args)?)),
        "load_instructions" => Ok(instructions::load(&read(args)?, scene)),
        "render_template" => template::render(read(args)?),
        "validate_skill" => Ok(skills::validate(&read(args)?, scene)),
        _ => return Err(format!("the runner does not know the operation `{op}`").into()),
    };
    record.or_else(|error| prompt_error(&*error).map(error_record).ok_or(error))
}

fn read<T: DeserializeOwned>(args: &Map<String, Value>) -> Result<T, BoxError> {
    parse(Value::Object(args.clone()), "call.args")
}

/// Returns the error of a prompt that lies at the bottom of an error.
fn prompt_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a PromptError> {
    error.downcast_ref().or_else(|| prompt_error(error.source()?))
}

/// Returns a failure in the words of the cases.
fn error_record(error: &PromptError) -> Value {
    let kind = match error.kind() {
        PromptErrorKind::Undefined => "undefined".to_owned(),
        PromptErrorKind::Syntax => "syntax".to_owned(),
        PromptErrorKind::MissingTemplate => "missing_template".to_owned(),
        PromptErrorKind::UnknownFilter => "unknown_filter".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    };
    json!({ "error": { "kind": kind, "message": error.to_string() } })
}

/// A skill as a case gives it.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
struct GivenSkill {
    name: String,
    description: String,
    location: String,
    body: String,
    scope: String,
}
