//! Which modules stand in the prompts of the profiles, and in which order.

use crate::Family;

/// One section for each tool, and the habits of a careful engineer.
const FABRO: [&str; 18] = [
    "identity_fabro",
    "doing_tasks_fabro",
    "tone_and_style_fabro",
    "git_safety",
    "tool_usage_fabro",
    "tool_read",
    "tool_edit",
    "tool_write",
    "tool_shell",
    "tool_search",
    "tool_glob",
    "tool_web_search",
    "tool_fetch",
    "tool_delegate",
    "conventions_fabro",
    "environment_fabro",
    "instructions",
    "skills",
];

/// The same, where files are changed by patches.
const FABRO_OPENAI: [&str; 18] = [
    "identity_fabro",
    "tone_and_style",
    "doing_tasks_fabro",
    "git_safety",
    "tool_usage_fabro",
    "tool_read",
    "tool_patch",
    "tool_write",
    "tool_shell",
    "tool_search",
    "tool_glob",
    "tool_web_search",
    "tool_fetch",
    "tool_delegate",
    "conventions_fabro",
    "environment_fabro",
    "instructions",
    "skills",
];

/// The same, with mandates first and more ways to read.
const FABRO_GOOGLE: [&str; 20] = [
    "identity_fabro",
    "conventions_fabro",
    "doing_tasks_fabro",
    "git_safety",
    "tool_usage_fabro",
    "tool_read",
    "tool_read_many",
    "tool_list",
    "tool_edit",
    "tool_write",
    "tool_shell",
    "tool_search",
    "tool_glob",
    "tool_web_search",
    "tool_fetch",
    "tool_delegate",
    "tone_and_style",
    "environment_fabro",
    "instructions",
    "skills",
];

/// The assistant's stack: what is cached first, then what a session holds, then what changes.
pub(super) const FLUFFBUZZ: [&str; 27] = [
    "identity_fluffbuzz",
    "tooling",
    "execution_bias",
    "provider_prefix",
    "safety",
    "memory_recall",
    "skills",
    "self_update",
    "model_aliases",
    "workspace",
    "documentation",
    "sandbox",
    "user_identity",
    "time_zone",
    "workspace_files",
    "instructions",
    "reply_tags",
    "messaging",
    "reactions",
    "approvals",
    "silent_replies",
    "heartbeat_file",
    "extra_context",
    "provider_suffix",
    "heartbeats",
    "runtime",
    "reasoning",
];

/// The stack of the engineer that works alone for long.
pub(super) const BUILDER: [&str; 11] = [
    "identity_builder",
    "workflow",
    "editing_constraints",
    "git_safety",
    "quality",
    "final_answer",
    "delegation",
    "tool_preambles",
    "environment_builder",
    "skills",
    "instructions",
];

/// Returns the stack of the family, which may be the common one.
pub(super) fn fabro(family: &Family) -> &'static [&'static str] {
    match family.name() {
        "openai" => &FABRO_OPENAI,
        "google" => &FABRO_GOOGLE,
        _ => &FABRO,
    }
}
