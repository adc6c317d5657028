//! A stack for one model call without tools.

use brute_core::{BuiltStack, Stack, ToolChoice, Toolbox, Turn, TurnService};
use brute_prompts::SystemPrompt;
use tower::util::MapRequestLayer;

use crate::{AcceptInputLayer, EventsLayer, JournalLayer, SystemPromptLayer, ToolLoopLayer};

/// Starts a stack that calls the model once and offers no tools: for questions that need nothing
/// but an answer.
///
/// The system prompt is the same as that of an agent, without the sentences about tools. Commands
/// in the input are not expanded.
///
/// ```
/// use brute_core::{Agent, Session, models::ScriptedModel};
/// use brute_middleware::single_call;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), brute_core::Error> {
/// let stack = single_call().docs_only().model(ScriptedModel::text("Blue."));
/// let reply = Agent::builder(stack).build()?.send(&Session::new(), "Which colour?").await?;
/// assert_eq!(reply.answer(), "Blue.");
/// # Ok(())
/// # }
/// ```
pub fn single_call() -> SingleCall {
    SingleCall { system_prompt: SystemPromptLayer::default() }
}

/// A stack for one model call, before it is built; made by [`single_call`].
#[derive(Clone, Debug)]
pub struct SingleCall {
    system_prompt: SystemPromptLayer,
}

impl SingleCall {
    /// Renders the prompt of this layer, when and with what it says.
    #[must_use]
    pub fn system_prompt(mut self, layer: SystemPromptLayer) -> Self {
        self.system_prompt = layer;
        self
    }

    /// Leaves only the project's instructions in the system prompt; without any there is none.
    #[must_use]
    pub fn docs_only(mut self) -> Self {
        let gather = self.system_prompt.gather_options().cloned();
        let docs = SystemPrompt::new(["instructions"]);
        self.system_prompt = SystemPromptLayer::new(docs).gather(gather);
        self
    }

    /// Puts the model below everything, which makes the stack whole.
    pub fn model<S: TurnService>(self, model: S) -> BuiltStack<impl TurnService> {
        Stack::new()
            .layer(EventsLayer::new())
            .note("turns")
            .layer(MapRequestLayer::new(without_tools))
            .note("no tools are on offer")
            .layer(AcceptInputLayer)
            .note("records the input")
            .layer(self.system_prompt)
            .note("when the log has none")
            .layer(ToolLoopLayer)
            .note("never calls again, since nothing runs tools")
            .layer(EventsLayer::new())
            .note("the step")
            .layer(JournalLayer)
            .note("records the answer")
            .model(model)
    }
}

fn without_tools(mut turn: Turn) -> Turn {
    turn.tools = Toolbox::default();
    if turn.settings.tool_choice != ToolChoice::Auto {
        turn.settings_mut().tool_choice = ToolChoice::Auto;
    }
    turn
}
