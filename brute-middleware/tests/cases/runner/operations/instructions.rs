//! `load_instructions`: the instruction files of a project, within a budget.

use std::path::PathBuf;

use brute_prompts::{
    Budget, Families,
    gather::{self, InstructionImports, InstructionOptions},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Scene;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    #[serde(default)]
    file_names: Option<Vec<String>>,
    #[serde(default)]
    budget_bytes: Option<usize>,
    #[serde(default)]
    global_file: Option<String>,
    #[serde(default)]
    imports: bool,
}

pub(super) fn load(args: &Args, scene: &Scene) -> Value {
    let loaded = gather::instructions(&scene.cwd(), &options(args, scene));
    let doc = |file: &brute_prompts::InstructionFile| json!({ "path": file.path, "text": file.text, "truncated": file.truncated });
    json!({
        "docs": loaded.files.iter().map(doc).collect::<Vec<_>>(),
        "diagnostics": loaded.diagnostics,
    })
}

fn options(args: &Args, scene: &Scene) -> InstructionOptions {
    let family = Families::default().infer(&scene.context.provider, &scene.context.model);
    let options = InstructionOptions::default().family(&family).home(scene.home());
    let options = match &args.global_file {
        Some(path) => options.global_file(global_path(path, scene)),
        None => options.without_global_file(),
    };
    let options = match &args.file_names {
        Some(names) => options.file_names(names),
        None => options,
    };
    let total = args.budget_bytes.unwrap_or(Budget::INSTRUCTIONS.total);
    let imports = if args.imports { InstructionImports::Inside } else { InstructionImports::Off };
    options.budget(Budget { total, ..Budget::INSTRUCTIONS }).imports(imports)
}

/// Returns a path of the case, or one that starts at the home.
fn global_path(path: &str, scene: &Scene) -> PathBuf {
    if path.starts_with('~') { path.into() } else { scene.path(path) }
}
