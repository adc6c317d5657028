//! What providers and models add to a prompt, and how hosts step in.

use brute_prompts::{
    Contributed, Contribution, Family, Gpt5Overlay, Module, Personality, PromptContext,
    PromptErrorKind, PromptMode, Rendered, SystemPrompt, Zone,
};
use proptest::prelude::*;

/// Contributes the same to every prompt.
struct Always(Contributed);

impl Contribution for Always {
    fn contribute(&self, _: &PromptContext, _: &Family) -> Option<Contributed> {
        Some(self.0.clone())
    }
}

fn text(name: &str, words: &str) -> Module {
    Module::text(name, words)
}

fn prompt(contributed: Contributed) -> SystemPrompt {
    SystemPrompt::default().contribution(Always(contributed))
}

fn ctx() -> PromptContext {
    PromptContext { cwd: Some("/srv".into()), ..PromptContext::new("openai", "gpt-5.1") }
}

fn prepare(contributed: Contributed) -> Rendered {
    prompt(contributed).prepare(&ctx()).unwrap()
}

fn names(rendered: &Rendered) -> Vec<&str> {
    rendered.iter().map(|section| &*section.name).collect()
}

#[test]
fn a_section_is_replaced_whole_and_in_its_place() {
    let before = prepare(Contributed::new());
    let after = prepare(Contributed::new().section("autonomy", text("x", "# Mine\n\nAsk first.")));
    assert_eq!(names(&before), names(&after));
    assert_eq!(&*after.get("autonomy").unwrap().text, "# Mine\n\nAsk first.");
}

#[test]
fn blank_words_leave_what_stands_there() {
    let before = prepare(Contributed::new());
    for blank in ["", " \n\t\n"] {
        let contributed = Contributed::new()
            .section("autonomy", text("x", blank))
            .prefix(text("prefix", blank))
            .suffix(text("suffix", blank));
        assert_eq!(prepare(contributed), before);
    }
}

#[test]
fn a_section_that_the_stack_lacks_is_not_added_but_for_the_style_of_talking() {
    let contributed = Contributed::new()
        .section("execution_bias", text("x", "Act."))
        .section("nothing_like_it", text("x", "Act."))
        .section("interaction_style", text("x", "Be kind."));
    let rendered = prepare(contributed);
    assert_eq!(names(&rendered)[..2], ["identity", "interaction_style"]);
    assert!(!rendered.text().contains("Act."));
}

#[test]
fn a_prefix_stands_among_the_static_and_a_suffix_behind_all() {
    let contributed = Contributed::new().prefix(text("first", "One.")).suffix(text("last", "Two."));
    let rendered = prompt(contributed).append("git_status").prepare(&ctx()).unwrap();
    let (first, last) = (&rendered.sections()[1], rendered.sections().last().unwrap());
    assert_eq!((&*first.name, first.zone), ("first", Zone::Static));
    assert_eq!((&*last.name, last.zone), ("last", Zone::Dynamic));
}

#[test]
fn a_suffix_stays_in_front_of_the_reminders() {
    let ctx = PromptContext { max_steps_reached: true, ..ctx() };
    let rendered = prompt(Contributed::new().suffix(text("last", "Two."))).prepare(&ctx).unwrap();
    assert!(names(&rendered).ends_with(&["last", "max_steps"]));
}

#[test]
fn a_stack_can_say_where_contributions_stand() {
    let contributed = Contributed::new()
        .section("interaction_style", text("x", "Kind."))
        .prefix(text("first", "One."));
    let stack = ["identity", "conventions"].map(Module::from).into_iter();
    let slots = ["provider_prefix", "interaction_style"].map(|name| text(name, ""));
    let prompt = SystemPrompt::new(stack.chain(slots)).contribution(Always(contributed));
    let rendered = prompt.prepare(&ctx()).unwrap();
    assert_eq!(names(&rendered), ["identity", "conventions", "first", "interaction_style"]);
}

#[test]
fn of_two_contributions_the_later_one_replaces_and_both_add() {
    let rendered =
        prompt(Contributed::new().section("autonomy", text("x", "One.")).prefix(text("a", "A.")))
            .contribution(Always(
                Contributed::new().section("autonomy", text("x", "Two.")).prefix(text("b", "B.")),
            ))
            .prepare(&ctx())
            .unwrap();
    assert_eq!(&*rendered.get("autonomy").unwrap().text, "Two.");
    assert!(rendered.get("a").is_some() && rendered.get("b").is_some());
}

