//! `infer_stack`: which family a provider and a model belong to.

use brute_prompts::Families;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Provider, then model.
    inputs: Vec<(String, String)>,
}

pub(super) fn infer(args: &Args) -> Value {
    let families = Families::default();
    let stack = |(provider, model): &(String, String)| families.infer(provider, model);
    json!({ "stacks": args.inputs.iter().map(stack).collect::<Vec<_>>() })
}
