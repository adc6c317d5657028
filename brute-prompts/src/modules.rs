//! What is known about the modules that ship: when they speak, and how long their words hold.

use crate::{PromptContext, Zone};

/// Returns true where the context holds what the module is there to say.
pub(crate) fn speaks(module: &str, ctx: &PromptContext) -> bool {
    match module {
        "skills" => ctx.skills.as_ref().is_some_and(|skills| !skills.is_empty()),
        "instructions" => ctx.custom_rules.as_ref().is_some_and(|rules| !rules.trim().is_empty()),
        "git_status" => ctx.git.is_some(),
        _ => true,
    }
}

/// Returns the zone in which the module stands, even if its words hold for longer.
pub(crate) fn zone(module: &str) -> Zone {
    match module {
        "environment" | "skills" | "instructions" => Zone::Session,
        "git_status" | "plan_reminder" | "build_switch" | "max_steps" => Zone::Dynamic,
        _ => Zone::Static,
    }
}