#[test]
fn contributed_words_get_plain_line_ends_and_no_blanks_at_the_end_of_lines() {
    let rendered = prepare(Contributed::new().prefix(text("first", "\r\n a  \r\nb\t\rc \n\n")));
    assert_eq!(&*rendered.get("first").unwrap().text, " a\nb\nc");
}

#[test]
fn a_condition_on_a_section_holds_for_what_replaces_it() {
    let contributed = Contributed::new().section("autonomy", text("x", "Ask."));
    let rendered = prompt(contributed).when("autonomy", |_| false).prepare(&ctx()).unwrap();
    assert!(rendered.get("autonomy").is_none());
}

#[test]
fn contributions_stand_in_a_minimal_prompt_but_for_the_style_of_talking() {
    let contributed = Contributed::new()
        .section("interaction_style", text("x", "Kind."))
        .prefix(text("first", "One."))
        .suffix(text("last", "Two."));
    let of =
        |mode| prompt(contributed.clone()).prepare(&PromptContext { prompt_mode: mode, ..ctx() });
    let minimal = of(PromptMode::Minimal).unwrap();
    assert!(minimal.get("first").is_some() && minimal.get("last").is_some());
    assert!(minimal.get("interaction_style").is_none());
    assert_eq!(names(&of(PromptMode::None).unwrap()), ["identity"]);
}

#[track_caller]
fn check_model(model: &str, is_for: bool) {
    assert_eq!(Gpt5Overlay::is_for(model), is_for, "{model}");
    let prompt = SystemPrompt::default().contribution(Gpt5Overlay::default());
    let rendered = prompt.prepare(&PromptContext::new("any", model)).unwrap();
    assert_eq!(rendered.get("gpt5_conduct").is_some(), is_for, "{model}");
    assert_eq!(rendered.get("interaction_style").is_some(), is_for, "{model}");
}

#[test]
fn the_overlay_is_for_one_series_of_models() {
    for model in ["gpt-5", "GPT-5-mini", "openai/gpt-5.1-codex", "azure:gpt-5", "a/b/gpt-5.2"] {
        check_model(model, true);
    }
    for model in ["gpt-50", "gpt-5o", "my-gpt-5", "gpt-4.1", "gpt5", "chatgpt-5", ""] {
        check_model(model, false);
    }
}

#[test]
fn the_style_of_talking_can_be_off() {
    let of = |text: &str| serde_json::from_str::<Personality>(text).unwrap();
    assert_eq!((of("\"on\""), of("\"friendly\"")), (Personality::Friendly, Personality::default()));
    let prompt = SystemPrompt::default().contribution(Gpt5Overlay::new(of("\"off\"")));
    let rendered = prompt.prepare(&ctx()).unwrap();
    assert_eq!(names(&rendered)[..2], ["identity", "gpt5_conduct"]);
}

#[test]
fn hooks_change_what_a_prompt_knows_and_what_it_says() {
    let prompt = SystemPrompt::default()
        .on_context(|ctx| ctx.cwd = Some("/changed".into()))
        .on_sections(|sections, ctx| {
            sections.retain(|section| &*section.name != "git_safety");
            assert_eq!(ctx.cwd.as_deref(), Some("/changed"));
        });
    let rendered = prompt.prepare(&ctx()).unwrap();
    assert!(rendered.text().contains("Working directory: /changed"));
    assert!(rendered.get("git_safety").is_none());
}

#[test]
fn a_hook_cannot_put_a_dynamic_section_in_front_of_what_is_cached() {
    let prompt =
        SystemPrompt::default().on_sections(|sections, _| sections[0].zone = Zone::Dynamic);
    let rendered = prompt.prepare(&ctx()).unwrap();
    assert_eq!(&*rendered.sections().last().unwrap().name, "identity");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_contributed_words_come_out_clean(words in any::<String>()) {
        let rendered = prepare(Contributed::new().prefix(text("first", &words)));
        let section = rendered.get("first");
        prop_assert_eq!(section.is_none(), words.trim().is_empty());
        if let Some(section) = section {
            prop_assert!(!section.text.contains('\r') && section.text.trim_end() == &*section.text);
            prop_assert!(section.text.lines().all(|line| line.trim_end() == line));
        }
    }
}

#[test]
fn a_section_that_no_prompt_has_is_found_by_a_check() {
    let check = |name| {
        let section = Contributed::new().section(name, text("mine", "Mine."));
        SystemPrompt::default().contribution(Always(section)).check()
    };
    for name in ["tone_and_style", "execution_bias", "interaction_style"] {
        check(name).unwrap();
    }
    let error = check("tone_and_styl").unwrap_err();
    assert_eq!(error.kind(), PromptErrorKind::UnknownModule);
    assert!(error.to_string().contains("tone_and_styl"), "{error}");
}
