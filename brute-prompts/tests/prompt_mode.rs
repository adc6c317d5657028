//! How much of a prompt each mode keeps.

use std::sync::Arc;

use brute_prompts::{
    Family, GitFacts, InstructionFile, InstructionPlacement, Module, PromptContext, PromptError,
    PromptMode, PromptModule, Rendered, SkillEntry, SystemPrompt,
};

const FAMILIES: [Family; 5] = Family::ALL;

fn ctx(family: &Family, mode: PromptMode) -> PromptContext {
    let skill = SkillEntry { name: "audit".into(), ..SkillEntry::default() };
    let file = InstructionFile { text: "Use tabs.".into(), ..InstructionFile::default() };
    PromptContext {
        family: Some(family.clone()),
        prompt_mode: mode,
        cwd: Some("/srv".into()),
        git: Some(Arc::new(GitFacts::default())),
        skills: Some([skill].into()),
        instructions: Some([file].into()),
        ..PromptContext::new("any", "some-model")
    }
}

fn prepare(prompt: &SystemPrompt, family: &Family, mode: PromptMode) -> Rendered {
    prompt.prepare(&ctx(family, mode)).unwrap()
}

fn names(rendered: &Rendered) -> Vec<&str> {
    rendered.iter().map(|section| &*section.name).collect()
}

#[test]
fn none_keeps_the_first_section_in_every_stack() {
    for family in FAMILIES {
        let rendered = prepare(&SystemPrompt::default(), &family, PromptMode::None);
        assert_eq!(names(&rendered), ["identity"], "{family}");
    }
}

#[test]
fn none_takes_the_first_that_says_something() {
    let silent = Module::from_fn("silent", |_| Ok(None));
    let prompt = SystemPrompt::new([silent, "git_safety".into(), "identity".into()]);
    assert_eq!(names(&prepare(&prompt, &Family::DEFAULT, PromptMode::None)), ["git_safety"]);
}

#[track_caller]
fn check_minimal(family: &Family, expected: &[&str]) {
    let prompt = SystemPrompt::default().append("git_status");
    let rendered = prepare(&prompt, family, PromptMode::Minimal);
    assert_eq!(names(&rendered), expected, "{family}");
    assert!(rendered.bytes() < prepare(&prompt, family, PromptMode::Full).bytes());
}

#[test]
fn minimal_keeps_what_a_sub_agent_needs() {
    let anthropic = [
        "identity",
        "doing_tasks",
        "tool_usage",
        "conventions",
        "git_safety",
        "environment",
        "git_status",
    ];
    check_minimal(&Family::ANTHROPIC, &anthropic);
    let openai = [
        "identity",
        "editing_approach",
        "editing_constraints",
        "conventions",
        "git_safety",
        "environment",
        "git_status",
    ];
    check_minimal(&Family::OPENAI, &openai);
    let google = [
        "identity",
        "conventions",
        "doing_tasks",
        "security_and_safety",
        "tool_usage",
        "git_safety",
        "environment",
        "git_status",
    ];
    check_minimal(&Family::GOOGLE, &google);
    let ollama = [
        "identity",
        "conventions",
        "doing_tasks",
        "tool_usage",
        "git_safety",
        "environment",
        "git_status",
    ];
    check_minimal(&Family::OLLAMA, &ollama);
    let default = [
        "identity",
        "conventions",
        "code_style",
        "doing_tasks",
        "tool_usage",
        "git_safety",
        "environment",
        "git_status",
    ];
    check_minimal(&Family::DEFAULT, &default);
}

#[test]
fn skills_and_rules_stand_in_minimal_on_request() {
    let prompt = SystemPrompt::default().keep_in_minimal("skills").keep_in_minimal("instructions");
    let rendered = prepare(&prompt, &Family::DEFAULT, PromptMode::Minimal);
    assert_eq!(names(&rendered)[6..], ["environment", "skills", "instructions"]);
    let unknown = SystemPrompt::default().keep_in_minimal("skils");
    assert!(unknown.prepare(&PromptContext::default()).is_err());
}

#[test]
fn a_module_of_the_host_may_know_that_it_stands_in_minimal() {
    struct Own;
    impl PromptModule for Own {
        fn render(&self, _: &PromptContext) -> Result<Option<String>, PromptError> {
            Ok(Some("Stay in the sandbox.".into()))
        }

        fn name(&self) -> &'static str {
            "own"
        }

        fn stands_in_minimal(&self) -> bool {
            true
        }
    }
    let prompt = SystemPrompt::new(["identity"]).append(Own).append(Module::text("other", "x"));
    assert_eq!(
        names(&prepare(&prompt, &Family::DEFAULT, PromptMode::Minimal)),
        ["identity", "own"]
    );
}

#[test]
fn the_first_module_stands_in_every_mode_whatever_its_name() {
    let prompt = SystemPrompt::build(|prompt, _| {
        prompt.text("You review pull requests.");
        prompt.text("You like tea.");
        Ok(())
    });
    for mode in [PromptMode::Minimal, PromptMode::None] {
        let text = prepare(&prompt, &Family::DEFAULT, mode).text();
        assert_eq!(text, "You review pull requests.");
    }
}

#[test]
fn a_replaced_module_keeps_the_place_of_its_name() {
    let prompt = SystemPrompt::default()
        .replace("git_safety", Module::text("mine", "Commit nothing."))
        .replace("skills", "skills_bullets");
    let rendered = prepare(&prompt, &Family::DEFAULT, PromptMode::Minimal);
    assert_eq!(&*rendered.get("git_safety").unwrap().text, "Commit nothing.");
    assert!(rendered.get("skills").is_none());
}

#[test]
fn reminders_stand_in_every_mode() {
    for mode in [PromptMode::Full, PromptMode::Minimal, PromptMode::None] {
        let ctx = PromptContext {
            agent: Some("plan".into()),
            max_steps_reached: true,
            ..ctx(&Family::DEFAULT, mode)
        };
        let rendered = SystemPrompt::default().prepare(&ctx).unwrap();
        assert_eq!(
            names(&rendered)[rendered.sections().len() - 2..],
            ["plan_reminder", "max_steps"]
        );
        assert_eq!(SystemPrompt::default().reminders(&ctx).unwrap().len(), 2);
    }
}

#[test]
fn messages_with_rules_follow_the_mode_too() {
    let prompt = SystemPrompt::default().instruction_placement(InstructionPlacement::Developer);
    let count =
        |prompt: &SystemPrompt, mode| prompt.messages(&ctx(&Family::DEFAULT, mode)).unwrap().len();
    assert_eq!(count(&prompt, PromptMode::Full), 1);
    assert_eq!(count(&prompt, PromptMode::Minimal), 0);
    assert_eq!(count(&prompt, PromptMode::None), 0);
    assert_eq!(count(&prompt.keep_in_minimal("instructions"), PromptMode::Minimal), 1);
}

#[test]
fn a_mode_is_known_by_its_name() {
    for mode in [PromptMode::Full, PromptMode::Minimal, PromptMode::None] {
        assert_eq!(serde_json::to_value(mode).unwrap(), mode.name());
        assert_eq!(serde_json::from_value::<PromptMode>(mode.name().into()).unwrap(), mode);
    }
}
