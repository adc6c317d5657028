//! Changing, building and rendering a system prompt.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use brute_prompts::{
    Families, Family, Module, PromptContext, PromptError, PromptErrorKind, PromptModule,
    ReminderPlacement, SystemPrompt, TextModule, Texts, ToolNames, Zone,
};

fn ctx() -> PromptContext {
    PromptContext { cwd: Some("/srv/app".into()), ..PromptContext::new("anthropic", "claude") }
}

fn words(name: &str) -> Module {
    Module::text(name, format!("The words of {name}."))
}

fn names(prompt: &SystemPrompt, ctx: &PromptContext) -> Vec<String> {
    let rendered = prompt.prepare(ctx).unwrap();
    rendered.iter().map(|section| section.name.to_string()).collect()
}

#[track_caller]
fn check(prompt: &SystemPrompt, expected: &[&str]) {
    assert_eq!(names(prompt, &ctx()), expected);
}

fn abc() -> SystemPrompt {
    SystemPrompt::new(["a", "b", "c"].map(words))
}

#[track_caller]
fn check_unknown(prompt: &SystemPrompt, name: &str) {
    let error = prompt.prepare(&ctx()).unwrap_err();
    assert_eq!(error.kind(), PromptErrorKind::UnknownModule);
    assert!(error.to_string().contains(&format!("`{name}`")), "{error}");
    assert!(error.known().iter().any(|known| known == "git_safety"), "{error}");
}

#[test]
fn nothing_is_built_before_prepare_and_everything_at_each() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let prompt = SystemPrompt::build(move |prompt, ctx| {
        counted.fetch_add(1, Ordering::Relaxed);
        prompt.text(format!("In {}.", ctx.cwd.as_deref().unwrap_or("nowhere")));
        Ok(())
    });
    assert_eq!(calls.load(Ordering::Relaxed), 0);
    assert_eq!(prompt.prepare(&ctx()).unwrap().text(), "In /srv/app.");
    assert_eq!(prompt.prepare(&PromptContext::default()).unwrap().text(), "In nowhere.");
    assert_eq!(calls.load(Ordering::Relaxed), 2);
}

#[test]
fn a_closure_mixes_its_own_words_with_modules_that_ship() {
    let prompt = SystemPrompt::build(|prompt, _| {
        prompt.text("You are Rex.").module("git_safety").module(words("own"));
        Ok(())
    });
    check(&prompt, &["host", "git_safety", "own"]);
}

#[test]
fn the_error_of_a_closure_comes_out_of_prepare() {
    let prompt = SystemPrompt::build(|_, _| Err(PromptError::module("no database")));
    let error = prompt.prepare(&ctx()).unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (PromptErrorKind::Module, "no database")
    );
}

#[test]
fn a_module_is_replaced_in_its_place_and_keeps_its_name() {
    check(&abc().replace("b", words("other")), &["a", "b", "c"]);
    let text = abc().replace("b", words("other")).prepare(&ctx()).unwrap().text();
    assert_eq!(text, "The words of a.\n\nThe words of other.\n\nThe words of c.");
}

#[test]
fn modules_are_put_before_and_after_others_and_at_the_end() {
    check(&abc().before("b", words("x")), &["a", "x", "b", "c"]);
    check(&abc().after("b", words("x")), &["a", "b", "x", "c"]);
    check(&abc().append(words("x")), &["a", "b", "c", "x"]);
    check(&abc().append(words("x")).before("x", words("y")), &["a", "b", "c", "y", "x"]);
}

#[test]
fn modules_are_left_out() {
    check(&abc().without("b"), &["a", "c"]);
    check(&abc().without("b").without("b"), &["a", "c"]);
}

#[test]
fn a_module_with_a_condition_speaks_only_where_it_holds() {
    let prompt = abc().when("b", |ctx| ctx.is_git == Some(true));
    check(&prompt, &["a", "c"]);
    assert_eq!(names(&prompt, &PromptContext { is_git: Some(true), ..ctx() }), ["a", "b", "c"]);
    check(&prompt.when("b", |_| false), &["a", "c"]);
}

