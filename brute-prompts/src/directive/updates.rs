//! What a stage leaves in the context of its run.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{Family, PromptContext, PromptError, Texts, variables::Variables};

/// How many characters of an answer the context keeps at hand.
const HEAD: usize = 200;

/// Returns what a stage leaves in the context: its name, the first 200 characters of its answer,
/// and the whole answer under `response.<stage>`.
///
/// # Example
///
/// ```
/// use brute_prompts::directive::context_updates;
///
/// let updates = context_updates("plan", "First the tests.");
/// assert_eq!(updates["last_stage"], "plan");
/// assert_eq!(updates["response.plan"], "First the tests.");
/// ```
pub fn context_updates(stage: &str, answer: &str) -> BTreeMap<String, Value> {
    let head: String = answer.chars().take(HEAD).collect();
    BTreeMap::from([
        ("last_stage".to_owned(), json!(stage)),
        ("last_response".to_owned(), json!(head)),
        (format!("response.{stage}"), json!(answer)),
    ])
}

/// Returns what stands in for the answer of a stage that had no model to ask, such as in a trial
/// run; the words lie in the text `simulated_response`.
///
/// # Errors
///
/// Fails where the words of a host are no valid template.
pub fn simulated_response(texts: &Texts, stage: &str) -> Result<String, PromptError> {
    let extra = BTreeMap::from([("run".to_owned(), json!({ "stage": stage }))]);
    let ctx = PromptContext { extra, ..PromptContext::default() };
    let text = texts.render_once("simulated_response", &Variables::new(&ctx, &Family::DEFAULT))?;
    Ok(text.map(|text| text.to_string()).unwrap_or_default())
}
