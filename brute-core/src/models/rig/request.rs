//! Turns a turn into a request of rig; nothing is set that the caller did not set.

use rig_core::{
    completion::{CompletionRequest, Effort, Reasoning, ToolDefinition},
    message::{Message, ToolChoice as Choice, ToolName},
    schemars::Schema as RigSchema,
};
use serde_json::{Map, Value};

use super::{
    connect::{Habits, Schema},
    content::History,
    marks::Marks,
};
use crate::{
    Error, ErrorKind, ReasoningEffort, Settings, ToolChoice, ToolSpec, Turn,
    models::{conversation, registry::ModelInfo},
};

/// The name of the tool that a model answers with, where its provider cannot hold it to a schema.
const ANSWER_TOOL: &str = "final_answer";

/// What that tool is for.
const ANSWER_PURPOSE: &str = "Gives the final answer. Call it once, when everything else is done.";

/// A request, and what has to be known of it later.
pub(super) struct Prepared {
    pub(super) request: CompletionRequest,
    /// The name of the tool that stands for the answer, if there is one.
    pub(super) answer_tool: Option<&'static str>,
    edges: Vec<usize>,
    passing: usize,
}

impl Prepared {
    /// Returns where marks belong; nowhere, if the caller set marks himself.
    pub(super) fn marks(&self, long: bool) -> Option<Marks> {
        let extra = self.request.additional_params.as_ref();
        if extra.is_some_and(|extra| extra.to_string().contains("\"cache_control\":")) {
            return None;
        }
        Some(Marks { edges: self.edges.clone(), passing: self.passing, long })
    }
}

pub(super) fn prepare(turn: &Turn, habits: &Habits, info: &ModelInfo) -> Result<Prepared, Error> {
    let history = History::of(&conversation(turn)?, habits)?;
    if history.messages.is_empty() {
        return Err(Error::new(ErrorKind::Invalid, "the request holds no message"));
    }
    let mut request = CompletionRequest::new(Message::user(""));
    request.chat_history = history.messages;
    request.tools = turn.tools.specs().map(definition).collect::<Result<_, _>>()?;
    set(&mut request, &turn.settings);
    if habits.plain_settings {
        write_plainly(&mut request);
    }
    let answer_tool = hold_to_schema(&mut request, &turn.settings, habits.schema, info)?;
    Ok(Prepared { request, answer_tool, edges: history.edges, passing: history.passing })
}

fn definition(spec: &ToolSpec) -> Result<ToolDefinition, Error> {
    Ok(ToolDefinition::new(name(&spec.name)?, &*spec.description, (*spec.parameters).clone()))
}

pub(super) fn name(name: &str) -> Result<ToolName, Error> {
    let nameless = |_| Error::new(ErrorKind::Invalid, "a tool without a name cannot be sent");
    ToolName::new(name).map_err(nameless)
}

fn set(request: &mut CompletionRequest, settings: &Settings) {
    request.temperature = settings.temperature;
    request.max_tokens = settings.max_output_tokens.map(u64::from);
    request.options.top_p = settings.top_p;
    request.options.reasoning = settings.reasoning.map(effort);
    request.options.stop = settings.stop_sequences.iter().map(ToString::to_string).collect();
    request.additional_params = settings.extra.as_deref().cloned();
    if !request.tools.is_empty() {
        request.tool_choice = choice(&settings.tool_choice);
    }
}

/// Writes settings as Chat Completions names them; what the caller wrote himself stays.
fn write_plainly(request: &mut CompletionRequest) {
    let options = std::mem::take(&mut request.options);
    let effort = options.reasoning.map(|reasoning| match reasoning {
        Reasoning::Effort(effort) => effort.as_str(),
        _ => "none",
    });
    let stop = (!options.stop.is_empty()).then_some(options.stop);
    let settings = [
        ("top_p", options.top_p.map(Value::from)),
        ("reasoning_effort", effort.map(Value::from)),
        ("stop", stop.map(Value::from)),
    ];
    let mut settings =
        settings.into_iter().filter_map(|(name, value)| Some((name, value?))).peekable();
    if settings.peek().is_none() {
        return;
    }
    let extra = request.additional_params.get_or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(extra) = extra {
        for (name, value) in settings {
            extra.entry(name).or_insert(value);
        }
    }
}

fn effort(effort: ReasoningEffort) -> Reasoning {
    Reasoning::Effort(match effort {
        ReasoningEffort::None => return Reasoning::Off,
        ReasoningEffort::Minimal => Effort::Minimal,
        ReasoningEffort::Low => Effort::Low,
        ReasoningEffort::Medium => Effort::Medium,
        ReasoningEffort::High => Effort::High,
        ReasoningEffort::Max => Effort::Max,
    })
}

fn choice(choice: &ToolChoice) -> Option<Choice> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some(Choice::None),
        ToolChoice::Required => Some(Choice::Required),
        ToolChoice::Tool(tool) => {
            name(tool).ok().map(|name| Choice::Specific { function_names: vec![name] })
        }
    }
}

/// Holds the answer to a schema: the provider's own way where it has one, else with a tool.
fn hold_to_schema(
    request: &mut CompletionRequest,
    settings: &Settings,
    way: Schema,
    info: &ModelInfo,
) -> Result<Option<&'static str>, Error> {
    let Some(schema) = &settings.response_schema else { return Ok(None) };
    let is_able = info.schema || !info.is_known;
    let is_native = match way {
        Schema::Native => is_able,
        Schema::NativeAlone => is_able && request.tools.is_empty(),
        Schema::Tool => false,
    };
    if is_native {
        let invalid = |error| {
            Error::new(ErrorKind::Invalid, "the response schema is no json schema").because(error)
        };
        let schema: RigSchema = (**schema).clone().try_into().map_err(invalid)?;
        request.output_schema = Some(schema);
        return Ok(None);
    }
    answer_with_tool(request, settings, schema)?;
    Ok(Some(ANSWER_TOOL))
}

fn answer_with_tool(
    request: &mut CompletionRequest,
    settings: &Settings,
    schema: &Value,
) -> Result<(), Error> {
    let answer = name(ANSWER_TOOL)?;
    if let Some(own) = request.tools.iter().find(|tool| tool.name == answer) {
        return Err(taken(&own.description));
    }
    // Where it is the only tool, some servers understand that better than its name.
    let must_answer = settings.tool_choice == ToolChoice::None && !request.tools.is_empty();
    let only = Choice::Specific { function_names: vec![answer.clone()] };
    request.tool_choice = Some(if must_answer { only } else { Choice::Required });
    request.tools.push(ToolDefinition::new(answer, ANSWER_PURPOSE, schema.clone()));
    Ok(())
}

fn taken(description: &str) -> Error {
    let message = format!(
        "two tools are named {ANSWER_TOOL:?}: the one that the model answers with, since its provider cannot hold it to a schema, and one of the agent's own, {description:?}; rename that one with `Toolbox::rename`",
    );
    Error::new(ErrorKind::Invalid, message)
}

/// Leaves out a setting that the provider refuses; tells whether there was one.
pub(super) fn leave_out(request: &mut CompletionRequest, option: &str) -> bool {
    let options = &mut request.options;
    match option {
        "temperature" => request.temperature.take().is_some(),
        "top_p" => options.top_p.take().is_some(),
        "reasoning" => options.reasoning.take().is_some(),
        "stop" => !std::mem::take(&mut options.stop).is_empty(),
        _ => false,
    }
}
