//! The shipped words: complete, different where families differ, equal where users differ.

use std::{collections::BTreeSet, fs, path::Path};

use brute_prompts::{
    Family, Profile, PromptContext, Rendered, SkillEntry, SystemPrompt, ToolNames, Zone,
};

const FAMILIES: [&str; 5] = ["anthropic", "openai", "google", "ollama", "default"];

/// Modules that stand in no stack: reminders, agent prompts, messages and those that users add.
const BESIDE_THE_STACKS: [&str; 22] = [
    "plan_reminder",
    "build_switch",
    "max_steps",
    "agent_explore",
    "agent_compaction",
    "agent_summary",
    "agent_title",
    "cut_marker",
    "git_status",
    "instruction_message",
    "skills_bullets",
    "workspace_cut",
    "missing_file",
    "agent_supervisor",
    "environment_fluffbuzz",
    "gpt5_conduct",
    "gpt5_interaction",
    "headless_enter",
    "headless_leave",
    "worktree_enter",
    "worktree_leave",
    "recent_notes",
];

/// Texts about a run of several stages, which stand in a prompt of the user.
const OF_RUNS: [&str; 7] = [
    "preamble_compact",
    "preamble_nested",
    "preamble_summary_high",
    "preamble_summary_low",
    "preamble_summary_medium",
    "preamble_truncate",
    "simulated_response",
];

fn family(name: &str) -> Family {
    Family::new(name).unwrap()
}

fn ctx(name: &str) -> PromptContext {
    PromptContext { family: Some(family(name)), ..PromptContext::new("any", "some-model") }
}

fn prepare(ctx: &PromptContext) -> Rendered {
    SystemPrompt::default().prepare(ctx).unwrap()
}

/// Renders one module; for a reminder its fact holds.
fn section(ctx: &PromptContext, module: &str) -> Option<String> {
    let ctx = PromptContext {
        agent: Some("plan".into()),
        agent_switched: Some("build".into()),
        max_steps_reached: true,
        ..ctx.clone()
    };
    let rendered = SystemPrompt::new([module]).prepare(&ctx).unwrap();
    rendered.get(module).map(|section| section.text.to_string())
}

