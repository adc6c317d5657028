//! A prompt as a user configured it.

use brute_prompts::{
    InstructionFile, PromptContext, PromptErrorKind, PromptFile, PromptFileLevel, PromptMode,
    PromptSettings, Rendered, SkillEntry, SystemPrompt, Texts, ToolNames, Zone, editing_tool,
    estimated_tool_calls,
};
use proptest::prelude::*;

fn file(text: &str) -> PromptFile {
    let level = PromptFileLevel::Workspace;
    PromptFile { path: "/ws/SYSTEM.md".into(), level, text: text.into() }
}

fn ctx() -> PromptContext {
    let skill = SkillEntry { name: "audit".into(), ..SkillEntry::default() };
    let rules = InstructionFile { text: "Use tabs.".into(), ..InstructionFile::default() };
    PromptContext {
        cwd: Some("/srv/{{ date }}".into()),
        skills: Some([skill].into()),
        instructions: Some([rules].into()),
        ..PromptContext::new("anthropic", "claude-sonnet")
    }
}

fn settings(tool_preambles: bool) -> PromptSettings {
    PromptSettings { tool_preambles, ..PromptSettings::default() }
}

fn prepare(text: &str) -> Rendered {
    let prompt = SystemPrompt::default().configured(Some(&file(text)), &settings(false));
    prompt.prepare(&ctx()).unwrap()
}

fn names(rendered: &Rendered) -> Vec<&str> {
    rendered.iter().map(|section| &*section.name).collect()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(&*prepare(text).get("system_prompt").unwrap().text, expected);
}

#[test]
fn the_file_stands_for_all_words_and_the_facts_follow() {
    let rendered = prepare("You are Rex.");
    assert_eq!(names(&rendered), ["system_prompt", "environment", "skills", "instructions"]);
    let section = &rendered.sections()[0];
    assert_eq!((&*section.source, section.zone), ("/ws/SYSTEM.md", Zone::Session));
    let before = SystemPrompt::default().prepare(&ctx()).unwrap();
    for name in ["environment", "skills", "instructions"] {
        assert_eq!(rendered.get(name), before.get(name));
    }
}

#[test]
fn placeholders_are_variables_in_both_spellings() {
    let calls = "about {{ estimated_tool_calls }} calls, {{.EstimatedToolCallsForContext}}";
    check(calls, "about 185 calls, 185");
    check("{{ editing_tool_name }} {{- .EditingToolName }}", "patchpatch");
    check("{{ run_command }}|{{ .BuilderRunCommand -}} |", "brute ask|brute ask|");
    check("{% raw %}{{ .EditingToolName }}{% endraw %}", "{{ .EditingToolName }}");
    check("{# {% raw %} #}{{ .RunCommand }}{% raw %}{{ .A }}{% endraw %}", "brute ask{{ .A }}");
    check("{{ '{{ .RunCommand }}' }} {{-\n.RunCommand\n-}} |", "{{ .RunCommand }}brute ask|");
    check("in {{ cwd }} for {{ model }}", "in /srv/{{ date }} for claude-sonnet");
    check("{% if tools.shell %}use {{ tools.shell }}{% endif %}", "use shell");
}

#[test]
fn what_stands_around_placeholders_is_kept() {
    let text = "# Heading\r\n\r\n\r\n\r\n## Empty\n\n\n  a {{ run_command }}  \n# Last";
    check(text, &text.replace("{{ run_command }}", "brute ask"));
}

#[test]
fn the_words_that_ship_can_stand_in_the_file_whole_or_by_section() {
    let static_words = SystemPrompt::default().prepare(&ctx()).unwrap().split_at(Zone::Session).0;
    let expected = format!("Before.\n\n{}\n\nAfter.", static_words.text());
    check("Before.\n\n{{.DefaultSystemPrompt}}\n\nAfter.", &expected);
    check("{{ default_system_prompt }}", &static_words.text());
    check("{{ git_safety }}", &static_words.get("git_safety").unwrap().text);
    check("{{.GitSafety}}", &static_words.get("git_safety").unwrap().text);
}

#[test]
fn the_words_that_ship_cannot_ask_for_themselves() {
    let words = [("identity/default.txt", "{{ default_system_prompt }}")];
    let texts = Texts::shipped().with(words).unwrap();
    let prompt = SystemPrompt::default().texts(texts);
    let bare = prompt.prepare(&PromptContext::default()).unwrap_err();
    assert_eq!(bare.variable(), Some("default_system_prompt"));
    let configured = prompt.configured(Some(&file("{{.DefaultSystemPrompt}}")), &settings(false));
    let error = configured.prepare(&PromptContext::default()).unwrap_err();
    assert_eq!(
        (error.kind(), error.file()),
        (PromptErrorKind::Undefined, Some("identity/default.txt"))
    );
}