#[test]
fn a_place_that_a_stack_lacks_means_its_end() {
    let prompt = SystemPrompt::default().before("task_management", words("x"));
    let ctx = |provider: &str| PromptContext::new(provider, "");
    let anthropic = names(&prompt, &ctx("anthropic"));
    assert_eq!(anthropic.iter().position(|name| name == "x"), Some(3));
    let ollama = names(&prompt, &ctx("ollama"));
    assert_eq!(ollama.last().map(String::as_str), Some("x"));
}

#[test]
fn unknown_names_are_errors_that_list_the_known_ones() {
    let prompt = SystemPrompt::default;
    check_unknown(&prompt().replace("idenity", words("x")), "idenity");
    check_unknown(&prompt().before("idenity", words("x")), "idenity");
    check_unknown(&prompt().after("idenity", words("x")), "idenity");
    check_unknown(&prompt().without("idenity"), "idenity");
    check_unknown(&prompt().when("idenity", |_| true), "idenity");
    check_unknown(&prompt().append("idenity"), "idenity");
    check_unknown(&SystemPrompt::new(["idenity"]), "idenity");
    check_unknown(&SystemPrompt::new(["../identity"]), "../identity");
}

#[test]
fn names_can_be_checked_without_a_context() {
    SystemPrompt::default().without("skills").append("git_status").check().unwrap();
    let error = SystemPrompt::default().append("git_state").check().unwrap_err();
    assert_eq!(error.kind(), PromptErrorKind::UnknownModule);
    let family: Family = "mistral".parse().unwrap();
    assert!(SystemPrompt::default().stack(&family, ["identity", "nothing"]).check().is_err());
}

#[test]
fn a_closure_is_a_module() {
    let place = |ctx: &PromptContext| Ok(ctx.cwd.as_ref().map(|cwd| format!("In {cwd}.")));
    let rendered = SystemPrompt::new([Module::from(place)]).prepare(&ctx()).unwrap();
    assert_eq!(rendered.text(), "In /srv/app.");
    assert_eq!((&*rendered.sections()[0].name, &*rendered.sections()[0].source), ("host", "host"));
}

struct Policy;

impl PromptModule for Policy {
    fn render(&self, _: &PromptContext) -> Result<Option<String>, PromptError> {
        Err(PromptError::module("the policy server is down"))
    }

    fn name(&self) -> &'static str {
        "policy"
    }

    fn zone(&self) -> Zone {
        Zone::Dynamic
    }
}

#[test]
fn the_error_of_a_module_names_its_section() {
    let error = SystemPrompt::default().append(Policy).prepare(&ctx()).unwrap_err();
    assert_eq!((error.kind(), error.section()), (PromptErrorKind::Module, Some("policy")));
    assert_eq!(error.to_string(), "the policy server is down in section `policy`");
}

#[test]
fn a_module_that_ships_can_be_rendered_alone() {
    let module = TextModule::new("identity");
    let text = module.render(&ctx()).unwrap().unwrap();
    let whole = SystemPrompt::default().prepare(&ctx()).unwrap();
    assert_eq!(text, &*whole.get("identity").unwrap().text);
    assert_eq!((module.name(), TextModule::new("environment").zone()), ("identity", Zone::Session));
}

#[test]
fn reminders_can_be_placed_elsewhere_and_changed_like_any_module() {
    let ctx = PromptContext { agent: Some("plan".into()), max_steps_reached: true, ..ctx() };
    let prompt = abc().replace("plan_reminder", words("mine")).without("max_steps");
    assert_eq!(names(&prompt, &ctx), ["a", "b", "c", "plan_reminder"]);
    let tail = prompt.reminder_placement(ReminderPlacement::Tail);
    assert_eq!(names(&tail, &ctx), ["a", "b", "c"]);
    let reminders = tail.reminders(&ctx).unwrap();
    assert_eq!(reminders.len(), 1);
    assert_eq!(&*reminders[0].text, "The words of mine.");
}

