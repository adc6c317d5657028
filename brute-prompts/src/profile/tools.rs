//! Which tools the profiles count on, and what they call them.

use crate::{Family, ToolNames};

/// The tools of every family, besides the ones that change files.
const FABRO: [(&str, &str); 7] = [
    ("read", "read_file"),
    ("write", "write_file"),
    ("shell", "shell"),
    ("search", "grep"),
    ("glob", "glob"),
    ("web_search", "web_search"),
    ("fetch", "web_fetch"),
];

/// The tools of an assistant, those of its program among them.
pub(super) const FLUFFBUZZ: [(&str, &str); 15] = [
    ("read", "read"),
    ("write", "write"),
    ("edit", "edit"),
    ("patch", "apply_patch"),
    ("shell", "exec"),
    ("web_search", "web_search"),
    ("fetch", "web_fetch"),
    ("delegate", "sessions_spawn"),
    ("update_plan", "update_plan"),
    ("schedule", "cron"),
    ("process", "process"),
    ("session_status", "session_status"),
    ("memory_search", "memory_search"),
    ("send_message", "message"),
    ("configure", "gateway"),
];

/// Returns the tools for this family: eight of them, or ten.
pub(super) fn fabro(family: &Family) -> ToolNames {
    let own: &[(&str, &str)] = match family.name() {
        "openai" => &[("patch", "apply_patch")],
        "google" => {
            &[("edit", "edit_file"), ("read_many", "read_many_files"), ("list", "list_dir")]
        }
        _ => &[("edit", "edit_file")],
    };
    ToolNames::of(FABRO.iter().chain(own).copied())
}