#[track_caller]
fn check_error(text: &str, kind: PromptErrorKind, line: usize) {
    let prompt = SystemPrompt::default().configured(Some(&file(text)), &settings(false));
    let error = prompt.prepare(&ctx()).unwrap_err();
    assert_eq!((error.kind(), error.line()), (kind, Some(line)), "{error}");
    assert_eq!((error.file(), error.section()), (Some("/ws/SYSTEM.md"), Some("system_prompt")));
}

#[test]
fn a_template_that_fails_names_the_file_and_the_line() {
    check_error("a\n{{ nothing }}", PromptErrorKind::Undefined, 2);
    check_error("a\nb\n{{.RemovedPlaceholder}}", PromptErrorKind::Undefined, 3);
    check_error("{{\n.RunCommand\n}}\n{{.RemovedPlaceholder}}", PromptErrorKind::Undefined, 4);
    check_error("{% if x", PromptErrorKind::Syntax, 1);
    check_error("a\n{{ run_command | shout }}", PromptErrorKind::UnknownFilter, 2);
    check_error("{{ tools.hammer }}", PromptErrorKind::Undefined, 1);
    let prompt =
        SystemPrompt::default().configured(Some(&file("{{ run_comand }}")), &settings(false));
    let error = prompt.prepare(&ctx()).unwrap_err();
    assert!(error.known().iter().any(|name| name == "run_command"), "{error}");
}

#[test]
fn values_are_data_and_never_rendered() {
    let settings = PromptSettings { run_command: "{{ cwd }}".into(), ..settings(false) };
    let prompt = SystemPrompt::default().configured(Some(&file("{{ run_command }}")), &settings);
    let rendered = prompt.prepare(&ctx()).unwrap();
    assert_eq!(&*rendered.sections()[0].text, "{{ cwd }}");
}

#[test]
fn a_file_that_renders_to_nothing_takes_no_section() {
    assert_eq!(names(&prepare("{% if false %}x{% endif %}"))[0], "environment");
}

#[test]
fn comments_stand_behind_the_words_where_they_are_wanted() {
    let of = |file: Option<&PromptFile>, settings: &PromptSettings| {
        let prompt = SystemPrompt::default().configured(file, settings);
        prompt.prepare(&ctx()).unwrap()
    };
    let own = file("You are Rex.");
    assert_eq!(names(&of(Some(&own), &settings(true)))[..2], ["system_prompt", "tool_preambles"]);
    let shipped = of(None, &settings(true));
    let at = names(&shipped).iter().position(|name| *name == "tool_preambles").unwrap();
    assert_eq!(names(&shipped)[at + 1], "environment");
    assert_eq!(shipped.sections()[at].zone, Zone::Static);
    let blank = of(Some(&file("{{ '' }}")), &settings(true));
    assert_eq!(names(&blank)[0], "tool_preambles");
    let headless = PromptSettings { headless: true, ..settings(true) };
    assert!(of(Some(&own), &headless).get("tool_preambles").is_none());
    assert_eq!(of(None, &settings(false)), SystemPrompt::default().prepare(&ctx()).unwrap());
}

#[test]
fn reminders_hooks_and_changes_hold_with_a_file_too() {
    let ctx = PromptContext { agent: Some("plan".into()), ..ctx() };
    let prompt = SystemPrompt::default()
        .without("skills")
        .on_context(|ctx| ctx.cwd = Some("/hooked".into()))
        .configured(Some(&file("In {{ cwd }}.")), &settings(false))
        .append("git_safety");
    let rendered = prompt.prepare(&ctx).unwrap();
    let expected = ["system_prompt", "environment", "instructions", "git_safety", "plan_reminder"];
    assert_eq!(names(&rendered), expected);
    assert!(rendered.text().starts_with("In /hooked.") && rendered.text().contains(": /hooked"));
}

#[test]
fn modes_hold_with_a_file_too() {
    let prompt = SystemPrompt::default().configured(Some(&file("You are Rex.")), &settings(true));
    let of = |mode| prompt.prepare(&PromptContext { prompt_mode: mode, ..ctx() }).unwrap();
    assert_eq!(names(&of(PromptMode::None)), ["system_prompt"]);
    let minimal = ["system_prompt", "tool_preambles", "environment"];
    assert_eq!(names(&of(PromptMode::Minimal)), minimal);
}