/// Returns the name of every folder or file below `text/` and the given folder, without endings.
fn names(folder: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("text").join(folder);
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn every_module_of_a_stack_has_words_and_every_folder_a_module() {
    let stacks = |profile: Profile| FAMILIES.map(|name| profile.stack(&family(name)));
    let stacks = Profile::ALL.into_iter().flat_map(stacks).flatten().copied();
    let of_providers = ["provider_prefix", "provider_suffix"];
    let modules =
        stacks.filter(|name| !of_providers.contains(name)).chain(BESIDE_THE_STACKS).chain(OF_RUNS);
    assert_eq!(names(""), modules.map(String::from).collect());
}

#[test]
fn every_module_has_words_for_unknown_models() {
    for module in names("") {
        let files = names(&module);
        assert!(files.contains("default"), "{module}: {files:?}");
        let known = files.iter().all(|file| FAMILIES.contains(&file.as_str()));
        assert!(known, "{module}: {files:?}");
    }
}

#[test]
fn each_family_speaks_its_own_dialect() {
    let dialects = [
        ("identity", &["anthropic", "openai", "google"][..]),
        ("tone_and_style", &["anthropic", "openai", "google", "ollama"]),
        ("doing_tasks", &["anthropic", "google", "ollama"]),
        ("tool_usage", &["anthropic", "google", "ollama"]),
        ("conventions", &["ollama"]),
    ];
    for (module, families) in dialects {
        let all = families.iter().chain(&["default"]);
        let words = |family| {
            let text = section(&ctx(family), module).unwrap();
            text.split_whitespace().map(String::from).collect::<Vec<_>>()
        };
        let texts: BTreeSet<_> = all.map(|family| words(family)).collect();
        assert_eq!(texts.len(), families.len() + 1, "{module}");
    }
}

#[test]
fn an_unknown_family_reads_the_default_words() {
    assert_eq!(prepare(&ctx("mistral")).text(), prepare(&ctx("default")).text());
}

#[test]
fn static_words_do_not_depend_on_user_directory_day_and_model() {
    let skill = SkillEntry { name: "audit".into(), ..SkillEntry::default() };
    for name in FAMILIES {
        let one = ctx(name);
        let other = PromptContext {
            model: "another-model".into(),
            cwd: Some("/srv/shop".into()),
            platform: Some("macos".into()),
            date: Some("Fri Mar 06 2026".into()),
            is_git: Some(true),
            skills: Some(vec![skill.clone()].into()),
            custom_rules: Some("Be kind.".into()),
            agent: Some("plan".into()),
            max_steps_reached: true,
            ..ctx(name)
        };
        assert_eq!(static_text(&one), static_text(&other), "{name}");
    }
}

fn static_text(ctx: &PromptContext) -> String {
    let rendered = prepare(ctx);
    let sections = rendered.iter().filter(|section| section.zone == Zone::Static);
    sections.map(|section| section.text.to_string()).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn the_limits_of_conduct_stand_in_every_stack() {
    for name in FAMILIES {
        let text = prepare(&ctx(name)).text();
        assert!(text.contains("\n# Conventions\n") && text.contains("\n# Git safety\n"), "{name}");
    }
    assert!(prepare(&ctx("anthropic")).text().contains("\n# Objectivity\n"));
}

#[test]
fn the_plan_reminder_says_what_it_must() {
    let text = section(&ctx("default"), "plan_reminder").unwrap();
    assert!(text.starts_with("<system-reminder>\n") && text.ends_with("\n</system-reminder>"));
    for words in ["READ-ONLY", "strictly forbidden", "supersedes all other instructions"] {
        assert!(text.contains(words), "{words}");
    }
}

#[test]
fn the_build_switch_says_what_it_must() {
    let text = section(&ctx("default"), "build_switch").unwrap();
    assert!(text.starts_with("<system-reminder>\n") && text.ends_with("\n</system-reminder>"));
    let words = ["plan to build", "no longer in read-only mode", "Changing files", "permitted"];
    for words in words {
        assert!(text.contains(words), "{words}");
    }
}

#[test]
fn the_last_step_says_what_it_must() {
    let text = section(&ctx("default"), "max_steps").unwrap();
    for words in ["MAXIMUM STEPS REACHED", "Tools are disabled", "text only"] {
        assert!(text.contains(words), "{words}");
    }
    assert!(!text.contains('<'), "{text}");
}

#[test]
fn a_reminder_has_the_same_words_for_everybody() {
    for module in ["plan_reminder", "build_switch", "max_steps"] {
        let texts = FAMILIES.iter().flat_map(|name| {
            let bare = PromptContext { tools: ToolNames::none(), ..ctx(name) };
            [section(&ctx(name), module).unwrap(), section(&bare, module).unwrap()]
        });
        assert_eq!(texts.collect::<BTreeSet<_>>().len(), 1, "{module}");
    }
}

#[test]
fn a_sentence_about_an_absent_tool_disappears() {
    let tools = ToolNames::only(["read", "search", "shell"]);
    let text = prepare(&PromptContext { tools, ..ctx("anthropic") }).text();
    assert!(text.contains("`search`") && text.contains("Keep `shell` for"));
    for name in ["`edit`", "`undo`", "`delegate`", "`todo_write`", "# Task management"] {
        assert!(!text.contains(name), "{name}");
    }
}

#[test]
fn a_renamed_tool_goes_by_its_new_name() {
    let tools = ToolNames::of([("read", "read_file"), ("edit", "apply_patch")]);
    let text = prepare(&PromptContext { tools, ..ctx("openai") }).text();
    assert!(text.contains("Make manual edits with `apply_patch`."), "{text}");
}

#[test]
fn without_tools_there_is_nothing_to_say_about_their_use() {
    for name in FAMILIES {
        let bare = PromptContext { tools: ToolNames::none(), ..ctx(name) };
        for module in ["tool_usage", "task_management", "security_and_safety"] {
            assert_eq!(section(&bare, module), None, "{name}: {module}");
        }
        assert!(prepare(&bare).text().contains("o tools are on offer"), "{name}");
    }
}

#[track_caller]
fn check_skills(tools: ToolNames, skill_tool: Option<&str>, sentence: &str) {
    let skill = SkillEntry { name: "audit".into(), ..SkillEntry::default() };
    let ctx = PromptContext {
        tools,
        skill_tool: skill_tool.map(Into::into),
        skills: Some(vec![skill].into()),
        ..ctx("default")
    };
    let text = section(&ctx, "skills").unwrap();
    assert!(text.contains(sentence), "{text}");
}

#[test]
fn a_skill_is_loaded_by_what_is_on_offer() {
    check_skills(ToolNames::all(), Some("use_it"), "load that skill with `use_it`");
    check_skills(ToolNames::only(["read"]), None, "read the file at its location with `read`");
    check_skills(ToolNames::none(), None, "Nothing on offer can load one.");
}

#[test]
fn rules_stand_word_for_word_in_their_container() {
    let rules = "# Rules\n\n\n- Use   {{ tabs }}.\n";
    let ctx = PromptContext { custom_rules: Some(rules.into()), ..ctx("default") };
    let text = section(&ctx, "instructions").unwrap();
    assert!(text.starts_with("# Project-Specific Rules\n\n"), "{text}");
    assert!(text.contains(&format!("<project_rules>\n{}", rules.trim_end())), "{text}");
}

#[test]
fn blank_rules_say_nothing() {
    for rules in ["", " \n\t"] {
        let ctx = PromptContext { custom_rules: Some(rules.into()), ..ctx("default") };
        assert_eq!(section(&ctx, "instructions"), None);
    }
}

#[test]
fn each_agent_has_a_prompt_of_its_own() {
    let prompt = |name| SystemPrompt::default().agent_prompt(name, &ctx("default")).unwrap();
    let texts = ["explore", "compaction", "summary", "title"].map(|name| prompt(name).unwrap());
    assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), 4);
    assert!(texts[0].contains("read-only") && texts[3].contains("50 characters"));
}
