//! The tool `session_status`.

use async_trait::async_trait;
use brute_core::{
    Effect, Error, ErrorKind, Journal, ModelId, Tool, ToolContext, ToolOutput, ToolSpec, Turn,
};
use brute_prompts::gather::time_words;
use serde_json::{Value, json};

use super::{CHOICE, DEFAULT, SessionStatusLayer};

/// Tells the date, the time and which model answers; chooses another model where that is allowed.
#[derive(Debug)]
pub(super) struct SessionStatus {
    layer: SessionStatusLayer,
    journal: Journal,
    /// The model of this turn, and the agent's own.
    model: ModelId,
    own: ModelId,
}

impl SessionStatus {
    pub(super) fn new(layer: SessionStatusLayer, turn: &Turn, own: ModelId) -> Self {
        Self { layer, journal: turn.journal.clone(), model: turn.model.clone(), own }
    }

    /// Remembers the choice, if it is one of those that are allowed.
    fn choose(&self, name: &str) -> Result<(), Error> {
        let choices = self.choices();
        if !choices.contains(&name) {
            let message = match choices.as_slice() {
                [] => "another model cannot be chosen here".to_owned(),
                known => format!("no model is named {name:?}: choose one of {}", known.join(", ")),
            };
            return Err(Error::new(ErrorKind::Tool, message));
        }
        // The model is kept, not its name, which another agent may not know.
        let choice = self.layer.models.get(name).map_or(Value::Null, |model| model.as_str().into());
        self.journal.remember(CHOICE, choice);
        Ok(())
    }

    fn choices(&self) -> Vec<&str> {
        let names = self.layer.models.keys().map(String::as_str);
        let back = (!self.layer.models.is_empty()).then_some(DEFAULT);
        names.chain(back).collect()
    }

    /// Returns the model from the next turn on, where it is another one.
    fn next_model(&self) -> Option<String> {
        let wanted = self.layer.wanted(&self.journal);
        let next = wanted.unwrap_or_else(|| self.own.model().to_owned());
        (next != self.model.model()).then_some(next)
    }

    fn report(&self) -> String {
        let time = time_words(&*self.layer.clock, self.layer.format);
        let model = if self.model == ModelId::default() {
            "unknown".to_owned()
        } else {
            self.model.to_string()
        };
        let mut lines = vec![format!("time: {time}"), format!("model: {model}")];
        lines.extend(self.next_model().map(|next| format!("model from the next turn on: {next}")));
        lines.join("\n")
    }
}

#[async_trait]
impl Tool for SessionStatus {
    fn spec(&self) -> ToolSpec {
        let choices = self.choices();
        let (properties, more) = match choices.as_slice() {
            [] => (json!({}), ""),
            names => {
                let what = "The model that answers from the next turn on; `default` goes back.";
                let model = json!({ "type": "string", "enum": names, "description": what });
                (json!({ "model": model }), " Can choose another model for this conversation.")
            }
        };
        let schema = json!({ "type": "object", "properties": properties });
        let description = format!("Tells the date, the time and which model answers.{more}");
        // A choice changes nothing but who answers next, so plan mode need not refuse it.
        ToolSpec::new(SessionStatusLayer::TOOL, description)
            .parameters(schema)
            .effect(Effect::ReadOnly)
    }

    async fn call(&self, arguments: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        match arguments.get("model") {
            None | Some(Value::Null) => {}
            Some(Value::String(name)) => self.choose(name)?,
            Some(_) => {
                let message = "invalid arguments: `model` must be text";
                return Err(Error::new(ErrorKind::Tool, message));
            }
        }
        Ok(self.report().into())
    }
}