#[track_caller]
fn check_estimate(window: u64, percent: i64, expected: u64) {
    assert_eq!(estimated_tool_calls(window, percent), expected);
}

#[test]
fn an_estimate_is_rounded_and_never_more_than_the_window() {
    check_estimate(272_000, 95, 185);
    check_estimate(400_000, 95, 271);
    check_estimate(1_400, 50, 1);
    check_estimate(1_399, 50, 0);
    check_estimate(140_000, 250, 100);
    check_estimate(140_000, 0, 0);
    check_estimate(140_000, -5, 0);
    check_estimate(0, 95, 0);
    check_estimate(u64::MAX, i64::MAX, u64::MAX / 1_400);
}

#[test]
fn files_are_edited_by_the_first_tool_on_offer() {
    let of = |tools: &[(&'static str, &'static str)]| {
        editing_tool(&ToolNames::of(tools.iter().copied())).map(str::to_owned)
    };
    assert_eq!(
        of(&[("patch", "apply_patch"), ("edit", "edit_file")]).as_deref(),
        Some("apply_patch")
    );
    assert_eq!(of(&[("edit", "edit_file"), ("shell", "sh")]).as_deref(), Some("edit_file"));
    assert_eq!(of(&[("shell", "sh")]).as_deref(), Some("sh"));
    assert_eq!(of(&[("read", "read")]), None);
}

#[test]
fn a_supervisor_has_words_that_ship() {
    let text = SystemPrompt::default().agent_prompt("supervisor", &ctx()).unwrap().unwrap();
    assert!(text.contains("{\"suggestions\": [") && text.contains("0 to 50"), "{text}");
}

#[test]
fn settings_survive_being_kept_with_a_session() {
    let settings = PromptSettings { headless: true, context_window: 1, ..settings(true) };
    let json = serde_json::to_string(&settings).unwrap();
    assert_eq!(serde_json::from_str::<PromptSettings>(&json).unwrap(), settings);
    let old: PromptSettings = serde_json::from_str("{}").unwrap();
    assert_eq!(old, PromptSettings::default());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_renders_or_names_the_file(text in any::<String>(), dots in "[{}.%# A-Za-z]{0,40}") {
        for text in [&text, &dots] {
            let prompt = SystemPrompt::default().configured(Some(&file(text)), &settings(true));
            if let Err(error) = prompt.prepare(&ctx()) {
                prop_assert_eq!(error.file(), Some("/ws/SYSTEM.md"));
            }
        }
    }
}

#[test]
fn a_line_about_an_absent_tool_disappears_from_a_file_too() {
    let text = "You are Rex.\n- Use `{{ tools.edit }}`.\n- Use `{{ tools.read }}`.";
    let prompt = SystemPrompt::default().configured(Some(&file(text)), &settings(false));
    let ctx = PromptContext { tools: ToolNames::only(["read"]), ..PromptContext::default() };
    let rendered = prompt.prepare(&ctx).unwrap();
    assert_eq!(&*rendered.sections()[0].text, "You are Rex.\n- Use `read`.");
}

#[test]
fn an_error_names_the_line_of_the_file_whatever_stands_in_front() {
    let prompt = SystemPrompt::default()
        .configured(Some(&file("\n\n\n{{ nobody_knows_me }}")), &settings(false));
    assert_eq!(prompt.prepare(&PromptContext::default()).unwrap_err().line(), Some(4));
    let prompt =
        SystemPrompt::default().configured(Some(&file("\n\n You are Rex.")), &settings(false));
    let rendered = prompt.prepare(&PromptContext::default()).unwrap();
    assert_eq!(&*rendered.sections()[0].text, "You are Rex.");
}

#[test]
fn a_section_in_a_message_of_its_own_is_not_told_again_by_a_file() {
    let prompt = SystemPrompt::default()
        .as_messages(["git_safety"])
        .configured(Some(&file("Mine.\n\n{{ default_system_prompt }}")), &settings(false));
    let ctx = PromptContext::default();
    let text = prompt.prepare(&ctx).unwrap().text();
    assert!(text.starts_with("Mine.") && !text.contains("# Git safety"), "{text}");
    let messages = prompt.messages(&ctx).unwrap();
    assert!(messages.len() == 1 && messages[0].section.text.starts_with("# Git safety"));
}
