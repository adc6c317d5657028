//! `render_template`: templates of a user, with variables.

use std::collections::BTreeMap;

use brute_prompts::template;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tower::BoxError;

use super::error_record;

/// The name of a template that has none.
const NAMELESS: &str = "template.txt";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    #[serde(default)]
    name: Option<String>,
    cases: Vec<Rendering>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rendering {
    #[serde(default)]
    name: Option<String>,
    template: String,
    #[serde(default)]
    vars: Map<String, Value>,
    /// Variables whose value is the text of an earlier result.
    #[serde(default)]
    vars_from: BTreeMap<String, usize>,
}

pub(super) fn render(args: Args) -> Result<Value, BoxError> {
    let common = args.name.as_deref().unwrap_or(NAMELESS);
    let mut results = Vec::new();
    for case in args.cases {
        let variables = variables(case.vars, &case.vars_from, &results)?;
        let name = case.name.as_deref().unwrap_or(common);
        let text = template::render(name, &case.template, &variables);
        results
            .push(text.map_or_else(|error| error_record(&error), |text| json!({ "text": text })));
    }
    Ok(json!({ "results": results }))
}

fn variables(
    mut variables: Map<String, Value>,
    from: &BTreeMap<String, usize>,
    results: &[Value],
) -> Result<Map<String, Value>, BoxError> {
    for (name, index) in from {
        let text = results.get(*index).and_then(|result| result.get("text"));
        let text = text.ok_or_else(|| format!("`{name}` takes the text of result {index}"))?;
        variables.insert(name.clone(), text.clone());
    }
    Ok(variables)
}
