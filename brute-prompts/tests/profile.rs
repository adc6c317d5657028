//! Whole prompts in the manner of different agents.

use std::sync::Arc;

use brute_prompts::{
    Contributed, Contribution, EnvironmentStyle, Family, HostFacts, InstructionFile, Module,
    Profile, PromptContext, PromptMode, Rendered, SandboxFacts, SkillEntry, SystemPrompt,
    ToolNames,
};

/// A context with skills, rules and tools, in this mode.
fn ctx(profile: Profile, family: &Family, mode: PromptMode) -> PromptContext {
    let skill = SkillEntry { name: "audit".into(), ..SkillEntry::default() };
    let file = InstructionFile { text: "Use tabs.".into(), ..InstructionFile::default() };
    PromptContext {
        family: Some(family.clone()),
        prompt_mode: mode,
        tools: profile.tools(family),
        cwd: Some("/srv".into()),
        timezone: Some("Europe/Berlin".into()),
        skills: Some([skill].into()),
        instructions: Some([file].into()),
        ..PromptContext::new("any", "some-model")
    }
}

fn prepare(profile: Profile, family: &Family, mode: PromptMode) -> Rendered {
    SystemPrompt::profile(profile).prepare(&ctx(profile, family, mode)).unwrap()
}

fn names(rendered: &Rendered) -> Vec<&str> {
    rendered.iter().map(|section| &*section.name).collect()
}

/// Every profile with every family.
fn all() -> impl Iterator<Item = (Profile, Family)> {
    Profile::ALL.into_iter().flat_map(|profile| Family::ALL.map(|family| (profile, family)))
}

#[test]
fn a_profile_is_known_by_its_name() {
    for profile in Profile::ALL {
        assert_eq!(profile.to_string().parse::<Profile>().unwrap(), profile);
        assert_eq!(serde_json::to_value(profile).unwrap(), profile.name());
    }
    let error = "fabbro".parse::<Profile>().unwrap_err();
    assert_eq!(error.known(), ["brute", "fabro", "fluffbuzz", "builder"]);
}

#[test]
fn the_profile_of_the_house_is_the_default_prompt() {
    for family in Family::ALL {
        let ctx = ctx(Profile::Brute, &family, PromptMode::Full);
        let default = SystemPrompt::default().prepare(&ctx).unwrap();
        let brute = SystemPrompt::profile(Profile::Brute).prepare(&ctx).unwrap();
        assert_eq!(brute.text(), default.text());
    }
}

#[test]
fn every_module_of_every_profile_has_words() {
    for profile in Profile::ALL {
        SystemPrompt::profile(profile).check().unwrap();
    }
}

#[test]
fn minimal_is_smaller_than_full_in_every_profile() {
    for (profile, family) in all() {
        let full = prepare(profile, &family, PromptMode::Full);
        let minimal = prepare(profile, &family, PromptMode::Minimal);
        assert!(minimal.bytes() < full.bytes(), "{profile}, {family}");
        assert!(minimal.sections().len() > 2, "{profile}, {family}: {:?}", names(&minimal));
        assert!(minimal.get("skills").is_none() && minimal.get("instructions").is_none());
    }
}

#[test]
fn minimal_is_smaller_even_where_nothing_is_known() {
    for (profile, family) in all() {
        let bytes = |prompt_mode| {
            let bare = PromptContext { prompt_mode, ..PromptContext::default() };
            let ctx = PromptContext { family: Some(family.clone()), ..bare };
            SystemPrompt::profile(profile).prepare(&ctx).unwrap().bytes()
        };
        assert!(bytes(PromptMode::Minimal) < bytes(PromptMode::Full), "{profile}, {family}");
    }
}

#[test]
fn none_says_who_the_agent_is_in_every_profile() {
    for (profile, family) in all() {
        let rendered = prepare(profile, &family, PromptMode::None);
        assert_eq!(names(&rendered), ["identity"], "{profile}, {family}");
        assert!(rendered.text().contains("You are Brute"), "{profile}, {family}");
    }
}

