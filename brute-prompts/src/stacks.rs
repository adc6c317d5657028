//! Which modules stand in the prompt of each family, and in which order.

use crate::{Family, PromptContext};

/// The full stack, with task management and a detailed tool policy.
const ANTHROPIC: [&str; 12] = [
    "identity",
    "tone_and_style",
    "objectivity",
    "task_management",
    "doing_tasks",
    "tool_usage",
    "conventions",
    "git_safety",
    "code_references",
    "environment",
    "skills",
    "instructions",
];

/// The engineer's stack: small edits, autonomy, a dirty work tree.
const OPENAI: [&str; 12] = [
    "identity",
    "editing_approach",
    "autonomy",
    "editing_constraints",
    "frontend_tasks",
    "tone_and_style",
    "conventions",
    "git_safety",
    "code_references",
    "environment",
    "skills",
    "instructions",
];

/// The formal stack: an explicit workflow and security.
const GOOGLE: [&str; 11] = [
    "identity",
    "conventions",
    "doing_tasks",
    "tone_and_style",
    "security_and_safety",
    "tool_usage",
    "git_safety",
    "code_references",
    "environment",
    "skills",
    "instructions",
];

/// The lean stack for small windows.
const OLLAMA: [&str; 8] = [
    "identity",
    "tone_and_style",
    "conventions",
    "doing_tasks",
    "tool_usage",
    "git_safety",
    "environment",
    "instructions",
];

/// The conservative stack for models that nothing is known about.
const DEFAULT: [&str; 12] = [
    "identity",
    "tone_and_style",
    "proactiveness",
    "conventions",
    "code_style",
    "doing_tasks",
    "tool_usage",
    "git_safety",
    "code_references",
    "environment",
    "skills",
    "instructions",
];

/// A module that speaks only while a fact holds, and stands behind all others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reminder {
    /// The name of the module.
    pub(crate) name: &'static str,
    /// Whether it speaks now.
    pub(crate) holds: fn(&PromptContext) -> bool,
}

/// The reminders, in the order in which they stand.
pub(crate) const REMINDERS: [Reminder; 3] = [
    Reminder { name: "plan_reminder", holds: |ctx| ctx.agent.as_deref() == Some("plan") },
    Reminder { name: "build_switch", holds: |ctx| ctx.agent_switched.as_deref() == Some("build") },
    Reminder { name: "max_steps", holds: |ctx| ctx.max_steps_reached },
];

/// Returns the modules of the family's stack; a family without its own has the default one.
///
/// # Example
///
/// ```
/// use brute_prompts::{Family, stack_of};
///
/// assert_eq!(stack_of(&Family::OLLAMA).len(), 8);
/// assert_eq!(stack_of(&"mistral".parse()?), stack_of(&Family::DEFAULT));
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
pub fn stack_of(family: &Family) -> &'static [&'static str] {
    match family.name() {
        "anthropic" => &ANTHROPIC,
        "openai" => &OPENAI,
        "google" => &GOOGLE,
        "ollama" => &OLLAMA,
        _ => &DEFAULT,
    }
}

/// Returns the reminder of this name.
pub(crate) fn reminder(name: &str) -> Option<Reminder> {
    REMINDERS.into_iter().find(|reminder| reminder.name == name)
}
