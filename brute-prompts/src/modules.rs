//! What is known about the modules that ship: when they speak, and how long their words hold.

use crate::{PromptContext, Zone};

/// The modules that hold what is fixed within a session.
const SESSION: [&str; 13] = [
    "environment",
    "environment_fabro",
    "environment_fluffbuzz",
    "environment_builder",
    "skills",
    "instructions",
    "instruction_message",
    "workspace_files",
    "recent_notes",
    "headless_enter",
    "headless_leave",
    "worktree_enter",
    "worktree_leave",
];

/// The modules that hold what may change with each call.
const DYNAMIC: [&str; 10] = [
    "git_status",
    "heartbeat_file",
    "heartbeats",
    "runtime",
    "reasoning",
    "extra_context",
    "provider_suffix",
    "plan_reminder",
    "build_switch",
    "max_steps",
];

/// Returns true where the context holds what the module is there to say.
pub(crate) fn speaks(module: &str, ctx: &PromptContext) -> bool {
    match module {
        "skills" => ctx.skills.as_ref().is_some_and(|skills| !skills.is_empty()),
        "instructions" => has_rules(ctx) || has_instructions(ctx),
        "instruction_message" => has_instructions(ctx),
        "workspace_files" => has_workspace_files(ctx, false),
        "heartbeat_file" => has_workspace_files(ctx, true),
        "git_status" => ctx.git.is_some(),
        _ => true,
    }
}

fn has_rules(ctx: &PromptContext) -> bool {
    ctx.custom_rules.as_ref().is_some_and(|rules| !rules.trim().is_empty())
}

fn has_instructions(ctx: &PromptContext) -> bool {
    ctx.instructions.as_ref().is_some_and(|files| !files.is_empty())
}

fn has_workspace_files(ctx: &PromptContext, dynamic: bool) -> bool {
    let files = ctx.workspace_files.iter().flat_map(|workspace| &workspace.files);
    files.filter(|file| file.is_dynamic() == dynamic).any(|file| !file.text.is_empty())
}

/// Returns the zone in which the module stands, even if its words hold for longer.
pub(crate) fn zone(module: &str) -> Zone {
    match module {
        _ if DYNAMIC.contains(&module) => Zone::Dynamic,
        _ if SESSION.contains(&module) => Zone::Session,
        _ => Zone::Static,
    }
}
