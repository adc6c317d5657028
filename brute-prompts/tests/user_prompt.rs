//! User prompts: what stands in for what, what a template may read, and that data stays data.

use brute_prompts::{
    PromptError, PromptErrorKind, Severity,
    user_prompt::{Bundle, Inputs, NoReferences, PreparedPrompt, UserPrompt},
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn prepare(prompt: &UserPrompt) -> Result<PreparedPrompt, PromptError> {
    prompt.prepare(&NoReferences)
}

/// Renders a text with a goal and inputs.
fn filled(text: &str, goal: &str, inputs: Value) -> Result<String, PromptError> {
    let Value::Object(inputs) = inputs else { panic!("inputs are an object") };
    let prompt = UserPrompt::new(text).goal(goal).inputs(inputs).lenient();
    prepare(&prompt).map(|prepared| prepared.text)
}

#[track_caller]
fn check(text: &str, goal: &str, inputs: Value, expected: &str) {
    assert_eq!(filled(text, goal, inputs).unwrap(), expected);
}

#[track_caller]
fn check_refused(text: &str, kind: PromptErrorKind, mentions: &[&str]) {
    let error = filled(text, "g", json!({ "name": "x", "deep": { "a": 1 } })).unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    for part in mentions {
        assert!(error.to_string().contains(part), "{part:?} is not in {error}");
    }
}

#[test]
fn goal_and_inputs_go_into_the_text() {
    check("Do {{ goal }}.", "it", json!({}), "Do it.");
    check(
        "{{ inputs.count + 1 }} {{ inputs.on }}",
        "",
        json!({ "count": 2, "on": true }),
        "3 True",
    );
    check("{{ inputs.target.os }}", "", json!({ "target": { "os": "linux" } }), "linux");
    check(
        "{% for f in inputs.files %}{{ f }};{% endfor %}",
        "",
        json!({ "files": ["a", "b"] }),
        "a;b;",
    );
}

#[test]
fn an_input_with_a_type_decides() {
    let text = "{% if inputs.enabled %}on{% else %}off{% endif %}";
    check(text, "", json!({ "enabled": true }), "on");
    check(text, "", json!({ "enabled": false }), "off");
}

#[test]
fn an_empty_goal_renders_to_nothing() {
    check("[{{ goal }}]", "", json!({}), "[]");
}

#[test]
fn data_is_never_rendered() {
    check("{{ goal }}", "{{ goal }} {% raw %}", json!({}), "{{ goal }} {% raw %}");
    check("{{ inputs.a }}", "", json!({ "a": "{{ 7 * 7 }}{# gone #}" }), "{{ 7 * 7 }}{# gone #}");
}

#[test]
fn what_is_no_template_stays_as_it_is() {
    for text in ["It costs $5 & more <b>.\r\n", "a { b } c", "100 %} #}\n\n"] {
        check(text, "goal", json!({}), text);
    }
}

#[test]
fn the_last_line_break_stays_whether_or_not_anything_is_filled_in() {
    check("plain\n", "", json!({}), "plain\n");
    check("{{ goal }}\n", "filled", json!({}), "filled\n");
}

#[test]
fn nothing_is_escaped_and_raw_text_stays_raw() {
    check("{{ goal }}", "<a href='x'>&\"", json!({}), "<a href='x'>&\"");
    check("{% raw %}{{ goal }}{% endraw %}", "", json!({}), "{{ goal }}");
}

#[test]
fn a_name_that_does_not_exist_is_refused_with_those_that_do() {
    check_refused("{{ gaol }}", PromptErrorKind::Undefined, &["`gaol`", "prompt, line 1", "goal"]);
    check_refused("a\n{{ inputs.nmae }}", PromptErrorKind::Undefined, &["line 2", "inputs.name"]);
    check_refused("{{ inputs.deep.b }}", PromptErrorKind::Undefined, &["inputs.deep.b"]);
    check_refused("{% if inputs.none %}a{% endif %}", PromptErrorKind::Undefined, &["inputs.none"]);
}

#[test]
fn a_wrong_template_is_refused() {
    check_refused("{{ goal", PromptErrorKind::Syntax, &["prompt"]);
    check_refused("{{ goal | shout }}", PromptErrorKind::UnknownFilter, &["shout"]);
    check_refused("{% include 'x' %}", PromptErrorKind::MissingTemplate, &["x"]);
    check_refused("{{ 1 / 0 }}", PromptErrorKind::Render, &["prompt"]);
    check_refused(
        "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
        PromptErrorKind::Fuel,
        &["prompt"],
    );
}

#[test]
fn without_a_goal_the_goal_does_not_exist() {
    let error = prepare(&UserPrompt::new("{{ goal }}")).unwrap_err();
    assert_eq!((error.kind(), error.variable()), (PromptErrorKind::Undefined, Some("goal")));
}

#[test]
fn the_environment_is_closed_unless_it_is_opened_by_name() {
    let text = "{{ env.HOME_PLANET }}";
    assert_eq!(prepare(&UserPrompt::new(text)).unwrap_err().kind(), PromptErrorKind::Undefined);
    let opened = UserPrompt::new(text).environment([("HOME_PLANET", "{{ Mars }}")]);
    assert_eq!(prepare(&opened).unwrap().text, "{{ Mars }}");
    let other = UserPrompt::new("{{ env.PATH }}").environment([("HOME_PLANET", "Mars")]);
    let error = prepare(&other).unwrap_err();
    assert_eq!((error.kind(), error.variable()), (PromptErrorKind::Undefined, Some("env.PATH")));
}

#[track_caller]
fn check_source(prompt: &UserPrompt, text: &str, source: &str) {
    let prepared = prepare(prompt).unwrap();
    assert_eq!((prepared.text.as_str(), prepared.source.as_str()), (text, source));
}

#[test]
fn label_and_id_stand_in_for_a_blank_text() {
    check_source(&UserPrompt::new("Say hi.").label("Greet").id("greet"), "Say hi.", "prompt");
    for blank in ["", " \n\t", "{% if false %}never{% endif %}"] {
        check_source(&UserPrompt::new(blank).label("Greet").id("greet"), "Greet", "label");
        check_source(&UserPrompt::new(blank).label("  ").id("greet"), "greet", "id");
        check_source(&UserPrompt::new(blank).id("greet"), "greet", "id");
    }
}

#[test]
fn a_label_is_a_template_and_an_id_is_not() {
    check_source(
        &UserPrompt::new("").label("Reach {{ goal }}").goal("Rome"),
        "Reach Rome",
        "label",
    );
    check_source(&UserPrompt::new("").id("{{ goal }}").goal("Rome"), "{{ goal }}", "id");
}

#[test]
fn a_label_is_no_reference() {
    check_source(&UserPrompt::new("").label("@team"), "@team", "label");
}

#[test]
fn nothing_at_all_is_refused() {
    let error = prepare(&UserPrompt::new(" ").label("\n").id("")).unwrap_err();
    assert_eq!(error.kind(), PromptErrorKind::Blank);
}

fn bundle() -> Bundle {
    Bundle::new([
        ("flows/review.md", "Review for {{ goal }}.\n"),
        ("./flows/deep/../goal.md", "\u{feff}@rules.md {{ goal }}"),
        ("rules.md", "Be kind."),
        ("empty.md", " \r\n"),
        ("../outside.md", "no"),
    ])
}

#[track_caller]
fn check_bundled(text: &str, expected: &str) {
    let prompt = UserPrompt::new(text).goal("@goal.md").label("Fallback");
    let prepared = prompt.prepare(&bundle().beside("flows/review.md")).unwrap();
    assert_eq!(prepared.text, expected);
    assert_eq!(prepared.goal.as_deref(), Some("@rules.md {{ goal }}"));
}

#[test]
fn a_file_stands_in_for_text_and_goal_and_is_not_searched_again() {
    check_bundled("@review.md", "Review for @rules.md {{ goal }}.\n");
    check_bundled("@./deep/.././review.md", "Review for @rules.md {{ goal }}.\n");
    check_bundled("@../rules.md", "Be kind.");
    check_bundled("See @rules.md", "See @rules.md");
    check_bundled(" @rules.md", " @rules.md");
}

#[test]
fn a_blank_file_is_an_absent_prompt() {
    check_bundled("@../empty.md", "Fallback");
}

#[test]
fn the_whole_rest_is_the_path() {
    for path in [
        "@review.md ",
        "@review.md\n",
        "@",
        "@/rules.md",
        "@../../rules.md",
        "@no.md",
        "@../outside.md",
    ] {
        let prompt = UserPrompt::new(path);
        let error = prompt.prepare(&bundle().beside("flows/x")).unwrap_err();
        assert_eq!(error.kind(), PromptErrorKind::NotFound, "{path:?}: {error}");
    }
}

#[test]
fn a_lenient_prompt_keeps_a_reference_that_leads_nowhere() {
    let prepared = UserPrompt::new("@bob, hi").lenient().prepare(&bundle()).unwrap();
    assert_eq!(prepared.text, "@bob, hi");
    let [diagnostic] = prepared.diagnostics.as_slice() else { panic!("{prepared:?}") };
    assert_eq!((diagnostic.kind, diagnostic.severity), ("reference_missing", Severity::Info));
}

#[track_caller]
fn check_inputs(pairs: &[&str], expected: &Value) {
    assert_eq!(&serde_json::to_value(Inputs::parse(pairs).unwrap()).unwrap(), expected);
}

#[test]
fn inputs_have_the_type_that_they_are_written_in() {
    check_inputs(
        &["on=true", "off=false", "n=3", "minus=-3", "text=three", "quoted=\"3\"", "empty="],
        &json!({ "on": true, "off": false, "n": 3, "minus": -3, "text": "three", "quoted": "3", "empty": "" }),
    );
    check_inputs(
        &[r#"list=["a", 1]"#, r#"o={"a":{"b":1}}"#],
        &json!({ "list": ["a", 1], "o": { "a": { "b": 1 } } }),
    );
}

#[test]
fn what_a_number_would_spoil_is_text() {
    check_inputs(
        &[
            "version=1.10",
            "agent=007",
            "big=123456789012345678901234567890",
            "e=1e3",
            "nothing=null",
        ],
        &json!({ "version": "1.10", "agent": "007", "big": "123456789012345678901234567890", "e": "1e3", "nothing": "null" }),
    );
}

#[test]
fn inputs_nest_and_the_last_value_counts() {
    check_inputs(&["a.b.c=1", "a.b.d=2", "a.b.c=3"], &json!({ "a": { "b": { "c": 3, "d": 2 } } }));
    check_inputs(&["eq=a=b", "spaced = x "], &json!({ "eq": "a=b", "spaced": " x " }));
}

#[test]
fn inputs_that_make_no_sense_are_refused() {
    for pairs in [&["novalue"][..], &["=x"], &["a..b=1"], &[".a=1"], &["a=1", "a.b=2"]] {
        let error = Inputs::parse(pairs).unwrap_err();
        assert_eq!(error.kind(), PromptErrorKind::InvalidName);
        assert!(error.to_string().contains(pairs.last().unwrap()), "{error}");
    }
}

proptest! {
    #[test]
    fn whatever_the_goal_and_inputs_hold_goes_in_letter_by_letter(goal in any::<String>(), value in any::<String>()) {
        let text = filled("<{{ goal }}|{{ inputs.value }}>", &goal, json!({ "value": &value }));
        prop_assert_eq!(text.unwrap(), format!("<{goal}|{value}>"));
    }

    #[test]
    fn braces_in_data_are_never_rendered(data in "[{}%# a-z|.0-9*]{0,40}") {
        let text = filled("{{ goal }}{{ inputs.a }}", &data, json!({ "a": &data })).unwrap_or_default();
        prop_assert_eq!(text, if data.trim().is_empty() { String::new() } else { data.repeat(2) });
    }

    #[test]
    fn any_text_is_a_prompt_or_an_error(text in any::<String>(), braces in "[{}%# a-z.|\"'()]{0,60}") {
        for text in [text, braces] {
            let prompt = UserPrompt::new(&text).goal("g").lenient();
            if let Ok(prepared) = prepare(&prompt) {
                prop_assert!(!prepared.text.trim().is_empty());
            }
        }
    }

    #[test]
    fn any_pair_is_an_input_or_an_error(pair in any::<String>(), value in any::<String>()) {
        let _ = Inputs::parse([&pair]);
        let inputs = Inputs::parse([format!("name={value}")]).unwrap();
        prop_assert!(inputs.get("name").is_some());
    }
}
