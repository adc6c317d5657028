//! The names that texts may and may not use.

pub(crate) use brute_prompts::{BUILT_IN_TOOLS as TOOLS, HOST_TOOLS};
use brute_prompts::{Family, Profile, Texts};

use crate::runs;

/// Modules that may use facts of a session.
pub(crate) const SESSION_MODULES: [&str; 35] = [
    "environment",
    "git_status",
    "skills",
    "skills_bullets",
    "instructions",
    "instruction_message",
    "cut_marker",
    "workspace_files",
    "heartbeat_file",
    "workspace_cut",
    "missing_file",
    "self_update",
    "workspace",
    "documentation",
    "sandbox",
    "time_zone",
    "reply_tags",
    "heartbeats",
    "silent_replies",
    "messaging",
    "reactions",
    "runtime",
    "reasoning",
    "model_aliases",
    "user_identity",
    "approvals",
    "extra_context",
    "environment_fabro",
    "environment_fluffbuzz",
    "environment_builder",
    "headless_enter",
    "headless_leave",
    "worktree_enter",
    "worktree_leave",
    "recent_notes",
];

/// Returns the modules that stand in no stack, which are read alone.
pub(crate) fn alone() -> Vec<String> {
    let stacks = |profile: Profile| Family::ALL.map(|family| profile.stack(&family));
    let stacks = Profile::ALL.map(stacks).concat();
    let in_stack = |name: &str| stacks.iter().any(|stack| stack.contains(&name));
    let is_told_otherwise =
        |name: &str| name.starts_with("agent_") || REMINDERS.contains(&name) || runs::is_text(name);
    let texts = Texts::shipped();
    let own = texts.modules().filter(|name| !in_stack(name) && !is_told_otherwise(name));
    own.map(str::to_owned).collect()
}

/// Texts that stand for a part of a file, with nothing but a mark to make.
pub(crate) const PHRASES: [&str; 3] = ["cut_marker", "workspace_cut", "missing_file"];

/// What these texts are told.
const PHRASE_FACTS: [&str; 4] = ["path", "head", "tail", "total"];

/// Facts that session texts may use.
const FACTS: [&str; 28] = [
    "provider",
    "model",
    "family",
    "cwd",
    "platform",
    "os_version",
    "date",
    "is_git",
    "shell",
    "timezone",
    "skills",
    "skill_tool",
    "custom_rules",
    "instructions",
    "workspace_files",
    "arch",
    "utc_offset",
    "knowledge_cutoff",
    "prompt_mode",
    "host",
    "agent",
    "agent_switched",
    "max_steps_reached",
    "git",
    "tools",
    "skills_omitted",
    "worktree",
    "recent_notes",
];

/// Names of tools elsewhere that no text may use.
const FOREIGN: [&str; 29] = [
    "read_file",
    "write_file",
    "edit_file",
    "apply_patch",
    "update_plan",
    "list_dir",
    "ls",
    "grep",
    "fs_search",
    "bash",
    "run_shell_command",
    "web_fetch",
    "todowrite",
    "todoread",
    "task",
    "agent",
    "multi_tool_use.parallel",
    "read_many_files",
    "replace",
    "spawn_agent",
    "str_replace",
    "str_replace_editor",
    "exec",
    "execute",
    "exec_command",
    "websearch",
    "webfetch",
    "multiedit",
    "notebookedit",
];

/// Tool names that are no everyday words, so that any use means the tool.
const TELLING: [&str; 11] = [
    "glob",
    "patch",
    "undo",
    "shell",
    "fetch",
    "delegate",
    "todo_write",
    "todo_read",
    "use_skill",
    "apply_patch",
    "update_plan",
];

/// Returns true for the name of a tool that may be on offer.
pub(crate) fn is_own(name: &str) -> bool {
    TOOLS.contains(&name) || HOST_TOOLS.contains(&name)
}

/// Returns true for the name of a tool, here or elsewhere.
pub(crate) fn is_tool(name: &str) -> bool {
    let name = name.to_lowercase();
    is_own(&name) || FOREIGN.contains(&name.as_str())
}

/// Returns true for a word that can only mean a tool.
pub(crate) fn is_telling(word: &str) -> bool {
    TELLING.contains(&word)
}

/// Returns true for the name of a tool that is a word of its own in this module.
pub(crate) fn is_plain_word(word: &str, module: &str) -> bool {
    match module {
        // There it is the fact of that name.
        "environment_builder" => word == "shell",
        // There it stands in the marks of the format.
        "tool_patch" => word == "patch",
        _ => false,
    }
}

/// Returns true for a variable that this kind of text may use.
pub(crate) fn is_variable(variable: &str, session: bool) -> bool {
    let (name, rest) = variable.split_once('.').unwrap_or((variable, ""));
    if name == "tools" {
        return rest.is_empty() || is_own(rest);
    }
    session && (name == "run" || FACTS.contains(&name) || PHRASE_FACTS.contains(&name))
}

/// The families that ship.
pub(crate) const FAMILIES: [&str; 5] = ["anthropic", "openai", "google", "ollama", "default"];

/// The modules that stand behind all others while their fact holds.
pub(crate) const REMINDERS: [&str; 3] = ["plan_reminder", "build_switch", "max_steps"];

/// The tags that hold data.
pub(crate) const CONTAINERS: [&str; 10] = [
    "recent_notes",
    "env",
    "git_status",
    "available_skills",
    "project_rules",
    "workspace_files",
    "heartbeat_file",
    "environment",
    "extra_context",
    "system-reminder",
];

/// Returns the tag in which this module keeps its data.
pub(crate) fn container(module: &str) -> Option<&'static str> {
    match module {
        "environment" => Some("env"),
        "git_status" => Some("git_status"),
        "skills" => Some("available_skills"),
        "instructions" => Some("project_rules"),
        "workspace_files" => Some("workspace_files"),
        "heartbeat_file" => Some("heartbeat_file"),
        "recent_notes" => Some("recent_notes"),
        _ => None,
    }
}

/// Modules whose data are whole files.
pub(crate) const HOLDS_FILES: [&str; 4] =
    ["instructions", "workspace_files", "heartbeat_file", "recent_notes"];

/// Words that are spelled in capitals by everybody.
const ACRONYMS: [&str; 11] =
    ["ASCII", "API", "CLI", "CSS", "HTML", "JSON", "URL", "XML", "HTTP", "AGENTS", "README"];

/// Returns true for a word that this module may spell in capitals.
pub(crate) fn may_be_capital(word: &str, module: &str) -> bool {
    let own: &[&str] = match module {
        "plan_reminder" => &["READ", "ONLY"],
        "max_steps" => &["MAXIMUM", "STEPS", "REACHED"],
        // The names of files in its list.
        "skills_bullets" => &["SKILL"],
        "workspace_files" | "workspace_cut" | "missing_file" => &["SOUL"],
        _ => &[],
    };
    ACRONYMS.contains(&word) || own.contains(&word)
}
