//! A call that the model asks for.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

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
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
    pub fn parse(text: &str) -> Self {
        if text.trim().is_empty() {
            return Self::from(json!({}));
        }
        match serde_json::from_str::<Value>(text) {
            Ok(value @ Value::Object(_)) => Self::Object(Arc::new(value)),
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
        match value {
            Value::Object(_) => Self::Object(Arc::new(value)),
            other => Self::Invalid(other.to_string().into()),
        }
    }
}
