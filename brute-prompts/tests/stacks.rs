//! Which modules stand in the prompt of each family.

use brute_prompts::{Family, PromptContext, SkillEntry, SystemPrompt, stack_of};

/// A context in which every module of a stack has something to say.
fn full(provider: &str) -> PromptContext {
    PromptContext {
        cwd: Some("/srv/app".into()),
        is_git: Some(true),
        platform: Some("linux".into()),
        date: Some("Thu Mar 05 2026".into()),
        custom_rules: Some("Be kind.".into()),
        skills: Some([SkillEntry::default()].into()),
        ..PromptContext::new(provider, "a-model")
    }
}

#[track_caller]
fn check(provider: &str, names: &[&str]) {
    let rendered = SystemPrompt::default().prepare(&full(provider)).unwrap();
    let rendered: Vec<&str> = rendered.iter().map(|section| &*section.name).collect();
    assert_eq!(rendered, names, "{provider}");
}

#[test]
fn the_anthropic_stack_is_the_full_one() {
    check(
        "anthropic",
        &[
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
        ],
    );
}

#[test]
fn the_openai_stack_is_about_editing_and_autonomy() {
    check(
        "openai",
        &[
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
        ],
    );
}

#[test]
fn the_google_stack_is_about_workflow_and_security() {
    check(
        "google",
        &[
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
        ],
    );
}

#[test]
fn the_ollama_stack_is_lean() {
    check(
        "ollama",
        &[
            "identity",
            "tone_and_style",
            "conventions",
            "doing_tasks",
            "tool_usage",
            "git_safety",
            "environment",
            "instructions",
        ],
    );
}

#[test]
fn an_unknown_provider_has_the_conservative_stack() {
    check(
        "unknown_provider",
        &[
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
        ],
    );
}

#[test]
fn a_gateway_has_the_stack_and_the_words_of_its_models_family() {
    let prompt = SystemPrompt::default();
    let ctx = full("opencode_zen");
    let behind = |model: &str| {
        prompt.prepare(&PromptContext { model: model.into(), ..ctx.clone() }).unwrap()
    };
    let (claude, other) = (behind("claude-opus-4-1"), behind("something-new"));
    assert_eq!(claude.get("identity").unwrap().source.as_ref(), "text/identity/anthropic.txt");
    assert_eq!(other.get("identity").unwrap().source.as_ref(), "text/identity/default.txt");
    assert_ne!(claude.get("identity").unwrap().text, other.get("identity").unwrap().text);
}

#[test]
fn no_section_of_a_stack_is_empty_and_headings_are_there() {
    for family in Family::ALL {
        let rendered = SystemPrompt::default().prepare(&full(family.name())).unwrap();
        assert_eq!(rendered.sections().len(), stack_of(&family).len(), "{family}");
        assert!(rendered.iter().all(|section| !section.text.trim().is_empty()), "{family}");
        for module in ["conventions", "git_safety"] {
            assert!(rendered.get(module).unwrap().text.starts_with("# "), "{family} {module}");
        }
    }
}

#[test]
fn reminders_stand_last_in_one_order() {
    let ctx = PromptContext {
        agent: Some("plan".into()),
        agent_switched: Some("build".into()),
        max_steps_reached: true,
        ..full("anthropic")
    };
    let rendered = SystemPrompt::default().append("git_status").prepare(&ctx).unwrap();
    let names: Vec<&str> = rendered.iter().rev().take(3).map(|section| &*section.name).collect();
    assert_eq!(names, ["max_steps", "build_switch", "plan_reminder"]);
}

#[track_caller]
fn check_reminders(ctx: &PromptContext, names: &[&str]) {
    let reminders = SystemPrompt::default().reminders(ctx).unwrap();
    let reminders: Vec<&str> = reminders.iter().map(|section| &*section.name).collect();
    assert_eq!(reminders, names, "{ctx:?}");
}

#[test]
fn a_reminder_speaks_only_while_its_fact_holds_exactly() {
    let agent = |name: &str| PromptContext { agent: Some(name.into()), ..PromptContext::default() };
    let switched = |name: &str| PromptContext {
        agent_switched: Some(name.into()),
        ..PromptContext::default()
    };
    check_reminders(&PromptContext::default(), &[]);
    check_reminders(&agent("plan"), &["plan_reminder"]);
    check_reminders(&agent("planner"), &[]);
    check_reminders(&agent("Plan"), &[]);
    check_reminders(&agent("build"), &[]);
    check_reminders(&switched("build"), &["build_switch"]);
    check_reminders(&switched("plan"), &[]);
    check_reminders(
        &PromptContext { max_steps_reached: true, ..agent("plan") },
        &["plan_reminder", "max_steps"],
    );
}

#[test]
fn a_reminder_has_the_same_words_in_every_context() {
    let plan = |ctx| PromptContext { agent: Some("plan".into()), ..ctx };
    let prompt = SystemPrompt::default();
    let of = |ctx: PromptContext| prompt.reminders(&plan(ctx)).unwrap();
    assert_eq!(of(full("anthropic")), of(full("ollama")));
}
