//! The recommended stack: the only place where the order of layers is written.

use std::time::Duration;

use brute_core::{
    BoxStack, BuiltStack, Dispatch, Error, Stack, ToolService, TurnService, testing::LintLayer,
};
use brute_prompts::{SystemPrompt, gather::GatherOptions};
use tower::{
    Layer, ServiceExt,
    layer::util::{Identity, Stack as Both},
    timeout::{Timeout, TimeoutLayer},
};

use crate::{
    AcceptInput, AcceptInputLayer, EventsLayer, JournalLayer, MaxStepsLayer, ModeMessages,
    ModeMessagesLayer, PlanGuardLayer, PlanModeLayer, RemindersLayer, SkillsLayer,
    SlashCommandsLayer, SystemPromptLayer, ToolCallsLayer, ToolLoopLayer, WithSystemPrompt,
};

/// How long a tool may run, unless told otherwise.
const TOOL_TIMEOUT: Duration = Duration::from_mins(2);

/// How many model calls with tools a turn may take, unless told otherwise.
const MAX_STEPS: u32 = 100;

/// Starts the recommended stack.
///
/// ```
/// use brute_core::models::ScriptedModel;
/// use brute_middleware::default_stack;
///
/// let stack = default_stack().max_steps(20).model(ScriptedModel::text("hi"));
/// println!("{stack}");
/// ```
pub fn default_stack() -> DefaultStack {
    DefaultStack {
        options: Options {
            system_prompt: SystemPromptLayer::default(),
            slash_commands: SlashCommandsLayer::default(),
            max_steps: Some(MAX_STEPS),
            tool_timeout: TOOL_TIMEOUT,
            tool_concurrency: None,
            without_skills: false,
            mode_messages: None,
        },
        around_turn: Stack::new(),
        around_model: Stack::new(),
        around_tools: Stack::new(),
        around_input: Stack::new(),
    }
}

/// What stands below the layers that shape the input.
type Recorded<S> = ModeMessages<AcceptInput<WithSystemPrompt<S>>>;

/// The recommended stack, before it is built; made by [`default_stack`].
#[derive(Clone, Debug)]
pub struct DefaultStack<T = Identity, M = Identity, K = Identity, I = Identity> {
    options: Options,
    around_turn: Stack<T>,
    around_model: Stack<M>,
    around_tools: Stack<K>,
    around_input: Stack<I>,
}

#[derive(Clone, Debug)]
struct Options {
    system_prompt: SystemPromptLayer,
    slash_commands: SlashCommandsLayer,
    max_steps: Option<u32>,
    tool_timeout: Duration,
    tool_concurrency: Option<usize>,
    without_skills: bool,
    mode_messages: Option<ModeMessagesLayer>,
}

impl Options {
    /// Returns the layer of the prompt, which gathers the facts that all layers share.
    fn system_prompt(&self) -> SystemPromptLayer {
        let layer = self.system_prompt.clone();
        let gather = layer.gather_options().cloned();
        if self.without_skills {
            return layer.gather(gather.map(GatherOptions::without_skills));
        }
        layer
    }

    /// Returns the layer that was given, else one with the words of the prompt.
    fn mode_messages(&self) -> ModeMessagesLayer {
        let of_prompt = || ModeMessagesLayer::new(self.system_prompt.prompt().clone());
        self.mode_messages.clone().unwrap_or_else(of_prompt)
    }
}

impl<T, M, K, I> DefaultStack<T, M, K, I> {
    /// Renders another prompt.
    #[must_use]
    pub fn prompt(self, prompt: SystemPrompt) -> Self {
        self.system_prompt(SystemPromptLayer::new(prompt))
    }

    /// Renders the prompt of this layer, when and with what it says.
    #[must_use]
    pub fn system_prompt(mut self, layer: SystemPromptLayer) -> Self {
        self.options.system_prompt = layer;
        self
    }

    /// Takes the commands of this layer, and those of the skills that the prompt lists.
    #[must_use]
    pub fn slash_commands(mut self, layer: SlashCommandsLayer) -> Self {
        self.options.slash_commands = layer;
        self
    }

    /// Looks for no skills, whatever the options of the prompt's layer say, so that a tool of the
    /// agent's own may be named `skill`.
    #[must_use]
    pub fn without_skills(mut self) -> Self {
        self.options.without_skills = true;
        self
    }

    /// Tells with this layer when a mode begins or ends, such as not in the runs of a workflow.
    #[must_use]
    pub fn mode_messages(mut self, layer: ModeMessagesLayer) -> Self {
        self.options.mode_messages = Some(layer);
        self
    }

    /// Allows so many model calls with tools in one turn; `None` is no limit.
    #[must_use]
    pub fn max_steps(mut self, limit: impl Into<Option<u32>>) -> Self {
        self.options.max_steps = limit.into();
        self
    }

    /// Lets a tool run for so long.
    #[must_use]
    pub fn tool_timeout(mut self, timeout: Duration) -> Self {
        self.options.tool_timeout = timeout;
        self
    }

    /// Runs at most so many tools of one reply at once; `None` is no limit.
    #[must_use]
    pub fn tool_concurrency(mut self, limit: impl Into<Option<usize>>) -> Self {
        self.options.tool_concurrency = limit.into();
        self
    }

    /// Puts a layer above where the input is recorded, below those that were put there before.
    ///
    /// There layers shape the input and with it the record, such as
    /// [`PreambleLayer`](crate::PreambleLayer).
    pub fn around_input<L>(self, layer: L) -> DefaultStack<T, M, K, Both<L, I>> {
        let Self { options, around_turn, around_model, around_tools, around_input } = self;
        let around_input = around_input.layer(layer);
        DefaultStack { options, around_turn, around_model, around_tools, around_input }
    }

