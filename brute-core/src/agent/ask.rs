//! Answers of a type: the schema goes down with the turn, and what comes back is read.

use std::sync::Arc;

use futures::future::BoxFuture;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{Agent, TurnCall};
use crate::{Error, ErrorKind, Input, Message, Part, Role, Session};

/// The member that an answer stands in whose type is no object.
const WRAPPER: &str = "answer";

impl Agent {
    /// Takes a turn whose answer is a value of a type.
    ///
    /// The model is held to the type's JSON Schema: in the provider's own way where it has one, else
    /// by a tool to answer with. An answer that does not fit is complained about once, in a turn of
    /// its own.
    ///
    /// ```
    /// use brute_core::{Agent, Session, models::ScriptedModel};
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Verdict {
    ///     approved: bool,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), brute_core::Error> {
    /// let agent = Agent::builder(ScriptedModel::text(r#"{"approved": true}"#)).build()?;
    /// let verdict: Verdict = agent.ask(&Session::new(), "Is the change good?").await?;
    /// assert!(verdict.approved);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Fails as a turn does, and with [`ErrorKind::Model`] if the second answer does not fit either.
    pub fn ask<T>(
        &self,
        session: &Session,
        input: impl Into<Input>,
    ) -> BoxFuture<'static, Result<T, Error>>
    where
        T: JsonSchema + DeserializeOwned + Send + 'static,
    {
        self.turn(session, input).ask()
    }
}

impl TurnCall {
    /// Takes the turn, whose answer is a value of a type; see [`Agent::ask`].
    ///
    /// # Errors
    /// As for [`Agent::ask`].
    pub fn ask<T>(self) -> BoxFuture<'static, Result<T, Error>>
    where
        T: JsonSchema + DeserializeOwned + Send + 'static,
    {
        Box::pin(async move {
            let form = Form::of::<T>();
            let first = self.settings(|settings| settings.response_schema = Some(form.schema()));
            let again = first.saying(Input::none());
            let complaint = match form.read(&first.send().await?.answer()) {
                Ok(value) => return Ok(value),
                Err(complaint) => complaint,
            };
            let second = again.saying(complaint_of(&complaint));
            form.read(&second.send().await?.answer()).map_err(|complaint| {
                let message =
                    format!("the answer fits its schema in neither of two tries: {complaint}");
                Error::new(ErrorKind::Model, message)
            })
        })
    }
}

/// Says what is wrong with an answer, as a message of the program.
fn complaint_of(complaint: &str) -> Input {
    let text = format!(
        "That answer does not fit the schema: {complaint}. Answer again, with nothing but JSON that fits the schema."
    );
    Message::new(Role::User, vec![Part::generated(text)]).into()
}

/// The form of an answer: an object, if need be around the value.
struct Form {
    schema: Arc<Value>,
    is_wrapped: bool,
}

impl Form {
    fn of<T: JsonSchema>() -> Self {
        let mut settings = SchemaSettings::draft2020_12();
        settings.inline_subschemas = true;
        settings.meta_schema = None;
        let schema = Value::from(settings.into_generator().into_root_schema_for::<T>());
        let is_wrapped = schema.get("type").is_none_or(|kind| kind != "object");
        let schema = if is_wrapped { wrapped(&schema) } else { schema };
        Self { schema: schema.into(), is_wrapped }
    }

    fn schema(&self) -> Arc<Value> {
        self.schema.clone()
    }

    /// Reads an answer; says what does not fit, and where.
    fn read<T: DeserializeOwned>(&self, answer: &str) -> Result<T, String> {
        let value: Value = serde_json::from_str(bare(answer))
            .map_err(|error| format!("it is no JSON: {error}"))?;
        let value = match value {
            Value::Object(mut members) if self.is_wrapped => members
                .remove(WRAPPER)
                .ok_or_else(|| format!("the member `{WRAPPER}` is missing"))?,
            value => value,
        };
        serde_path_to_error::deserialize(value).map_err(|error| {
            let path = error.path().to_string();
            let place = if path == "." { String::new() } else { format!("at `{path}`, ") };
            format!("{place}{}", error.into_inner())
        })
    }
}

fn wrapped(schema: &Value) -> Value {
    json!({
        "type": "object",
        "properties": { WRAPPER: schema },
        "required": [WRAPPER],
        "additionalProperties": false,
    })
}

/// Takes an answer out of the fence that some models put around it.
fn bare(answer: &str) -> &str {
    let answer = answer.trim();
    let fenced = answer.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    fenced.and_then(|fenced| fenced.split_once('\n')).map_or(answer, |(_, json)| json.trim())
}