#[test]
fn a_reminder_never_stands_twice() {
    let ctx = PromptContext { agent: Some("plan".into()), ..ctx() };
    let listed = SystemPrompt::new(["plan_reminder", "git_safety"]);
    assert_eq!(names(&listed, &ctx), ["git_safety", "plan_reminder"]);
    let added = SystemPrompt::new(["git_safety"]).append("plan_reminder");
    assert_eq!(names(&added, &ctx), ["git_safety", "plan_reminder"]);
}

#[test]
fn a_family_of_the_host_has_its_own_stack_and_words() {
    let mistral: Family = "mistral".parse().unwrap();
    let files = [("identity/mistral.txt", "Bonjour."), ("identity/default.txt", "Hello.")];
    let prompt = SystemPrompt::default()
        .texts(Texts::shipped().with(files).unwrap())
        .families(Families::default().word("mistral", &mistral))
        .stack(&mistral, ["identity", "git_safety"]);
    let ctx = |model: &str| PromptContext::new("openrouter", model);
    let own = prompt.prepare(&ctx("mistral-large")).unwrap();
    assert_eq!(own.family(), &mistral);
    assert!(own.text().starts_with("Bonjour.\n\n# "));
    assert_eq!(own.sections().len(), 2);
    assert!(prompt.prepare(&ctx("qwen")).unwrap().text().starts_with("Hello."));
    assert_eq!(names(&prompt, &PromptContext { family: Some(mistral), ..ctx("x") }).len(), 2);
}

#[test]
fn a_family_without_a_stack_has_the_default_one() {
    let ctx =
        PromptContext { family: Some("mistral".parse().unwrap()), ..PromptContext::default() };
    let prompt = SystemPrompt::default();
    assert_eq!(names(&prompt, &ctx), names(&prompt, &PromptContext::default()));
}

#[test]
fn the_familys_own_word_wins_over_provider_and_model() {
    let ctx = PromptContext { family: Some(Family::OLLAMA), ..ctx() };
    assert_eq!(SystemPrompt::default().prepare(&ctx).unwrap().family(), &Family::OLLAMA);
}

#[test]
fn agents_have_prompts_by_name() {
    let prompt = SystemPrompt::default();
    for name in ["explore", "compaction", "summary", "title"] {
        assert!(prompt.agent_prompt(name, &ctx()).unwrap().is_some(), "{name}");
    }
    for name in ["nobody", "", "../identity", "agent_explore"] {
        assert_eq!(prompt.agent_prompt(name, &ctx()).unwrap(), None, "{name}");
    }
    let overlaid = Texts::shipped().with([("agent_title/default.txt", "Name it.")]).unwrap();
    let title = prompt.texts(overlaid).agent_prompt("title", &ctx()).unwrap();
    assert_eq!(title.as_deref(), Some("Name it."));
}

#[test]
fn a_prompt_is_cheap_to_share_between_threads() {
    fn is_shareable<T: Clone + Send + Sync + std::fmt::Debug + 'static>(_: &T) {}
    let prompt = SystemPrompt::default().append(words("x"));
    is_shareable(&prompt);
    let expected = prompt.prepare(&ctx()).unwrap();
    let threads = (0..4).map(|_| {
        let (prompt, expected) = (prompt.clone(), expected.clone());
        thread::spawn(move || {
            for round in 0..200 {
                let only = ["read", "shell", "edit", "glob"].iter().take(round % 5);
                let other = PromptContext { tools: ToolNames::only(only.copied()), ..ctx() };
                prompt.prepare(&other).unwrap();
                assert_eq!(prompt.prepare(&ctx()).unwrap(), expected);
            }
        })
    });
    threads.collect::<Vec<_>>().into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn a_change_of_a_clone_leaves_the_original_alone() {
    let original = abc();
    let changed = original.clone().without("a");
    check(&original, &["a", "b", "c"]);
    check(&changed, &["b", "c"]);
}