    /// Says that the layer that was put around the input last offers a tool of this name; see
    /// [`Stack::offers`].
    #[must_use]
    pub fn offers(mut self, tool: impl Into<String>) -> Self {
        self.around_input = self.around_input.offers(tool);
        self
    }

    /// Puts a layer around whole turns, below those that were put there before.
    pub fn around_turn<L>(self, layer: L) -> DefaultStack<Both<L, T>, M, K, I> {
        let Self { options, around_turn, around_model, around_tools, around_input } = self;
        let around_turn = around_turn.layer(layer);
        DefaultStack { options, around_turn, around_model, around_tools, around_input }
    }

    /// Puts a layer around single model calls, below those that were put there before.
    pub fn around_model<L>(self, layer: L) -> DefaultStack<T, Both<L, M>, K, I> {
        let Self { options, around_turn, around_model, around_tools, around_input } = self;
        let around_model = around_model.layer(layer);
        DefaultStack { options, around_turn, around_model, around_tools, around_input }
    }

    /// Puts a layer around every tool, below those that were put there before.
    pub fn around_tools<L>(self, layer: L) -> DefaultStack<T, M, Both<L, K>, I> {
        let Self { options, around_turn, around_model, around_tools, around_input } = self;
        let around_tools = around_tools.layer(layer);
        DefaultStack { options, around_turn, around_model, around_tools, around_input }
    }

    /// Puts lints around what you added so far around input, turns and model calls, for tests; a lint
    /// panics with the law and the layer that broke it.
    ///
    /// Layers around tools are not linted.
    ///
    /// ```
    /// use brute_core::{Next, Turn, from_fn, models::ScriptedModel};
    /// use brute_middleware::default_stack;
    ///
    /// let mine = from_fn(|turn: Turn, next: Next| async move { next.run(turn).await });
    /// let stack = default_stack().around_model(mine).linted().model(ScriptedModel::text("hi"));
    /// assert!(stack.to_string().contains("Lint"));
    /// ```
    pub fn linted(self) -> DefaultStack<Linted<T>, Linted<M>, K, Linted<I>> {
        let Self { options, around_turn, around_model, around_tools, around_input } = self;
        DefaultStack {
            options,
            around_turn: linted("SystemPrompt", around_turn, "ToolLoop"),
            around_model: linted("Journal", around_model, "the model"),
            around_tools,
            around_input: linted("SlashCommands", around_input, "ModeMessages"),
        }
    }

    /// Puts the model below everything, which makes the stack whole.
    pub fn model<S>(self, model: S) -> BuiltStack<impl TurnService>
    where
        T: Layer<BoxStack, Service: TurnService>,
        M: Layer<S, Service: TurnService>,
        K: Layer<Timeout<Dispatch>, Service: ToolService>,
        I: Layer<Recorded<T::Service>, Service: TurnService>,
    {
        let system_prompt = self.options.system_prompt();
        let mode_messages = self.options.mode_messages();
        let Options { slash_commands, max_steps, tool_timeout, tool_concurrency, .. } =
            self.options;
        let gather = system_prompt.gather_options().cloned();
        let tools = Stack::new()
            .layer(PlanGuardLayer)
            .note("refuses tools that write in plan mode")
            .extend(self.around_tools)
            .layer(TimeoutLayer::new(tool_timeout))
            .note(format!("{tool_timeout:?} for each tool"))
            .tools();
        let (tool_service, tool_picture) = tools.into_parts();
        let steps = Stack::new()
            .layer(ToolLoopLayer)
            .note("calls again while tool results are pending")
            .layer(EventsLayer::new())
            .note("steps")
            .layer(MaxStepsLayer::new(max_steps))
            .note(max_steps.map_or("no limit".to_owned(), |steps| {
                format!("{steps} steps, then an answer in text")
            }))
            .layer(PlanModeLayer)
            .note("plan and build")
            .layer(RemindersLayer::new(system_prompt.prompt().clone()))
            .note("for this one call, at its end")
            .layer(ToolCallsLayer::with_tools(tool_service).limit(tool_concurrency))
            .note("side by side, results in call order")
            .branch(&tool_picture)
            .layer(JournalLayer)
            .note("records the answer before any tool starts")
            .extend(self.around_model)
            .model(model)
            .map(|steps| BoxStack::new(steps.map_err(Error::wrap)));
        Stack::new()
            .layer(EventsLayer::new())
            .note("turns")
            .extend(skills(gather.clone()))
            .layer(slash_commands.gather(gather))
            .note("/name rest in what the user wrote")
            .extend(self.around_input)
            .layer(mode_messages)
            .note("when a mode begins or ends")
            .layer(AcceptInputLayer)
            .note("records the input")
            .layer(system_prompt)
            .note("when the log has none")
            .extend(self.around_turn)
            .over(steps)
    }
}

/// Layers with a lint above and one below.
type Linted<L> = Both<LintLayer, Both<L, Both<LintLayer, Identity>>>;

fn linted<L>(above: &str, layers: Stack<L>, below: &str) -> Stack<Linted<L>> {
    let names = || layers.picture().names();
    let upper = LintLayer::between(above, names().next().unwrap_or(below));
    let lower = LintLayer::between(names().last().unwrap_or(above), below);
    Stack::new().layer(upper).extend(layers).layer(lower)
}

/// Returns the layer that finds skills, and the tool that it offers if it looks for any.
fn skills(gather: Option<GatherOptions>) -> Stack<Both<SkillsLayer, Identity>> {
    let layer = SkillsLayer::new().gather(gather);
    let tool = layer.tool_name();
    let stack = Stack::new().layer(layer).note("finds them at the first turn");
    match tool {
        Some(tool) => stack.offers(&*tool),
        None => stack,
    }
}
