//! How much of a prompt an agent gets.

use serde::{Deserialize, Serialize};

/// Tells how much of a prompt an agent gets, whatever its stack.
///
/// Reminders are no part of a stack: they stand in every mode while their fact holds.
///
/// # Example
///
/// ```
/// use brute_prompts::{PromptContext, PromptMode, SystemPrompt};
///
/// let ctx = PromptContext { prompt_mode: PromptMode::None, ..PromptContext::default() };
/// let rendered = SystemPrompt::default().prepare(&ctx)?;
/// assert_eq!(rendered.sections().len(), 1);
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PromptMode {
    /// The whole stack.
    #[default]
    Full,
    /// What a sub-agent needs: who it is, how to work and what to keep off, its tools and its
    /// place. Skills, rules of the project and all that concerns the user are left out.
    Minimal,
    /// The first section only.
    None,
}

impl PromptMode {
    /// Returns the name, as it is written in a configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Minimal => "minimal",
            Self::None => "none",
        }
    }
}

/// The modules that stand in a minimal prompt too.
const MINIMAL: [&str; 35] = [
    "identity",
    "tooling",
    "doing_tasks",
    "tool_usage",
    "conventions",
    "code_style",
    "safety",
    "git_safety",
    "security_and_safety",
    "editing_approach",
    "editing_constraints",
    "provider_prefix",
    "provider_suffix",
    "workspace",
    "sandbox",
    "environment",
    "time_zone",
    "git_status",
    "workspace_files",
    "runtime",
    "extra_context",
    "tool_preambles",
    "workflow",
    "quality",
    "tool_read",
    "tool_read_many",
    "tool_list",
    "tool_edit",
    "tool_write",
    "tool_patch",
    "tool_shell",
    "tool_search",
    "tool_glob",
    "tool_web_search",
    "tool_fetch",
];

/// Returns true where a module that ships stands in a minimal prompt too.
pub(crate) fn is_minimal(module: &str) -> bool {
    MINIMAL.contains(&module)
}
