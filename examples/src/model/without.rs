//! Refuses real models where the program was built without them, and says how to build it.

use std::env;

use brute_prompts::plain;
use tower::BoxError;

use super::{Model, ModelArguments};

/// Refuses the provider of this name.
pub(super) fn named(name: &str, _: &ModelArguments) -> Result<Model, BoxError> {
    let name = plain::visible(name);
    Err(refusal(&format!("--provider {name}")))
}

/// Returns the offline model, unless another one is named.
pub(super) fn found(arguments: &ModelArguments) -> Result<Model, BoxError> {
    match &arguments.model {
        Some(model) => Err(refusal(&format!("--model {}", plain::visible(model)))),
        None => Ok(Model::offline()),
    }
}

fn refusal(what: &str) -> BoxError {
    let arguments: Vec<_> =
        env::args_os().skip(1).map(|argument| quoted(&argument.to_string_lossy())).collect();
    let command = format!("cargo run --features rig -- {}", arguments.join(" "));
    format!("{what} needs the feature `rig`, which brings real models: {command}").into()
}

/// Returns an argument as a shell reads it, on one line.
fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@,+".contains(c);
    let argument = plain::visible(argument);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        argument.into_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}
