//! A call that the model asks for.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::native::native;

/// How deep arguments may nest; JSON readers stop at 128 levels, and a session adds its own.
const DEEPEST: usize = 100;

/// A call that the model asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The id under which the result is expected.
    pub id: Arc<str>,
    /// The name of the tool.
    pub name: Arc<str>,
    /// What the tool is called with.
    pub arguments: Arguments,
    /// The provider's own JSON of this part, sent back as it came.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "native")]
    pub native: Option<Arc<Value>>,
}

impl ToolCall {
    /// Creates a call with arguments.
    pub fn new(
        id: impl Into<Arc<str>>,
        name: impl Into<Arc<str>>,
        arguments: impl Into<Arguments>,
    ) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into(), native: None }
    }
}

/// The arguments of a tool call, as a JSON object or as the text that should have been one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arguments {
    /// A JSON object.
    Object(Arc<Value>),
    /// What the model wrote instead; the tool does not run.
    Invalid(Arc<str>),
}

impl Arguments {
    /// Reads what a model wrote; nothing at all stands for an object without members.
    ///
    /// What nests deeper than 100 levels is taken for invalid: a session that holds it could be
    /// written, but not be read again.
    pub fn parse(text: &str) -> Self {
        if text.trim().is_empty() {
            return Self::from(json!({}));
        }
        match serde_json::from_str::<Value>(text) {
            Ok(value) if is_fit(&value) => Self::Object(Arc::new(value)),
            _ => Self::Invalid(text.into()),
        }
    }

    /// Returns the object, if it is one.
    pub fn object(&self) -> Option<&Value> {
        match self {
            Self::Object(value) => Some(value),
            Self::Invalid(_) => None,
        }
    }

    /// Returns the object that goes over the wire, where only objects are accepted: what is no
    /// object becomes `{"invalid_arguments": "…"}`.
    pub fn to_wire(&self) -> Cow<'_, Value> {
        match self {
            Self::Object(value) => Cow::Borrowed(value),
            Self::Invalid(raw) => Cow::Owned(json!({ "invalid_arguments": &**raw })),
        }
    }
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        if is_fit(&value) {
            Self::Object(Arc::new(value))
        } else {
            Self::Invalid(value.to_string().into())
        }
    }
}

/// Tells whether a value is an object that can be kept and read again.
fn is_fit(value: &Value) -> bool {
    value.is_object() && nests_within(value, DEEPEST)
}

fn nests_within(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(_) | Value::Object(_) if levels == 0 => false,
        Value::Array(items) => items.iter().all(|item| nests_within(item, levels - 1)),
        Value::Object(members) => members.values().all(|member| nests_within(member, levels - 1)),
        _ => true,
    }
}
