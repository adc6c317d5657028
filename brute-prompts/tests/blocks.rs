//! A prompt in blocks for caches, and split for hosts.

use std::sync::Arc;

use brute_prompts::{
    Family, GitFacts, Module, PromptContext, Rendered, SystemPrompt, Zone, split_at_boundary,
};
use proptest::prelude::*;

const MARKER: &str = "<!-- boundary -->";

fn ctx(family: &Family, cwd: &str) -> PromptContext {
    PromptContext {
        family: Some(family.clone()),
        cwd: Some(cwd.into()),
        custom_rules: Some("Use tabs.".into()),
        git: Some(Arc::new(GitFacts::default())),
        ..PromptContext::default()
    }
}

fn rendered(cwd: &str) -> Rendered {
    SystemPrompt::default().append("git_status").prepare(&ctx(&Family::DEFAULT, cwd)).unwrap()
}

fn joined(rendered: &Rendered) -> String {
    rendered.blocks().iter().map(|block| block.text.as_str()).collect()
}

#[test]
fn there_is_one_block_for_each_zone_and_two_can_be_marked() {
    for family in Family::ALL {
        let prompt = SystemPrompt::default().append("git_status");
        let rendered = prompt.prepare(&ctx(&family, "/srv")).unwrap();
        let blocks = rendered.blocks();
        let zones: Vec<_> = blocks.iter().map(|block| block.zone).collect();
        assert_eq!(zones, [Zone::Static, Zone::Session, Zone::Dynamic], "{family}");
        assert_eq!(blocks.iter().filter(|block| block.is_cacheable()).count(), 2);
        assert_eq!(joined(&rendered), rendered.text());
    }
}

#[test]
fn a_prompt_of_one_zone_is_one_block_and_an_empty_one_is_none() {
    let one = SystemPrompt::new(["identity"]).prepare(&PromptContext::default()).unwrap();
    assert_eq!((one.blocks().len(), joined(&one)), (1, one.text()));
    assert!(Rendered::default().blocks().is_empty());
}

#[test]
fn blocks_in_front_of_a_change_keep_their_bytes() {
    let (one, other) = (rendered("/srv/one").blocks(), rendered("/srv/two").blocks());
    assert_eq!(one[0], other[0]);
    assert_ne!(one[1], other[1]);
}

#[test]
fn the_key_of_a_cache_changes_with_what_is_stable_only() {
    let key = |ctx: &PromptContext| {
        SystemPrompt::default().append("git_status").prepare(ctx).unwrap().cache_key()
    };
    let one = ctx(&Family::DEFAULT, "/srv/one");
    assert_eq!(key(&one), key(&one.clone()));
    let git = GitFacts { branch: Some("other".into()), ..GitFacts::default() };
    assert_eq!(key(&one), key(&PromptContext { git: Some(Arc::new(git)), ..one.clone() }));
    assert_ne!(key(&one), key(&ctx(&Family::DEFAULT, "/srv/two")));
    let text = SystemPrompt::new([Module::text("a", "a")]);
    assert_eq!(text.prepare(&one).unwrap().cache_key(), "af63dc4c8601ec8c");
}

#[test]
fn stable_and_dynamic_sections_are_the_whole() {
    let rendered = rendered("/srv");
    let dynamic: Vec<_> = rendered.dynamic().iter().map(|section| &*section.name).collect();
    assert_eq!(dynamic, ["git_status"]);
    assert_eq!([rendered.stable(), rendered.dynamic()].concat(), rendered.sections());
}

#[test]
fn a_boundary_is_written_on_request_and_found_again() {
    let rendered = rendered("/srv");
    let text = rendered.text_with_boundary(MARKER);
    let (stable, dynamic) = split_at_boundary(&text, MARKER);
    assert!(stable.ends_with("</project_rules>") && dynamic.unwrap().starts_with("# Git status"));
    assert_eq!(format!("{stable}\n\n{}", dynamic.unwrap()), rendered.text());
    assert!(!rendered.text().contains(MARKER));
}

#[test]
fn without_dynamic_sections_the_boundary_is_the_end() {
    let one = SystemPrompt::new(["identity"]).prepare(&PromptContext::default()).unwrap();
    let text = one.text_with_boundary(MARKER);
    assert_eq!(split_at_boundary(&text, MARKER), (one.text().as_str(), Some("")));
}

#[track_caller]
fn check_split(text: &str, expected: (&str, Option<&str>)) {
    assert_eq!(split_at_boundary(text, MARKER), expected);
}

#[test]
fn a_text_is_split_at_the_first_line_that_is_the_marker() {
    check_split(
        "a\n\n<!-- boundary -->\n\n b\n<!-- boundary -->\nc",
        ("a", Some("b\n<!-- boundary -->\nc")),
    );
    check_split("see <!-- boundary --> here", ("see <!-- boundary --> here", None));
    check_split("<!-- boundary -->", ("", Some("")));
    check_split("", ("", None));
}

#[test]
fn what_differs_between_users_can_be_moved_out() {
    let (one, one_moved) = rendered("/srv/one").split_at(Zone::Session);
    let (other, other_moved) = rendered("/srv/two").split_at(Zone::Session);
    assert_eq!(one.text(), other.text());
    assert!(one.iter().all(|section| section.zone == Zone::Static));
    assert!(one_moved.text().contains("/srv/one") && other_moved.text().contains("/srv/two"));
    let (all, none) = rendered("/srv").split_at(Zone::Dynamic);
    assert_eq!((all.sections().len(), none.sections().len()), (11, 1));
}

fn zone() -> impl Strategy<Value = Zone> {
    prop_oneof![Just(Zone::Static), Just(Zone::Session), Just(Zone::Dynamic)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn blocks_of_any_prompt_are_few_and_together_the_text(
        parts in proptest::collection::vec((any::<String>(), zone()), 0..9),
    ) {
        let modules = parts.iter().map(|(words, _)| Module::text("part", words.as_str()));
        let zones: Vec<Zone> = parts.iter().filter(|part| !part.0.trim().is_empty()).map(|part| part.1).collect();
        let prompt = SystemPrompt::new(modules).on_sections(move |sections, _| {
            for (section, zone) in sections.iter_mut().zip(&zones) {
                section.zone = *zone;
            }
        });
        let rendered = prompt.prepare(&PromptContext::default()).unwrap();
        prop_assert!(rendered.blocks().len() <= 3);
        prop_assert_eq!(joined(&rendered), rendered.text());
        prop_assert!(rendered.blocks().is_sorted_by_key(|block| block.zone));
    }
}
