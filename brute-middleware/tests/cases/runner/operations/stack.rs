//! `infer_stack`: which family a provider and a model belong to.

use brute_prompts::Families;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Provider, then model.
    inputs: Vec<(Option<String>, Option<String>)>,
}

pub(super) fn infer(args: &Args) -> Value {
    let families = Families::default();
    let name = |name: &Option<String>| name.clone().unwrap_or_default();
    let stack = |(provider, model): &(_, _)| families.infer(&name(provider), &name(model));
    json!({ "stacks": args.inputs.iter().map(stack).collect::<Vec<_>>() })
}
