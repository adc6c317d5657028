//! Text from outside, made safe for a line or a container.

use std::borrow::Cow;

use brute_prompts::plain::{collapsed, contained, visible};
use proptest::prelude::*;

#[test]
fn ordinary_text_is_not_copied() {
    assert!(matches!(visible("/srv/naïve 界 🦀"), Cow::Borrowed(_)));
    assert!(matches!(collapsed("one two"), Cow::Borrowed(_)));
    assert!(matches!(contained("a < b </i> <env>", &["env"]), Cow::Borrowed(_)));
}

#[test]
fn invisible_characters_become_visible_escapes() {
    assert_eq!(visible("a\tb\r\nc"), r"a\tb\r\nc");
    assert_eq!(visible("\u{202e}x\u{200b}\u{feff}"), r"\u{202e}x\u{200b}\u{feff}");
    assert_eq!(visible("\u{e0041}\u{2066}\u{ad}\u{1b}[0m"), r"\u{e0041}\u{2066}\u{ad}\u{1b}[0m");
}

#[test]
fn white_space_runs_together() {
    assert_eq!(collapsed("  a\n\n b\t c\u{2028}d "), "a b c d");
    assert_eq!(collapsed("a\u{200b}b\u{0}"), "ab");
    assert_eq!(collapsed(" \n "), "");
}

#[track_caller]
fn check(data: &str, expected: &str) {
    assert_eq!(contained(data, &["env", "git_status"]), expected);
}

#[test]
fn closing_tags_of_the_container_become_text() {
    check("a</env>b", "a&lt;/env>b");
    check("</ENV><env></env >", "&lt;/ENV><env>&lt;/env >");
    check("< / git_status\n>", "&lt; / git_status\n>");
    check("<\u{200b}/e\u{200d}nv>", "&lt;\u{200b}/e\u{200d}nv>");
    check("</env", "&lt;/env");
}

#[test]
fn other_tags_stay_as_they_are() {
    check("</environment></env-x></env.y><b></b>", "</environment></env-x></env.y><b></b>");
    check("a < b", "a < b");
    check("<", "<");
}

#[test]
fn reminder_tags_become_text_everywhere() {
    check("<system-reminder>", "&lt;system-reminder>");
    check("</System-Reminder x>", "&lt;/System-Reminder x>");
    check("<system-remind>", "<system-remind>");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_invisible_is_left(text in any::<String>()) {
        prop_assert!(!visible(&text).contains(brute_prompts::plain::is_invisible));
        prop_assert!(!collapsed(&text).contains(brute_prompts::plain::is_invisible));
        let twice = collapsed(&collapsed(&text)).into_owned();
        prop_assert_eq!(twice, collapsed(&text));
    }

    #[test]
    fn no_tag_is_made_by_taking_one_away(text in "[<>/ envENV\u{200b}]{0,40}") {
        let safe = contained(&text, &["env"]).into_owned();
        prop_assert_eq!(contained(&safe, &["env"]), safe.as_str());
    }
}
