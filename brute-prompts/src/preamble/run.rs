//! A run as a preamble is told of it: its goal, its stages, its context.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Outcome;

/// The size in bytes beyond which a value is not shown, but referred to.
pub const LARGE_VALUE: usize = 100 * 1024;

/// A run of several stages, as far as it has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Run {
    /// What the run is for.
    pub goal: String,
    /// The name of this run.
    pub id: String,
    /// How many stages the run has in all, where that is known.
    pub total_stages: Option<usize>,
    /// The stages that ran, oldest first.
    pub stages: Vec<Stage>,
    /// What stages have left for each other, by key.
    pub context: BTreeMap<String, Value>,
    /// Where large values were put: the key, as in the context or `response.<stage>`, and a path.
    pub stored: BTreeMap<String, String>,
    /// The preamble of the run that this one is a part of.
    pub parent: Option<String>,
}

/// A stage that ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// The name of the stage.
    pub id: String,
    /// What ran it, such as `agent` or `command`; `start` and `exit` only mark the ends of a run.
    #[serde(default)]
    pub handler: Option<String>,
    /// How it ended.
    #[serde(default)]
    pub outcome: Option<Outcome>,
    /// What is to be said about it.
    #[serde(default)]
    pub notes: Option<String>,
    /// Why it failed.
    #[serde(default)]
    pub failure_reason: Option<String>,
    /// The command that it ran.
    #[serde(default)]
    pub script: Option<String>,
    /// What the command printed.
    #[serde(default)]
    pub stdout: Option<String>,
    /// What the command complained about.
    #[serde(default)]
    pub stderr: Option<String>,
    /// The model that it asked.
    #[serde(default)]
    pub model: Option<String>,
    /// What asking the model used.
    #[serde(default)]
    pub usage: Option<StageUsage>,
    /// The files that it changed.
    #[serde(default)]
    pub files: Vec<String>,
    /// What the model answered.
    #[serde(default)]
    pub response: Option<String>,
    /// The keys of the context whose values are what this stage tells anyway, such as its output.
    #[serde(default)]
    pub shown: Vec<String>,
}

/// What a stage used of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageUsage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
}

impl Stage {
    /// Creates a stage of which only the name is known.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), ..Self::default() }
    }

    /// Tells whether the stage only marks where a run starts or ends.
    ///
    /// Where nothing says what ran it, its name decides.
    pub fn is_mark(&self) -> bool {
        let kind = self.handler.as_ref().unwrap_or(&self.id);
        matches!(kind.as_str(), "start" | "exit")
    }
}
