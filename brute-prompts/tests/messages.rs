//! Sections that stand in developer messages of their own beside the system message.

use std::sync::Arc;

use brute_prompts::{
    ContextMessage, ContextRole, Contributed, Contribution, Family, GitFacts, InstructionFile,
    InstructionPlacement, InstructionScope, Module, PromptContext, PromptErrorKind, PromptFile,
    PromptFileLevel, PromptMode, PromptSettings, SkillEntry, SystemPrompt, Zone,
};

/// A context with something to say for every section that can be a message.
fn ctx() -> PromptContext {
    let file = |path: &str, scope| InstructionFile {
        path: path.into(),
        text: format!("Rules of {path}.").into(),
        scope,
        ..InstructionFile::default()
    };
    PromptContext {
        cwd: Some("/srv/app".into()),
        is_git: Some(true),
        git: Some(Arc::new(GitFacts::default())),
        skills: Some([SkillEntry { name: "audit".into(), ..SkillEntry::default() }].into()),
        instructions: Some(Arc::new([
            file("/srv/app/AGENTS.md", InstructionScope::Project),
            file("/home/AGENTS.md", InstructionScope::Global),
            file("/srv/app/api/AGENTS.md", InstructionScope::Project),
        ])),
        ..PromptContext::new("anthropic", "claude-sonnet")
    }
}

/// Returns name and source of each message; all are of the developer.
fn told(prompt: &SystemPrompt, ctx: &PromptContext) -> Vec<(String, String)> {
    let messages = prompt.messages(ctx).unwrap();
    assert!(messages.iter().all(|message| message.role == ContextRole::Developer));
    let told = |message: &ContextMessage| {
        (message.section.name.to_string(), message.section.source.to_string())
    };
    messages.iter().map(told).collect()
}

fn names(prompt: &SystemPrompt, ctx: &PromptContext) -> Vec<String> {
    told(prompt, ctx).into_iter().map(|(name, _)| name).collect()
}

fn system(prompt: &SystemPrompt, ctx: &PromptContext) -> Vec<String> {
    let rendered = prompt.prepare(ctx).unwrap();
    rendered.iter().map(|section| section.name.to_string()).collect()
}

/// Checks which messages there are, and that the system message holds all other sections.
#[track_caller]
fn check(sections: &[&str], expected: &[&str]) {
    let (prompt, ctx) = (SystemPrompt::default().append("git_status"), ctx());
    let moved = prompt.clone().as_messages(sections);
    assert_eq!(names(&moved, &ctx), expected);
    let is_left = |name: &String| !sections.contains(&name.as_str());
    let left: Vec<_> = system(&prompt, &ctx).into_iter().filter(is_left).collect();
    assert_eq!(system(&moved, &ctx), left);
}

#[test]
fn messages_have_one_order_however_they_are_asked_for() {
    let files = ["instructions"; 3];
    check(&[], &[]);
    check(&["environment"], &["environment"]);
    check(&["skills", "environment"], &["environment", "skills"]);
    check(&["instructions"], &files);
    let all = ["environment", "skills", "instructions", "instructions", "instructions"];
    check(&["instructions", "skills", "environment"], &all);
    let all = ["environment", "conventions", "git_safety", "git_status", "instructions"];
    let asked = ["git_status", "instructions", "git_safety", "environment", "conventions"];
    check(&asked, &[&all[..4], &files].concat());
}

#[test]
fn a_message_says_what_the_section_would_say() {
    let (prompt, ctx) = (SystemPrompt::default(), ctx());
    let rendered = prompt.prepare(&ctx).unwrap();
    let sections = ["environment", "skills", "conventions"];
    for message in prompt.as_messages(sections).messages(&ctx).unwrap() {
        assert_eq!(rendered.get(&message.section.name).unwrap().text, message.section.text);
    }
}

#[test]
fn the_files_of_the_user_stand_in_front_of_those_of_the_project() {
    let told = told(&SystemPrompt::default().as_messages(["instructions"]), &ctx());
    let sources: Vec<_> = told.iter().map(|(_, source)| source.as_str()).collect();
    assert_eq!(sources, ["/home/AGENTS.md", "/srv/app/AGENTS.md", "/srv/app/api/AGENTS.md"]);
}

#[test]
fn the_placement_of_instruction_files_is_one_case_of_it() {
    let ctx = PromptContext { custom_rules: Some("From the host.".into()), ..ctx() };
    let moved = SystemPrompt::default().as_messages(["instructions"]);
    let placed = SystemPrompt::default().instruction_placement(InstructionPlacement::Developer);
    assert_eq!(moved.messages(&ctx).unwrap(), placed.messages(&ctx).unwrap());
    assert_eq!(moved.prepare(&ctx).unwrap(), placed.prepare(&ctx).unwrap());
    assert!(moved.prepare(&ctx).unwrap().get("instructions").is_some());

    let back = moved.as_messages(["skills"]).instruction_placement(InstructionPlacement::System);
    assert_eq!(names(&back, &ctx), ["skills"]);
    let preamble = back.instruction_placement(InstructionPlacement::Preamble);
    let roles: Vec<_> =
        preamble.messages(&ctx).unwrap().iter().map(|message| message.role).collect();
    assert_eq!(roles, [ContextRole::Developer, ContextRole::User]);
}

