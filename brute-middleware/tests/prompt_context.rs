//! The bridge from a turn to what prompts may read.

use brute_core::{Error, ModelId, Toolbox, Turn, testing::Recorder, tool_fn};
use brute_middleware::prompt_context;
use brute_prompts::{Family, PromptMode};
use serde_json::{Value, json};

fn toolbox() -> Toolbox {
    let tool =
        |name| tool_fn(name, "Does it.", |_: Value, _| std::future::ready(Ok::<_, Error>("done")));
    let tools = Toolbox::default().with(tool("edit")).unwrap().with(tool("skill")).unwrap();
    tools.rename("edit", "apply_patch").unwrap()
}

#[test]
fn tools_are_known_by_their_built_in_names_and_called_by_those_on_offer() {
    let turn = Turn { tools: toolbox(), ..Turn::default() };
    let ctx = prompt_context(&turn);
    assert_eq!(ctx.tools.get("edit"), Some("apply_patch"));
    assert_eq!(ctx.tools.get("read"), None);
    assert_eq!(ctx.skill_tool.as_deref(), Some("skill"));
}

#[test]
fn a_tool_that_bears_a_name_comes_before_one_that_was_given_another() {
    let tool =
        |name| tool_fn(name, "Does it.", |_: Value, _| std::future::ready(Ok::<_, Error>("done")));
    for foreign in ["a_read", "zz_read"] {
        let tools = Toolbox::default().with(tool("read")).unwrap();
        let tools = tools.with_named(foreign, tool("read")).unwrap();
        let ctx = prompt_context(&Turn { tools, ..Turn::default() });
        assert_eq!(ctx.tools.get("read"), Some("read"));
    }
}

#[test]
fn facts_that_the_caller_gave_win() {
    let mut turn = Turn { model: ModelId::new("anthropic", "claude"), ..Turn::default() };
    turn.facts.set_cwd("/srv/app");
    turn.facts.set("provider_name", "openrouter");
    turn.facts.set("date", "Thu Mar 05 2026");
    turn.facts.set("is_git", true);
    turn.facts.set("skills", json!([{ "name": "a", "description": "A.", "location": "/a" }]));
    turn.facts.set("mood", "calm");
    let ctx = prompt_context(&turn);
    assert_eq!((&*ctx.provider, &*ctx.model), ("openrouter", "claude"));
    assert_eq!(
        (ctx.cwd.as_deref(), ctx.date.as_deref()),
        (Some("/srv/app"), Some("Thu Mar 05 2026"))
    );
    assert_eq!((ctx.is_git, ctx.skills.unwrap().len()), (Some(true), 1));
    assert_eq!(ctx.extra["mood"], "calm");
}

#[test]
fn the_facts_of_the_turn_are_there() {
    let mut turn = Turn::default();
    turn.facts.set("agent", "plan");
    turn.facts.set("agent_switched", "build");
    turn.facts.max_steps_reached = true;
    let ctx = prompt_context(&turn);
    assert_eq!(
        (ctx.agent.as_deref(), ctx.agent_switched.as_deref()),
        (Some("plan"), Some("build"))
    );
    assert!(ctx.max_steps_reached);
}

#[test]
fn every_field_of_a_prompt_can_be_a_fact_of_the_turn() {
    let mut turn = Turn::default();
    turn.facts.set("prompt_mode", "minimal");
    turn.facts.set("host", json!({ "owners": ["Ada"] }));
    turn.facts.set("family", "google");
    turn.facts.set("arch", "x86_64");
    turn.facts.set("tools", json!({ "read": "cat" }));
    turn.facts.set("knowledge_cutoff", "2025-01");
    let ctx = prompt_context(&turn);
    assert_eq!(ctx.prompt_mode, PromptMode::Minimal);
    assert_eq!(ctx.host.unwrap().owners, ["Ada"]);
    assert_eq!(ctx.family, Some(Family::GOOGLE));
    assert_eq!(
        (ctx.arch.as_deref(), ctx.knowledge_cutoff.as_deref()),
        (Some("x86_64"), Some("2025-01"))
    );
    assert_eq!(ctx.tools.get("read"), Some("cat"));
    assert!(ctx.extra.is_empty());
}

#[test]
fn a_fact_of_another_shape_is_left_out_and_told() {
    let told = Recorder::default();
    let events = told.diagnostics();
    let mut turn = Turn { events, ..Turn::default() };
    turn.facts.set("prompt_mode", "tiny");
    turn.facts.set("date", 7);
    let ctx = prompt_context(&turn);
    assert_eq!((ctx.prompt_mode, ctx.date), (PromptMode::Full, None));
    let told = told.list();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("\"date\"") && told[1].contains("\"prompt_mode\""), "{told:?}");
}
