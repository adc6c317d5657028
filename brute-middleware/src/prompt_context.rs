//! The one bridge from a turn to what prompts may read.

use brute_core::{Facts, Turn};
use brute_prompts::{PromptContext, ToolNames};
use serde_json::Value;

/// Returns the facts of a turn as a prompt reads them.
///
/// Facts that the caller gave win over all others; those that no field stands for go to `extra`.
pub fn prompt_context(turn: &Turn) -> PromptContext {
    let mut ctx = PromptContext::new(turn.model.provider(), turn.model.model());
    ctx.tools = tool_names(turn);
    ctx.skill_tool = ctx.tools.get("skill").or_else(|| ctx.tools.get("use_skill")).map(Into::into);
    overlay_facts(&mut ctx, &turn.facts);
    ctx
}

/// Returns which tools are on offer; known by the names that prompt texts use.
fn tool_names(turn: &Turn) -> ToolNames {
    ToolNames::of(turn.tools.specs().map(|spec| (spec.known_name(), &*spec.name)))
}

/// Lays the facts that the caller gave, and those of the turn, over what a context holds.
pub(crate) fn overlay_facts(ctx: &mut PromptContext, facts: &Facts) {
    if let Some(cwd) = facts.cwd() {
        ctx.cwd = Some(cwd.to_string_lossy().into());
    }
    ctx.agent = facts.agent().map(Into::into).or_else(|| ctx.agent.take());
    ctx.agent_switched =
        facts.agent_switched().map(Into::into).or_else(|| ctx.agent_switched.take());
    ctx.max_steps_reached |= facts.max_steps_reached;
    for (key, value) in facts.given() {
        overlay_fact(ctx, key, value);
    }
}

fn overlay_fact(ctx: &mut PromptContext, key: &str, value: &Value) {
    let text = || value.as_str().map(Into::into);
    match (key, value) {
        ("provider" | "provider_name", Value::String(name)) => ctx.provider = name.as_str().into(),
        ("model" | "model_name", Value::String(name)) => ctx.model = name.as_str().into(),
        ("platform", _) => ctx.platform = text(),
        ("os_version", _) => ctx.os_version = text(),
        ("shell", _) => ctx.shell = text(),
        ("date", _) => ctx.date = text(),
        ("timezone", _) => ctx.timezone = text(),
        ("custom_rules", _) => ctx.custom_rules = text(),
        ("is_git", _) => ctx.is_git = value.as_bool(),
        ("skills", _) => ctx.skills = serde_json::from_value(value.clone()).ok(),
        _ => drop(ctx.extra.insert(key.to_owned(), value.clone())),
    }
}
