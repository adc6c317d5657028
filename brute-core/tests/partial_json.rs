//! What is read of a JSON text that is still to come never disagrees with the whole.

use std::time::{Duration, Instant};

use brute_core::partial_json;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        proptest::num::f64::NORMAL.prop_map(Value::from),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            members(inner).prop_map(Value::from),
        ]
    })
}

/// Texts full of what must be escaped, and of what looks like JSON.
fn any_text() -> impl Strategy<Value = String> {
    let odd =
        ["\"", "\\", "\\u", "\n", "\u{1}", "{", "}", "[", "]", ",", ":", "é", "🦀", "a", "\\\""];
    prop_oneof![
        any::<String>(),
        prop::collection::vec(prop::sample::select(odd.to_vec()), 0..12)
            .prop_map(|pieces| pieces.concat()),
    ]
}

fn members(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec((any_text(), value), 0..5)
        .prop_map(|members| members.into_iter().collect())
}

/// Writes a text with every letter beyond ASCII as an escape, as many models do.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if letter.is_ascii() {
            escaped.push(letter);
        } else {
            let units = letter.encode_utf16(&mut [0; 2]).to_vec();
            escaped.extend(units.iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    escaped
}

/// Tells whether a part agrees with the whole as far as it goes.
fn agrees(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::String(part), Value::String(whole)) => whole.starts_with(part.as_str()),
        (Value::Array(part), Value::Array(whole)) => {
            part.len() <= whole.len()
                && part.iter().zip(whole).all(|(part, whole)| agrees(part, whole))
        }
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(key, part)| whole.get(key).is_some_and(|whole| agrees(part, whole)))
        }
        (part, whole) => part == whole,
    }
}

/// Counts everything in a value, to see that it never gets less.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => 1 + text.len(),
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(size).sum::<usize>(),
        _ => 1,
    }
}

fn prefixes(text: &str) -> impl Iterator<Item = &str> {
    (0..=text.len()).filter(|end| text.is_char_boundary(*end)).map(|end| &text[..end])
}

/// Checks all prefixes of a text: each agrees with the whole, and no later one knows less.
#[track_caller]
fn check_prefixes(text: &str, whole: &Value) {
    let mut known = 0;
    for prefix in prefixes(text) {
        let Some(part) = partial_json(prefix) else {
            assert_eq!(known, 0, "{prefix} is not read although its beginning was");
            continue;
        };
        assert!(agrees(&part, whole), "{prefix} was read as {part}");
        assert!(size(&part) >= known, "{prefix} was read as {part}, which is less than before");
        known = size(&part);
    }
    assert_eq!(partial_json(text).as_ref(), Some(whole));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_prefix_of_an_object_agrees_with_the_whole(object in members(any_json())) {
        let whole = Value::from(object);
        check_prefixes(&whole.to_string(), &whole);
        check_prefixes(&serde_json::to_string_pretty(&whole).unwrap(), &whole);
        check_prefixes(&escaped(&whole.to_string()), &whole);
    }

}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in any::<String>()) {
        partial_json(&text);
    }

    #[test]
    fn no_text_of_the_signs_of_json_makes_it_panic(text in r#"[\[\]{}",:\\ud8c0-9tf. é🦀-]{0,40}"#) {
        partial_json(&text);
        partial_json(&format!("{{\"a\":\"{text}"));
    }

    #[test]
    fn no_escape_makes_it_panic(text in r#"(\\[u"ntd8cé🦀]{0,9}){0,6}"#) {
        partial_json(&format!("\"{text}"));
    }
}

#[track_caller]
fn check(text: &str, expected: impl Into<Option<Value>>) {
    assert_eq!(partial_json(text), expected.into(), "{text}");
}

#[test]
fn an_open_text_is_read_as_far_as_it_goes() {
    check(r#"{"path": "src/ma"#, json!({ "path": "src/ma" }));
    check(r#"{"path": ""#, json!({ "path": "" }));
    check(r#"{"a": ["x", "y"#, json!({ "a": ["x", "y"] }));
}

#[test]
fn a_member_without_a_value_is_left_out() {
    for text in [r#"{"a": 1, "#, r#"{"a": 1, "b"#, r#"{"a": 1, "b""#, r#"{"a": 1, "b":"#] {
        check(text, json!({ "a": 1 }));
    }
    check("{", json!({}));
    check(r#"{"a"#, json!({}));
}

#[test]
fn a_number_or_word_that_may_go_on_is_left_out() {
    for text in [r#"{"a": 1"#, r#"{"a": -"#, r#"{"a": 1."#, r#"{"a": 1e"#, r#"{"a": tr"#] {
        check(text, json!({}));
    }
    check(r#"{"a": [1, 2"#, json!({ "a": [1] }));
    check(r#"{"a": [1, 2]"#, json!({ "a": [1, 2] }));
}

#[test]
fn an_escape_that_may_go_on_is_left_out() {
    for text in [r#"{"a": "x\"#, r#"{"a": "x\u"#, r#"{"a": "x\u00"#, r#"{"a": "x\u00e"#] {
        check(text, json!({ "a": "x" }));
    }
    check(r#"{"a": "x\u00e9"#, json!({ "a": "xé" }));
    check(r#"{"a": "x\\"#, json!({ "a": "x\\" }));
    check(r#"{"a": "x\\u00"#, json!({ "a": "x\\u00" }));
}

#[test]
fn half_of_a_pair_of_escapes_waits_for_the_other_half() {
    for text in [r#"{"a": "x\ud83e"#, r#"{"a": "x\ud83e\"#, r#"{"a": "x\ud83e\udd8"#] {
        check(text, json!({ "a": "x" }));
    }
    check(r#"{"a": "x\ud83e\udd80"#, json!({ "a": "x🦀" }));
}

#[test]
fn what_can_never_become_json_is_nothing() {
    for text in ["", " ", "nonsense", "}", "]", r#"{"a": 1}}"#, ":", "\\", "{,", "[,", "[1,]"] {
        check(text, None);
    }
    for text in ["{1", r#"{"a" 1"#, r#"{"a": 1 2"#, r#"{"a": 01,"#, r#"{"a": truth"#] {
        check(text, None);
    }
    for text in
        [r#"["\x"#, r#"["\é"#, r#"["\u00é"#, r#"["\ud83ex"#, r#"["\ud83e\n"#, r#"["\udd80""#]
    {
        check(text, None);
    }
}

#[test]
fn a_whole_text_is_read_as_it_is() {
    for text in [r#"{"a": [1, null, "x"]}"#, "[]", "\"x\"", "12", " {} "] {
        assert_eq!(partial_json(text), serde_json::from_str(text).ok());
    }
}

#[test]
fn hostile_texts_cost_little() {
    let start = Instant::now();
    for text in ["[".repeat(1_000_000), "{\"a\":".repeat(200_000), "[[],".repeat(200_000)] {
        partial_json(&text);
    }
    let long = format!("{{\"a\": \"{}", "x\\n".repeat(1_000_000));
    assert!(partial_json(&long).is_some());
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
