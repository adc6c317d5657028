//! Tools: what the model may ask the program to do. Each is a tower service, too.

mod context;
mod function;
mod name;
mod output;
mod spec;
mod toolbox;

use async_trait::async_trait;
use serde_json::Value;

pub use self::{
    context::{ToolContext, ToolRequest},
    function::{FnTool, tool_fn},
    output::ToolOutput,
    spec::{Effect, ToolSpec},
    toolbox::{Dispatch, ToolEntry, Toolbox},
};
use crate::Error;

/// Something that the model may ask for.
///
/// Most tools are an async function of typed arguments, see [`tool_fn`]; implement this where a
/// tool keeps state or makes up its definition at run time.
///
/// ```
/// use async_trait::async_trait;
/// use brute_core::{Error, Tool, ToolContext, ToolOutput};
/// use serde_json::Value;
///
/// struct Dice;
///
/// #[async_trait]
/// impl Tool for Dice {
///     async fn call(&self, _: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
///         Ok("4".into())
///     }
/// }
///
/// assert_eq!(&*Dice.spec().name, "dice");
/// ```
#[async_trait]
pub trait Tool: Send + Sync + 'static {
    /// Describes the tool to the model; by default the name is that of the type, in snake case.
    fn spec(&self) -> ToolSpec {
        ToolSpec::of_type::<Self>()
    }

    /// Runs the tool on a JSON object.
    ///
    /// # Errors
    /// Whatever went wrong becomes an error result, which the model reads; it never ends the turn.
    async fn call(&self, arguments: &Value, context: &ToolContext) -> Result<ToolOutput, Error>;
}
