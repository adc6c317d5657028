//! What is fixed with the first request of a session, besides the prompt file.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ToolNames;

/// How many tokens a tool call and its result take, on the average.
const TOKENS_PER_CALL: u128 = 1_400;

/// What is fixed with the first request of a session, as plain data to be kept with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PromptSettings {
    /// The command that starts an agent, for prompts that tell how to.
    pub run_command: String,
    /// How many tokens the model can see.
    pub context_window: u64,
    /// How much of them may be used, in percent.
    pub context_percent: i64,
    /// Whether the model is told when to comment on its tool calls.
    pub tool_preambles: bool,
    /// Whether nobody watches, so that there is nobody to comment to.
    pub headless: bool,
}

impl Default for PromptSettings {
    fn default() -> Self {
        Self {
            run_command: "brute ask".to_owned(),
            context_window: 272_000,
            context_percent: 95,
            tool_preambles: false,
            headless: false,
        }
    }
}

impl PromptSettings {
    pub(crate) fn wants_preambles(&self) -> bool {
        self.tool_preambles && !self.headless
    }

    /// Returns the variables for prompt files.
    pub(super) fn variables(&self, tools: &ToolNames) -> [(String, Value); 4] {
        let calls = estimated_tool_calls(self.context_window, self.context_percent);
        [
            ("run_command".to_owned(), Value::from(self.run_command.as_str())),
            ("launch_command".to_owned(), Value::from(self.run_command.as_str())),
            ("estimated_tool_calls".to_owned(), Value::from(calls)),
            ("editing_tool_name".to_owned(), Value::from(editing_tool(tools).unwrap_or_default())),
        ]
    }
}

/// Estimates how many tool calls fit the part of a window that may be used.
///
/// # Example
///
/// ```
/// use brute_prompts::estimated_tool_calls;
///
/// assert_eq!(estimated_tool_calls(272_000, 95), 185);
/// assert_eq!(estimated_tool_calls(400_000, 95), 271);
/// ```
pub fn estimated_tool_calls(window: u64, percent: i64) -> u64 {
    let percent = u128::try_from(percent.min(100)).unwrap_or(0);
    let calls =
        (u128::from(window) * percent * 2 + 100 * TOKENS_PER_CALL) / (200 * TOKENS_PER_CALL);
    u64::try_from(calls).unwrap_or(u64::MAX)
}

/// Returns the name of the tool by which files are edited: the first of `patch`, `edit` and `shell`
/// that is on offer.
pub fn editing_tool(tools: &ToolNames) -> Option<&str> {
    ["patch", "edit", "shell"].into_iter().find_map(|name| tools.get(name))
}
