//! What the template of a user prompt may read.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Inputs, Referred};
use crate::{PromptError, PromptErrorKind, template};

/// The variables of a user prompt; what is not given does not exist.
#[derive(Debug, Serialize)]
pub(super) struct Variables<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<&'a str>,
    inputs: &'a Inputs,
    #[serde(skip_serializing_if = "Option::is_none")]
    env: Option<&'a Map<String, Value>>,
}

impl<'a> Variables<'a> {
    pub(super) fn new(
        goal: Option<&'a str>,
        inputs: &'a Inputs,
        env: Option<&'a Map<String, Value>>,
    ) -> Self {
        Self { goal, inputs, env }
    }

    /// Renders a template with these variables.
    pub(super) fn fill(&self, template: &Referred) -> Result<String, PromptError> {
        let text = template::render(&template.source, &template.text, self);
        text.map_err(|error| match error.kind() {
            PromptErrorKind::Undefined => error.with_known(self.names()),
            _ => error,
        })
    }

    fn names(&self) -> Vec<String> {
        let goal = self.goal.map(|_| "goal".to_owned());
        let inputs = self.inputs.iter().map(|(name, _)| format!("inputs.{name}"));
        let env = self.env.into_iter().flat_map(Map::keys).map(|name| format!("env.{name}"));
        goal.into_iter().chain(inputs).chain(env).collect()
    }
}
