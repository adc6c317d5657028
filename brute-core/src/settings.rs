//! What the caller asks of the model; what is not set is not sent.

use std::sync::Arc;

use serde_json::Value;

/// How a model is to be called.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The sampling temperature.
    pub temperature: Option<f64>,
    /// The nucleus sampling threshold.
    pub top_p: Option<f64>,
    /// The most tokens that the reply may have.
    pub max_output_tokens: Option<u32>,
    /// Whether and which tools the model may call.
    pub tool_choice: ToolChoice,
    /// How much the model should think.
    pub reasoning: Option<ReasoningEffort>,
    /// Texts at which the model stops.
    pub stop_sequences: Vec<Arc<str>>,
    /// The JSON Schema that the reply must fit.
    pub response_schema: Option<Arc<Value>>,
    /// Members that go into the provider's request as they are.
    pub extra: Option<Arc<Value>>,
}

/// Says whether and which tools the model may call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// The model answers in text; the definitions stay, so that the cached prefix stays.
    None,
    /// The model must call some tool.
    Required,
    /// The model must call this tool.
    Tool(Arc<str>),
}

/// Says how much a model should think before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasoningEffort {
    /// Not at all.
    None,
    /// As little as possible.
    Minimal,
    /// A little.
    Low,
    /// Somewhat.
    Medium,
    /// A lot.
    High,
    /// As much as the model can.
    Max,
}
