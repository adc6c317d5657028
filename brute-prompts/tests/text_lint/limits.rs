//! How long each text may be, and how many absolutes it may hold.

use crate::runs;

/// The most characters of a module, for one family or for all.
const LENGTHS: [(&str, &str, usize); 102] = [
    ("identity", "", 600),
    ("tone_and_style", "", 900),
    ("tone_and_style", "default", 1_300),
    ("tone_and_style", "ollama", 600),
    ("objectivity", "", 650),
    ("task_management", "", 1_600),
    ("doing_tasks", "", 1_100),
    ("doing_tasks", "ollama", 500),
    ("tool_usage", "", 450),
    ("tool_usage", "anthropic", 1_600),
    ("conventions", "", 950),
    ("conventions", "ollama", 450),
    ("git_safety", "", 450),
    ("code_references", "", 300),
    ("editing_approach", "", 500),
    ("autonomy", "", 950),
    ("editing_constraints", "", 1_000),
    ("frontend_tasks", "", 450),
    ("security_and_safety", "", 400),
    ("proactiveness", "", 500),
    ("code_style", "", 150),
    ("plan_reminder", "", 1_300),
    ("build_switch", "", 350),
    ("max_steps", "", 850),
    ("environment", "", 120),
    ("git_status", "", 120),
    ("skills", "", 500),
    ("skills_bullets", "", 500),
    ("instructions", "", 450),
    ("instruction_message", "", 350),
    ("cut_marker", "", 60),
    ("workspace_files", "", 550),
    ("heartbeat_file", "", 150),
    ("workspace_cut", "", 150),
    ("missing_file", "", 80),
    ("self_update", "", 550),
    ("workspace", "", 400),
    ("documentation", "", 400),
    ("sandbox", "", 400),
    ("time_zone", "", 400),
    ("reply_tags", "", 400),
    ("heartbeats", "", 400),
    ("silent_replies", "", 400),
    ("messaging", "", 400),
    ("reactions", "", 400),
    ("runtime", "", 250),
    ("reasoning", "", 400),
    ("model_aliases", "", 400),
    ("user_identity", "", 400),
    ("approvals", "", 400),
    ("extra_context", "", 120),
    ("tooling", "", 950),
    ("execution_bias", "", 500),
    ("safety", "", 650),
    ("memory_recall", "", 400),
    ("environment_fabro", "", 120),
    ("environment_fluffbuzz", "", 120),
    ("environment_builder", "", 120),
    ("tool_preambles", "", 400),
    ("gpt5_conduct", "", 1300),
    ("gpt5_interaction", "", 450),
    ("agent_supervisor", "", 1100),
    ("agent_explore", "", 900),
    ("agent_compaction", "", 900),
    ("agent_summary", "", 700),
    ("agent_title", "", 1_600),
    ("identity_fabro", "", 600),
    ("doing_tasks_fabro", "", 1_100),
    ("tone_and_style_fabro", "", 450),
    ("tool_usage_fabro", "", 450),
    ("tool_read", "", 300),
    ("tool_read_many", "", 300),
    ("tool_list", "", 300),
    ("tool_edit", "", 350),
    ("tool_write", "", 300),
    ("tool_patch", "", 1_300),
    ("tool_shell", "", 400),
    ("tool_search", "", 350),
    ("tool_glob", "", 300),
    ("tool_web_search", "", 300),
    ("tool_fetch", "", 300),
    ("tool_delegate", "", 350),
    ("conventions_fabro", "", 700),
    ("identity_fluffbuzz", "", 250),
    ("identity_builder", "", 450),
    ("workflow", "", 1_300),
    ("quality", "", 800),
    ("final_answer", "", 500),
    ("delegation", "", 850),
    ("recent_notes", "", 350),
    ("headless_enter", "", 600),
    ("headless_leave", "", 300),
    ("worktree_enter", "", 450),
    ("worktree_leave", "", 450),
    ("static", "fabro", 7_500),
    ("static", "fluffbuzz", 3_500),
    ("static", "builder", 6_500),
    ("static", "anthropic", 8_000),
    ("static", "openai", 6_000),
    ("static", "google", 4_500),
    ("static", "ollama", 3_200),
    ("static", "default", 4_500),
];

/// The most absolutes of a module that may have more, or fewer, than two; `stack` is a whole one.
const ABSOLUTES: [(&str, &str, usize); 8] = [
    ("plan_reminder", "", 6),
    ("max_steps", "", 4),
    ("agent_title", "", 4),
    ("git_safety", "", 3),
    ("editing_constraints", "", 3),
    ("tone_and_style", "", 3),
    ("stack", "", 14),
    ("stack", "ollama", 8),
];

/// Returns the most characters that this module may have; `static` is the sum of a stack.
pub(crate) fn length(module: &str, family: &str) -> Option<usize> {
    // Nearly all of a text about a run is data.
    lookup(&LENGTHS, module, family).or_else(|| runs::is_text(module).then_some(usize::MAX))
}

/// Returns the most absolutes that this module, or the `stack`, may hold.
pub(crate) fn absolutes(module: &str, family: &str) -> usize {
    lookup(&ABSOLUTES, module, family).unwrap_or(2)
}

/// Returns the mean and the longest number of words that a sentence may have.
pub(crate) fn sentence(family: &str) -> (usize, usize) {
    if family == "ollama" { (12, 20) } else { (16, 35) }
}

fn lookup(table: &[(&str, &str, usize)], module: &str, family: &str) -> Option<usize> {
    let of =
        |wanted: &str| table.iter().find(|row| (row.0, row.1) == (module, wanted)).map(|row| row.2);
    of(family).or_else(|| of(""))
}
