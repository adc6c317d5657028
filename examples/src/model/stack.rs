//! Puts the stack of the program together, down to the model.

use std::path::PathBuf;

use brute_core::{BoxStack, BuiltStack, Error, TurnService};
use brute_middleware::{
    DefaultStack, PromptLogLayer, RetryLayer, Secrets, SystemPromptLayer, default_stack,
};
use brute_prompts::{PromptSettings, gather::PromptFileOptions};
use tower::ServiceExt;

use super::{Model, Service};
use crate::keep_prompt::KeepPromptLayer;

/// What is special about a stack.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    /// Where the prompt is kept that the model saw last.
    pub(crate) prompt: KeepPromptLayer,
    /// Where each model call is kept, if anywhere.
    pub(crate) prompt_log: Option<PathBuf>,
}

impl Model {
    /// Puts the default stack on the model; a failed call is tried again.
    pub(crate) fn stack(&self, shape: &Shape) -> BuiltStack<BoxStack> {
        match &self.service {
            Service::Offline(model) => stack_on(*model, shape),
            #[cfg(feature = "rig")]
            Service::Remote(model) => stack_on(model.clone(), shape),
        }
    }
}

fn stack_on<S: TurnService>(model: S, shape: &Shape) -> BuiltStack<BoxStack> {
    let stack = base_stack().around_model(shape.prompt.clone());
    match &shape.prompt_log {
        Some(folder) => {
            let log = PromptLogLayer::new(folder).secrets(Secrets::from_env());
            erased(stack.around_model(log).around_model(RetryLayer::new()).model(model))
        }
        None => erased(stack.around_model(RetryLayer::new()).model(model)),
    }
}

/// Returns the default stack with the prompt files of the user and the project.
pub(crate) fn base_stack() -> DefaultStack {
    let (files, settings) = (PromptFileOptions::brute(None, None), PromptSettings::default());
    default_stack().system_prompt(SystemPromptLayer::default().prompt_files(files, settings))
}

/// Hides the type of a stack and keeps its picture.
pub(crate) fn erased<S: TurnService>(stack: BuiltStack<S>) -> BuiltStack<BoxStack> {
    stack.map(|stack| BoxStack::new(stack.map_err(Error::wrap)))
}
