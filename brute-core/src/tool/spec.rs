//! How a tool is described.

use std::{any, sync::Arc};

use serde_json::{Value, json};

/// The description of a tool: what the model reads, and what layers need to know.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// The name under which the model calls it: 1 to 64 ASCII letters, digits, `_` and `-`.
    pub name: Arc<str>,
    /// What it does, for the model.
    pub description: Arc<str>,
    /// The JSON Schema of its arguments, an object.
    pub parameters: Arc<Value>,
    /// What running it does to the world.
    pub effect: Effect,
    /// Whether it must run alone among the calls of one reply.
    pub sequential: bool,
    /// The name that prompt texts know it by, where that differs from `name`.
    pub known_as: Option<Arc<str>>,
}

/// Says what running a tool does to the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Nothing: it only looks. Plan mode allows it.
    ReadOnly,
    /// Something, but running it twice is like running it once.
    Idempotent,
    /// Something that must not happen twice.
    #[default]
    Writes,
}

impl ToolSpec {
    /// Describes a tool without arguments that writes, until told otherwise.
    pub fn new(name: impl Into<Arc<str>>, description: impl Into<Arc<str>>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            parameters: Arc::new(json!({ "type": "object", "properties": {} })),
            effect: Effect::default(),
            sequential: false,
            known_as: None,
        }
    }

    /// Sets the JSON Schema of the arguments.
    #[must_use]
    pub fn parameters(mut self, schema: Value) -> Self {
        self.parameters = Arc::new(schema);
        self
    }

    /// Says what running the tool does to the world.
    #[must_use]
    pub fn effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// Makes the tool run alone among the calls of one reply.
    #[must_use]
    pub fn sequential(mut self) -> Self {
        self.sequential = true;
        self
    }

    /// Returns the name that prompt texts know the tool by.
    pub fn known_name(&self) -> &str {
        self.known_as.as_deref().unwrap_or(&self.name)
    }

    /// Describes a tool by the name of its type: `tools::ReadFile` becomes `read_file`.
    pub(super) fn of_type<T: ?Sized>() -> Self {
        Self::new(snake_case(base_name(any::type_name::<T>())), "")
    }
}

/// Returns the last segment of a type's path, without its parameters.
fn base_name(type_name: &str) -> &str {
    let path = type_name.split('<').next().unwrap_or(type_name);
    path.rsplit("::").next().unwrap_or(path)
}

fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for (index, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && index > 0 {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
