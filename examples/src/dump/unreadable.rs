//! What a session keeps of its prompt, and nobody can read.

use brute_core::{Meta, Section};
use brute_prompts::{PromptFile, PromptMode, PromptSettings, gather::SessionFacts};
use serde::{Deserialize, de::DeserializeOwned};

/// The metadata key of the facts that a prompt is rendered from.
pub(super) const FACTS: &str = "prompt_facts";

/// A prompt that was rendered, as `SystemPromptLayer` keeps it.
#[derive(Deserialize)]
#[allow(dead_code, reason = "it is only of interest whether it can be read")]
struct Rendered {
    mode: PromptMode,
    sections: Vec<Section>,
    dynamic: Vec<String>,
}

/// A prompt file that was read, as `SystemPromptLayer` keeps it.
#[derive(Deserialize)]
#[allow(dead_code, reason = "it is only of interest whether it can be read")]
struct Read {
    file: Option<PromptFile>,
    settings: PromptSettings,
}

/// Says of each thing that is kept and cannot be read why not; a prompt that can be read needs
/// nothing else.
pub(super) fn complaints(meta: &Meta, rendered: &str, read: &str) -> Vec<String> {
    let prompt = found::<Rendered>(meta, rendered);
    if prompt == Some(Ok(())) {
        return Vec::new();
    }
    let all = [prompt, found::<Read>(meta, read), found::<SessionFacts>(meta, FACTS)];
    all.into_iter().flatten().filter_map(Result::err).collect()
}

/// Says of the facts that are kept why they cannot be read, if they cannot.
pub(super) fn complaint_of_facts(meta: &Meta) -> Option<String> {
    found::<SessionFacts>(meta, FACTS)?.err()
}

/// Tells whether what is kept under a key can be read, if something is.
fn found<T: DeserializeOwned>(meta: &Meta, key: &str) -> Option<Result<(), String>> {
    let kept = meta.get(key).filter(|value| !value.is_null())?;
    let read = serde_json::from_value::<T>((**kept).clone());
    Some(read.map(drop).map_err(|error| {
        format!(
            "what the session keeps as {key:?} cannot be read ({error}), so the prompt that is shown may be another one"
        )
    }))
}
