//! The modes of preambles: their names, which one counts, and which conversation goes on.

use brute_prompts::{
    PromptErrorKind,
    preamble::{Outcome, PreambleMode, ThreadNames, short_count},
};

const NAMES: [&str; 6] =
    ["full", "truncate", "compact", "summary:low", "summary:medium", "summary:high"];

#[test]
fn every_mode_has_a_name_that_reads_back() {
    assert_eq!(PreambleMode::all().map(PreambleMode::name).collect::<Vec<_>>(), NAMES);
    for mode in PreambleMode::all() {
        assert_eq!(mode.to_string().parse::<PreambleMode>().unwrap(), mode);
        let json = serde_json::to_string(&mode).unwrap();
        assert_eq!(json, format!("\"{mode}\""));
        assert_eq!(serde_json::from_str::<PreambleMode>(&json).unwrap(), mode);
    }
}

#[test]
fn compact_is_the_default() {
    assert_eq!(PreambleMode::default().name(), "compact");
}

#[test]
fn another_name_is_refused_with_those_that_exist() {
    for name in ["", "Full", "summary", "summary:", "summary:huge", " full", "fu\nll"] {
        let error = name.parse::<PreambleMode>().unwrap_err();
        assert_eq!(error.kind(), PromptErrorKind::InvalidName);
        assert_eq!(error.known(), NAMES, "{name:?}");
        assert_eq!(error.to_string().lines().count(), 1);
    }
}

#[track_caller]
fn check(levels: [Option<&str>; 3], expected: &str) {
    assert_eq!(PreambleMode::choose(levels).name(), expected);
}

#[test]
fn the_transition_comes_before_the_stage_and_the_run() {
    check([Some("full"), Some("truncate"), Some("summary:low")], "full");
    check([None, Some("truncate"), Some("summary:low")], "truncate");
    check([None, None, Some("summary:low")], "summary:low");
    check([None, None, None], "compact");
}

#[test]
fn a_name_that_cannot_be_read_is_passed_over() {
    check([Some("ful"), Some("truncate"), None], "truncate");
    check([Some(""), Some("?"), Some("!")], "compact");
}

#[test]
fn a_conversation_that_is_gone_is_summed_up() {
    let resumed: Vec<_> = PreambleMode::all().map(|mode| mode.resumed().name()).collect();
    assert_eq!(resumed[0], "summary:high");
    assert_eq!(resumed[1..], NAMES[1..]);
}

#[test]
fn the_closest_name_of_a_conversation_counts() {
    let mut names = ThreadNames {
        transition: Some("a"),
        stage: Some("b"),
        run: Some("c"),
        group_classes: &["d", "x"],
        previous_stage: Some("e"),
    };
    assert_eq!(names.id(), Some("a"));
    names.transition = Some(" ");
    assert_eq!(names.id(), Some("b"));
    names.stage = None;
    assert_eq!(names.id(), Some("c"));
    names.run = None;
    assert_eq!(names.id(), Some("d"));
    names.group_classes = &[];
    assert_eq!(names.id(), Some("e"));
    names.previous_stage = None;
    assert_eq!(names.id(), None);
}

#[test]
fn outcomes_have_one_word_and_several_spellings() {
    let words = ["success", "partial_success", "failed", "retry", "skipped"];
    for word in words {
        assert_eq!(word.parse::<Outcome>().unwrap().to_string(), word);
        let json = format!("\"{word}\"");
        let outcome: Outcome = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_string(&outcome).unwrap(), json);
    }
    assert_eq!("succeeded".parse::<Outcome>().unwrap(), Outcome::Success);
    assert_eq!("fail".parse::<Outcome>().unwrap(), Outcome::Failed);
    assert_eq!("done".parse::<Outcome>().unwrap_err().known(), words);
}

#[test]
fn numbers_of_tokens_are_short() {
    for (count, text) in [
        (0, "0"),
        (999, "999"),
        (1_000, "1.0k"),
        (1_049, "1.0k"),
        (1_050, "1.1k"),
        (12_345, "12.3k"),
        (999_949, "999.9k"),
        (999_950, "1.0m"),
        (3_500_000, "3.5m"),
        (u64::MAX, "18446744073709.6m"),
    ] {
        assert_eq!(short_count(count), text);
    }
}
