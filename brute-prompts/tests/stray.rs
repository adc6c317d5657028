//! Words for a module that nobody names.

use std::fs;

use brute_prompts::{
    Contributed, Contribution, Family, Gpt5Overlay, Module, PromptContext, PromptErrorKind,
    SystemPrompt, TextModule, Texts,
};
use tempfile::TempDir;

/// Returns the default prompt with words of this name.
fn with_words(module: &str) -> SystemPrompt {
    SystemPrompt::default().texts(texts(module))
}

fn texts(module: &str) -> Texts {
    Texts::shipped().with([(format!("{module}/default.txt"), "Words.")]).unwrap()
}

#[track_caller]
fn check(prompt: &SystemPrompt, stray: Option<&str>) {
    let found = prompt.check();
    let Some(name) = stray else {
        return found.unwrap();
    };
    let error = found.unwrap_err();
    assert_eq!(error.kind(), PromptErrorKind::UnknownModule);
    assert!(error.to_string().starts_with(&format!("there are words for `{name}`")), "{error}");
    assert!(error.known().iter().any(|known| known == "identity"), "{error}");
    assert!(error.known().iter().all(|known| known != name), "{error}");
}

#[test]
fn words_for_a_mistyped_module_are_found() {
    check(&with_words("identiy"), Some("identiy"));
    let file = with_words("identiy").check().unwrap_err();
    assert_eq!(file.file(), Some("identiy/default.txt"));
}

#[test]
fn words_for_a_module_that_ships_are_none_of_them() {
    for module in ["identity", "git_safety", "cut_marker", "agent_title", "worktree_enter"] {
        check(&with_words(module), None);
    }
    check(&SystemPrompt::default(), None);
}

#[test]
fn words_for_a_new_agent_are_none_of_them() {
    check(&with_words("agent_reviewer"), None);
    check(&with_words("agents_reviewer"), Some("agents_reviewer"));
}

#[test]
fn a_folder_that_is_empty_or_mistyped_later_is_found_too() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("git_safty")).unwrap();
    let prompt = SystemPrompt::default().overlay(folder.path()).unwrap();
    check(&prompt, Some("git_safty"));

    let (first, second) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    for (folder, module) in [(&first, "identity"), (&second, "identiy")] {
        fs::create_dir(folder.path().join(module)).unwrap();
        fs::write(folder.path().join(module).join("default.txt"), "Words.").unwrap();
    }
    let prompt = SystemPrompt::default().overlay(first.path()).unwrap();
    check(&prompt, None);
    let prompt = prompt.overlay(second.path()).unwrap();
    check(&prompt, Some("identiy"));
    assert!(prompt.check().unwrap_err().file().unwrap().ends_with("default.txt"));
}

#[test]
fn every_way_to_name_a_module_counts() {
    let own = || Module::from("house_rules");
    let other = Family::new("mistral").unwrap();
    let prompts = [
        with_words("house_rules").append("house_rules"),
        with_words("house_rules").before("identity", "house_rules"),
        with_words("house_rules").after("identity", own().named("house")),
        with_words("house_rules").replace("conventions", "house_rules"),
        with_words("house_rules").append(TextModule::of(&texts("house_rules"), "house_rules")),
        with_words("house_rules").stack(&other, ["identity", "house_rules"]),
        with_words("house_rules").contribution(House("default")),
        SystemPrompt::new(["house_rules"]).texts(texts("house_rules")),
        SystemPrompt::new([own().named("house")]).texts(texts("house_rules")),
    ];
    for prompt in prompts {
        check(&prompt, None);
    }
    let gone = with_words("house_rules").without("house_rules");
    check(&gone, Some("house_rules"));
    check(&SystemPrompt::new(["identity"]).texts(texts("house_rules")), Some("house_rules"));
}

#[test]
fn words_that_another_text_includes_are_named_by_it() {
    let files = [
        ("shared/default.txt", "Be kind."),
        ("identity/default.txt", "You are Rex. {% include 'shared/default.txt' %}"),
    ];
    let texts = Texts::shipped().with(files).unwrap();
    check(&SystemPrompt::default().texts(texts), None);
}

/// Adds the rules of a house to the prompts of one family.
struct House(&'static str);

impl Contribution for House {
    fn contribute(&self, _: &PromptContext, family: &Family) -> Option<Contributed> {
        (family.name() == self.0).then(|| Contributed::new().suffix("house_rules"))
    }
}

#[test]
fn what_is_not_known_before_it_runs_is_not_judged() {
    let built = SystemPrompt::build(|prompt, _| {
        prompt.module("house_rules");
        Ok(())
    });
    check(&built.texts(texts("house_rules")), None);
    for prompt in [with_words("identiy"), with_words("house_rules")] {
        check(&prompt.clone().contribution(House("elsewhere")), None);
        check(&prompt.contribution(Gpt5Overlay::default()), None);
    }
    let both = texts("identiy").with([("house_rules/default.txt", "Words.")]).unwrap();
    let prompt = SystemPrompt::default().texts(both).contribution(House("google"));
    check(&prompt, Some("identiy"));
}

#[test]
fn a_stray_folder_does_not_keep_a_prompt_from_being_rendered() {
    let prompt = with_words("identiy");
    assert!(!prompt.prepare(&PromptContext::default()).unwrap().is_empty());
}