#[test]
fn calls_add_up_and_a_stack_without_the_section_has_no_message() {
    let prompt = SystemPrompt::default().as_messages(["environment"]).as_messages(["skills"]);
    assert_eq!(names(&prompt, &ctx()), ["environment", "skills"]);
    let ollama = PromptContext { family: Some(Family::OLLAMA), ..ctx() };
    assert_eq!(names(&prompt, &ollama), ["environment"]);
    assert_eq!(names(&prompt.without("environment"), &ctx()), ["skills"]);
}

#[test]
fn modes_apply_to_messages_as_to_sections() {
    let prompt = SystemPrompt::default().as_messages(["environment", "skills", "instructions"]);
    let in_mode =
        |prompt: &SystemPrompt, prompt_mode| names(prompt, &PromptContext { prompt_mode, ..ctx() });
    assert_eq!(in_mode(&prompt, PromptMode::Full).len(), 5);
    assert_eq!(in_mode(&prompt, PromptMode::Minimal), ["environment"]);
    let kept = prompt.clone().keep_in_minimal("skills");
    assert_eq!(in_mode(&kept, PromptMode::Minimal), ["environment", "skills"]);
    assert_eq!(in_mode(&prompt, PromptMode::None), [""; 0]);
    let first = SystemPrompt::default().as_messages(["identity"]);
    assert_eq!(in_mode(&first, PromptMode::None), ["identity"]);
    let ctx = PromptContext { prompt_mode: PromptMode::None, ..ctx() };
    assert!(first.prepare(&ctx).unwrap().is_empty());
}

#[test]
fn an_unknown_name_is_an_error_that_lists_the_known_ones() {
    let prompt = SystemPrompt::default().as_messages(["enviroment"]);
    let errors = [
        prompt.check().unwrap_err(),
        prompt.prepare(&ctx()).unwrap_err(),
        prompt.messages(&ctx()).unwrap_err(),
        with_file(prompt).prepare(&ctx()).unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.kind(), PromptErrorKind::UnknownModule);
        assert!(error.to_string().contains("enviroment"));
        assert!(error.known().iter().any(|name| name == "environment"));
    }
    let own = Module::text("ticket", "Ticket 42.");
    let prompt = SystemPrompt::default().as_messages(["ticket"]).append(own);
    prompt.check().unwrap();
    assert_eq!(names(&prompt, &ctx()), ["ticket"]);
}

#[test]
fn a_reminder_is_never_such_a_message() {
    let prompt = SystemPrompt::default().as_messages(["plan_reminder"]);
    let ctx = PromptContext { agent: Some("plan".into()), ..ctx() };
    assert_eq!(names(&prompt, &ctx), [""; 0]);
    assert!(prompt.prepare(&ctx).unwrap().get("plan_reminder").is_some());
}

#[test]
fn hooks_see_every_section_wherever_it_stands() {
    let prompt = SystemPrompt::default().as_messages(["environment", "skills"]).on_sections(
        |sections, _| {
            sections.retain(|section| &*section.name != "skills");
            for section in sections.iter_mut() {
                section.text = section.text.replace("/srv/app", "[hidden]").into();
            }
        },
    );
    let messages = prompt.messages(&ctx()).unwrap();
    assert_eq!(messages.len(), 1);
    assert!(messages[0].section.text.contains("[hidden]"));
}

struct Acme;

impl Contribution for Acme {
    fn contribute(&self, _: &PromptContext, _: &Family) -> Option<Contributed> {
        let words = Module::text("acme", "You work at Acme.");
        Some(Contributed::new().section("environment", words))
    }
}

#[test]
fn a_contribution_speaks_in_the_message_of_its_section() {
    let prompt = SystemPrompt::default().contribution(Acme).as_messages(["environment"]);
    let messages = prompt.messages(&ctx()).unwrap();
    assert_eq!(&*messages[0].section.text, "You work at Acme.");
}

fn with_file(prompt: SystemPrompt) -> SystemPrompt {
    let file = PromptFile {
        path: "SYSTEM.md".into(),
        level: PromptFileLevel::Workspace,
        text: "You are Rex.".into(),
    };
    prompt.configured(Some(&file), &PromptSettings::default())
}

#[test]
fn beside_a_prompt_from_a_file_the_messages_are_the_same() {
    let prompt = SystemPrompt::default().as_messages(["environment", "skills", "instructions"]);
    let with_file = with_file(prompt.clone());
    assert_eq!(prompt.messages(&ctx()).unwrap(), with_file.messages(&ctx()).unwrap());
    assert_eq!(system(&with_file, &ctx()), ["system_prompt"]);
}

#[test]
fn the_report_of_what_is_left_adds_up() {
    let asked = [&["environment"][..], &["skills", "instructions"], &["identity", "git_safety"]];
    for sections in asked {
        let prompt = SystemPrompt::default().as_messages(sections);
        let ctx = PromptContext { custom_rules: Some("From the host.".into()), ..ctx() };
        let rendered = prompt.prepare(&ctx).unwrap();
        let sources = rendered.sources(&ctx);
        let injected: usize = sources.iter().map(|source| source.injected_bytes).sum();
        assert_eq!((injected, rendered.bytes()), (rendered.text().len(), injected), "{sections:?}");
    }
}

#[test]
fn without_the_environment_the_static_part_goes_on() {
    let late = Module::text("late", "The last word.");
    let prompt = SystemPrompt::new(["identity".into(), "environment".into(), late]);
    let zone = |prompt: &SystemPrompt| prompt.prepare(&ctx()).unwrap().get("late").unwrap().zone;
    assert_eq!(zone(&prompt), Zone::Session);
    assert_eq!(zone(&prompt.as_messages(["environment"])), Zone::Static);
}
