//! Directives: what an answer says to the program that runs the stages.

use std::time::Instant;

use brute_prompts::{
    Texts,
    directive::{Directive, context_updates, simulated_response},
    preamble::Outcome,
};
use proptest::prelude::*;
use serde_json::json;

#[track_caller]
fn check(answer: &str, expected: Option<&Directive>) {
    assert_eq!(Directive::find(answer).as_ref(), expected, "{answer}");
}

#[track_caller]
fn check_outcome(answer: &str, outcome: Outcome) {
    check(answer, Some(&Directive { outcome: Some(outcome), ..Directive::default() }));
}

#[test]
fn every_key_is_read() {
    let answer = json!({
        "outcome": "failed",
        "failure_reason": "two tests",
        "preferred_next_label": "retry",
        "suggested_next_ids": ["fix", "test"],
        "context_updates": { "tries": 2 },
        "something_else": true,
    });
    let Some(directive) = Directive::find(&format!("Sorry.\n```json\n{answer:#}\n```\nBye."))
    else {
        panic!("no directive is found")
    };
    assert_eq!(directive.outcome, Some(Outcome::Failed));
    assert_eq!(directive.failure_reason.as_deref(), Some("two tests"));
    assert_eq!(directive.preferred_next_label.as_deref(), Some("retry"));
    assert_eq!(directive.suggested_next_ids, ["fix", "test"]);
    assert_eq!(directive.context_updates["tries"], 2);
}

#[test]
fn the_last_object_counts() {
    check_outcome(
        r#"{"outcome":"failed"} then {"outcome":"success"} and {"other":1}"#,
        Outcome::Success,
    );
}

#[test]
fn objects_without_a_key_are_passed_over() {
    check("", None);
    check("no object at all", None);
    check(r#"{} {"result":{"outcome":"success"}} {"Outcome":"success"}"#, None);
}

#[test]
fn an_object_inside_of_a_directive_belongs_to_it() {
    let answer = r#"{"outcome":"success","context_updates":{"inner":{"outcome":"failed"}}}"#;
    let directive = Directive::find(answer).unwrap();
    assert_eq!(directive.outcome, Some(Outcome::Success));
    assert_eq!(directive.context_updates["inner"], json!({ "outcome": "failed" }));
}

#[test]
fn braces_and_quotes_in_texts_do_not_mislead() {
    check_outcome(r#"{"outcome":"retry","note":"a } b { \" } c"}"#, Outcome::Retry);
    check_outcome(r#"It's {not json} and "{" is odd: {"outcome":"skipped"}"#, Outcome::Skipped);
    check_outcome(r#"{ {"outcome":"success"}"#, Outcome::Success);
    check_outcome(r#"{"open": {"outcome":"success"}"#, Outcome::Success);
    check_outcome(
        r#"fn main() { println!("{{}}"); } {"outcome":"partial_success"}"#,
        Outcome::PartialSuccess,
    );
}

#[test]
fn what_is_not_well_formed_is_passed_over() {
    check(r#"{"outcome":"success",}"#, None);
    check(r#"{"outcome":"success""#, None);
    check(r"{'outcome':'success'}", None);
}

#[test]
fn an_unknown_outcome_is_ignored() {
    check(r#"{"outcome":"splendid"}"#, Some(&Directive::default()));
    check(
        r#"{"outcome":1,"suggested_next_ids":"fix","context_updates":[1]}"#,
        Some(&Directive::default()),
    );
    let mixed = r#"{"suggested_next_ids":["a",1,null,"b"]}"#;
    assert_eq!(Directive::find(mixed).unwrap().suggested_next_ids, ["a", "b"]);
}

#[test]
fn a_reason_counts_only_for_a_failure() {
    for outcome in [r#""outcome":"success","#, r#""outcome":"nonsense","#, ""] {
        let answer = format!(r#"{{{outcome}"failure_reason":"x"}}"#);
        assert_eq!(Directive::find(&answer).unwrap().failure_reason, None, "{answer}");
    }
}

#[test]
fn a_hostile_answer_takes_no_time() {
    let start = Instant::now();
    for piece in ["{", "{\"", "{\"a\":", "{\"a\":[", "{\"\\", "[{", "{\"a\":1,"] {
        check(&piece.repeat(5_000), None);
    }
    let wide = format!("{{\"x\":[{}0],\"a\":", "0,".repeat(200));
    check(&wide.repeat(100), None);
    assert!(start.elapsed().as_secs() < 15, "{:?}", start.elapsed());
}

#[test]
fn a_stage_leaves_its_name_and_its_answer() {
    let updates = context_updates("plan", "First the tests.");
    assert_eq!(
        json!(updates),
        json!({ "last_response": "First the tests.", "last_stage": "plan", "response.plan": "First the tests." })
    );
}

#[test]
fn the_answer_at_hand_is_cut_between_characters() {
    let answer = "é".repeat(201);
    let updates = context_updates("a", &answer);
    assert_eq!(updates["last_response"], "é".repeat(200));
    assert_eq!(updates["response.a"], answer);
}

#[test]
fn a_stage_without_a_model_has_a_simulated_answer_with_its_name() {
    let text = simulated_response(&Texts::shipped(), "{{ plan }}").unwrap();
    assert!(text.contains("{{ plan }}"), "{text}");
}

proptest! {
    #[test]
    fn any_answer_has_a_directive_or_none(answer in any::<String>(), marks in "[{}\\[\\]\":,\\\\a0 ]{0,120}") {
        let _ = Directive::find(&answer);
        let _ = Directive::find(&marks);
    }

    #[test]
    fn a_directive_at_the_end_is_found_behind_anything(text in any::<String>(), marks in "[^{]{0,60}") {
        let found = Directive::find(&format!("{text}{marks}\n{{\"outcome\":\"success\"}}"));
        // Only an opening quote within an object that never ends can swallow it.
        if !text.contains('{') {
            prop_assert_eq!(found.unwrap().outcome, Some(Outcome::Success));
        }
    }

    #[test]
    fn a_directive_reads_back(label in any::<String>(), ids in proptest::collection::vec(any::<String>(), 0..4)) {
        let directive = Directive { preferred_next_label: Some(label), suggested_next_ids: ids, ..Directive::default() };
        let json = serde_json::to_string(&directive).unwrap();
        prop_assert_eq!(Directive::find(&json), Some(directive));
    }
}