/// Checks which tools have a section, and under which heading.
#[track_caller]
fn check_tools(family: &Family, headings: &[&str]) {
    let rendered = prepare(Profile::Fabro, family, PromptMode::Full);
    let tools = rendered
        .iter()
        .filter(|section| section.name.starts_with("tool_") && &*section.name != "tool_usage");
    let found: Vec<_> =
        tools.map(|section| section.text.lines().next().unwrap().to_owned()).collect();
    let expected: Vec<_> = headings.iter().map(|name| format!("# {name}")).collect();
    assert_eq!(found, expected, "{family}");
}

#[test]
fn each_tool_of_a_family_has_a_section_under_its_name() {
    let common = ["write_file", "shell", "grep", "glob", "web_search", "web_fetch"];
    let with = |own: &[&'static str]| [own, &common].concat();
    check_tools(&Family::ANTHROPIC, &with(&["read_file", "edit_file"]));
    check_tools(&Family::OPENAI, &with(&["read_file", "apply_patch"]));
    let google = ["read_file", "read_many_files", "list_dir", "edit_file"];
    check_tools(&Family::GOOGLE, &with(&google));
    check_tools(&Family::DEFAULT, &with(&["read_file", "edit_file"]));
}

#[test]
fn a_section_on_a_tool_goes_with_its_tool() {
    for family in Family::ALL {
        let all = ctx(Profile::Fabro, &family, PromptMode::Full);
        let prompt = SystemPrompt::profile(Profile::Fabro);
        for (tool, offered) in Profile::Fabro.tools(&family).iter() {
            let others = all.tools.iter().filter(|(canonical, _)| *canonical != tool);
            let others: Vec<_> = others.map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
            let without = PromptContext {
                tools: ToolNames::of(others.iter().map(|(a, b)| (a.as_str(), b.as_str()))),
                ..all.clone()
            };
            let name = format!("tool_{tool}");
            assert!(prompt.prepare(&all).unwrap().get(&name).is_some(), "{family}: {name}");
            let rendered = prompt.prepare(&without).unwrap();
            assert!(rendered.get(&name).is_none(), "{family}: {name}");
            assert!(!rendered.text().contains(&format!("`{offered}`")), "{family}: {offered}");
        }
    }
}

#[test]
fn fabro_tells_habits_then_place_then_documents_then_skills() {
    for family in Family::ALL {
        let rendered = prepare(Profile::Fabro, &family, PromptMode::Full);
        let names = names(&rendered);
        assert_eq!(names[0], "identity");
        let end = ["environment", "instructions", "skills"];
        assert_eq!(names[names.len() - 3..], end, "{family}");
        assert!(names.contains(&"doing_tasks") && names.contains(&"conventions"), "{family}");
        let place = &rendered.get("environment").unwrap().text;
        assert!(place.contains("\nWorking directory: /srv\n"), "{place}");
    }
}

#[test]
fn fabro_has_words_of_its_own_for_each_family_and_names_no_maker() {
    let texts = Family::ALL.map(|family| {
        let rendered = prepare(Profile::Fabro, &family, PromptMode::Full);
        let text = rendered.text().to_lowercase();
        for maker in ["openai", "anthropic", "google", "gemini", "claude", "moonshot"] {
            assert!(!text.contains(maker), "{family}: {maker}");
        }
        ["identity", "doing_tasks"].map(|name| rendered.get(name).unwrap().text.to_string())
    });
    let [anthropic, openai, google, ..] = &texts;
    assert!(anthropic[0] != openai[0] && openai[0] != google[0] && google[0] != anthropic[0]);
    assert!(anthropic[1].contains("before you propose"));
    assert!(openai[1].contains("root cause") && openai[1].contains("## Validating"));
    assert!(google[1].contains("1. Research: ") && google[1].contains("3. Execution: "));
}

#[test]
fn fluffbuzz_keeps_the_order_of_its_sections() {
    let host = HostFacts {
        sandbox: Some(SandboxFacts::default()),
        documentation_path: Some("/manual".into()),
        reply_tag: Some("[[r]]".into()),
        heartbeat_token: Some("WELL".into()),
        reasoning: Some("on".into()),
        ..HostFacts::default()
    };
    let ctx = PromptContext {
        host: Some(Arc::new(host)),
        ..ctx(Profile::Fluffbuzz, &Family::DEFAULT, PromptMode::Full)
    };
    let rendered = SystemPrompt::profile(Profile::Fluffbuzz).prepare(&ctx).unwrap();
    let expected = [
        "identity",
        "tooling",
        "execution_bias",
        "safety",
        "memory_recall",
        "skills",
        "self_update",
        "workspace",
        "documentation",
        "sandbox",
        "time_zone",
        "instructions",
        "reply_tags",
        "heartbeats",
        "reasoning",
    ];
    assert_eq!(names(&rendered), expected);
}

#[test]
fn fluffbuzz_has_a_place_for_what_a_provider_adds() {
    struct Words;
    impl Contribution for Words {
        fn contribute(&self, _: &PromptContext, _: &Family) -> Option<Contributed> {
            let prefix = Module::text("stable", "Hold.");
            Some(Contributed::new().prefix(prefix).suffix(Module::text("changing", "Turn.")))
        }
    }
    let prompt = SystemPrompt::profile(Profile::Fluffbuzz).contribution(Words);
    let ctx = ctx(Profile::Fluffbuzz, &Family::DEFAULT, PromptMode::Full);
    let rendered = prompt.prepare(&ctx).unwrap();
    let names = names(&rendered);
    let at = |name| names.iter().position(|found| *found == name).unwrap();
    assert_eq!(at("stable"), at("execution_bias") + 1);
    assert!(at("changing") > at("instructions"));
}

#[test]
fn builder_says_its_five_sections_in_order() {
    let rendered = prepare(Profile::Builder, &Family::DEFAULT, PromptMode::Full);
    let expected = [
        "identity",
        "workflow",
        "editing_constraints",
        "git_safety",
        "quality",
        "final_answer",
        "delegation",
        "tool_preambles",
        "environment",
        "skills",
        "instructions",
    ];
    assert_eq!(names(&rendered), expected);
    assert!(rendered.get("environment").unwrap().text.contains("\nModel: some-model\n"));
}

#[test]
fn a_module_of_a_profile_is_changed_by_the_name_of_its_section() {
    for profile in Profile::ALL {
        let prompt = SystemPrompt::profile(profile)
            .replace("identity", Module::text("identity", "You are Rex."));
        let ctx = ctx(profile, &Family::DEFAULT, PromptMode::Full);
        assert!(prompt.prepare(&ctx).unwrap().text().starts_with("You are Rex.\n\n"));
    }
}

#[test]
fn a_family_keeps_the_stack_that_the_host_gave_it() {
    let prompt = SystemPrompt::profile(Profile::Builder).stack(&Family::OPENAI, ["identity"]);
    let names = |family| {
        let ctx = ctx(Profile::Builder, family, PromptMode::Full);
        prompt.prepare(&ctx).unwrap().sections().len()
    };
    assert_eq!(names(&Family::OPENAI), 1);
    assert!(names(&Family::GOOGLE) > 5);
}

#[test]
fn the_environment_of_a_profile_is_in_its_form() {
    let forms = Profile::ALL.map(Profile::environment);
    let expected = [
        EnvironmentStyle::Brute,
        EnvironmentStyle::Fabro,
        EnvironmentStyle::Fluffbuzz,
        EnvironmentStyle::Builder,
    ];
    assert_eq!(forms, expected);
    for profile in [Profile::Brute, Profile::Fabro, Profile::Builder] {
        let ctx = ctx(profile, &Family::DEFAULT, PromptMode::Full);
        let own = SystemPrompt::profile(profile);
        let asked = own.clone().environment(profile.environment());
        assert_eq!(own.prepare(&ctx).unwrap().text(), asked.prepare(&ctx).unwrap().text());
    }
}
