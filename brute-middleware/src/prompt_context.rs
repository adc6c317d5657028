//! The one bridge from a turn to what prompts may read.

use brute_core::{Event, Turn};
use brute_prompts::{PromptContext, ToolNames};

/// Returns the facts of a turn as a prompt reads them.
///
/// Facts that the caller gave win over all others, such as `date`, `prompt_mode` or `host`; those
/// that no field stands for go to `extra`. One that is not of its field's shape is left out, with a
/// diagnostic.
pub fn prompt_context(turn: &Turn) -> PromptContext {
    let mut ctx = PromptContext::new(turn.model.provider(), turn.model.model());
    ctx.tools = tool_names(turn);
    ctx.skill_tool = ctx.tools.get("skill").or_else(|| ctx.tools.get("use_skill")).map(Into::into);
    overlay_facts(&mut ctx, turn);
    ctx
}

/// Returns which tools are on offer; known by the names that prompt texts use.
///
/// A tool that bears such a name itself comes before one that was given another.
fn tool_names(turn: &Turn) -> ToolNames {
    let specs = || turn.tools.specs();
    let renamed = specs().filter(|spec| spec.known_name() != &*spec.name);
    let own = specs().filter(|spec| spec.known_name() == &*spec.name);
    ToolNames::of(renamed.chain(own).map(|spec| (spec.known_name(), &*spec.name)))
}

/// Lays the facts that the caller gave, and those of the turn, over what a context holds.
fn overlay_facts(ctx: &mut PromptContext, turn: &Turn) {
    let facts = &turn.facts;
    if let Some(cwd) = facts.cwd() {
        ctx.cwd = Some(cwd.to_string_lossy().into());
    }
    ctx.agent = facts.agent().map(Into::into).or_else(|| ctx.agent.take());
    ctx.agent_switched =
        facts.agent_switched().map(Into::into).or_else(|| ctx.agent_switched.take());
    ctx.max_steps_reached |= facts.max_steps_reached;
    for (key, value) in facts.given() {
        if let Err(error) = ctx.set(field(key), value.clone()) {
            turn.events.emit(|| Event::diagnostic(format!("{error}; it is left out")));
        }
    }
}

/// Returns the name under which prompts know a fact.
fn field(key: &str) -> &str {
    match key {
        "provider_name" => "provider",
        "model_name" => "model",
        _ => key,
    }
}
