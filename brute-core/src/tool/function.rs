//! A tool from an async function of typed arguments.

use std::{fmt, future::Future, marker::PhantomData};

use async_trait::async_trait;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tower::BoxError;

use super::{Effect, Tool, ToolContext, ToolOutput, ToolSpec};
use crate::{Error, ErrorKind};

/// A tool made by [`tool_fn`].
pub struct FnTool<A, F> {
    spec: ToolSpec,
    function: F,
    arguments: PhantomData<fn(A)>,
}

/// Makes a tool of an async function; the schema comes from the type of its arguments.
///
/// ```
/// use brute_core::{Error, ToolContext, tool_fn};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Add {
///     /// The first summand.
///     left: i64,
///     /// The second summand.
///     right: i64,
/// }
///
/// async fn add(Add { left, right }: Add, _: ToolContext) -> Result<String, Error> {
///     Ok((left + right).to_string())
/// }
///
/// let tool = tool_fn("add", "Adds two whole numbers.", add).read_only();
/// ```
pub fn tool_fn<A, F, Fut, O, E>(name: &str, description: &str, function: F) -> FnTool<A, F>
where
    A: DeserializeOwned + JsonSchema + Send + 'static,
    F: Fn(A, ToolContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<O, E>> + Send,
    O: Into<ToolOutput>,
    E: Into<BoxError> + 'static,
{
    let spec = ToolSpec::new(name, description).parameters(schema_of::<A>());
    FnTool { spec, function, arguments: PhantomData }
}

impl<A, F> FnTool<A, F> {
    /// Says that the tool only looks, so that plan mode allows it.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.spec.effect = Effect::ReadOnly;
        self
    }

    /// Makes the tool run alone among the calls of one reply.
    #[must_use]
    pub fn sequential(mut self) -> Self {
        self.spec.sequential = true;
        self
    }
}

#[async_trait]
impl<A, F, Fut, O, E> Tool for FnTool<A, F>
where
    A: DeserializeOwned + JsonSchema + Send + 'static,
    F: Fn(A, ToolContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<O, E>> + Send,
    O: Into<ToolOutput>,
    E: Into<BoxError> + 'static,
{
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    async fn call(&self, arguments: &Value, context: &ToolContext) -> Result<ToolOutput, Error> {
        let arguments = typed(arguments, &self.spec.name)?;
        let output = (self.function)(arguments, context.clone()).await;
        output.map(Into::into).map_err(Error::wrap)
    }
}

/// Reads typed arguments; the error names the member that does not fit.
fn typed<A: DeserializeOwned>(arguments: &Value, tool: &str) -> Result<A, Error> {
    serde_path_to_error::deserialize(arguments)
        .or_else(|error| nothing(arguments).ok_or(error))
        .map_err(|error| {
            let path = error.path().to_string();
            let place = if path == "." { String::new() } else { format!(" at `{path}`") };
            let complaint = error.into_inner();
            Error::new(
                ErrorKind::Tool,
                format!("invalid arguments for the tool {tool:?}{place}: {complaint}"),
            )
        })
}

/// Reads an object without members as the unit, for tools that take nothing.
fn nothing<A: DeserializeOwned>(arguments: &Value) -> Option<A> {
    let is_empty = arguments.as_object().is_some_and(Map::is_empty);
    is_empty.then(|| serde_json::from_value(Value::Null).ok())?
}

/// Returns the schema of a type as one self-contained object.
fn schema_of<A: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = Value::from(settings.into_generator().into_root_schema_for::<A>());
    if let Some(members) = schema.as_object_mut() {
        members.remove("title");
        describe_object(members);
    }
    schema
}

/// Says in the schema what holds of all arguments: they are an object.
///
/// A type that may be an object among others leaves that open, and some providers refuse a schema
/// that does not say it, or lists no properties.
fn describe_object(schema: &mut Map<String, Value>) {
    let may_be_object = match schema.get("type") {
        None => true,
        Some(Value::Array(types)) => types.contains(&"object".into()),
        Some(only) => only == "object" || only == "null",
    };
    if may_be_object {
        schema.insert("type".to_owned(), "object".into());
        schema.entry("properties").or_insert_with(|| Map::new().into());
    }
}

impl<A, F> fmt::Debug for FnTool<A, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FnTool").field(&self.spec.name).finish()
    }
}
