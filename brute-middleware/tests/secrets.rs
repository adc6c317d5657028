//! Secrets are found in every form that they take.

use brute_middleware::Secrets;
use proptest::prelude::*;
use serde_json::{Value, json};

const ODD: &str = "pa\"ss\\wo/rd é<&'> ";

#[track_caller]
fn check(secret: &str, text: &str, expected: &str) {
    assert_eq!(Secrets::new([secret]).redact(text), expected);
}

#[test]
fn a_secret_goes_wherever_it_stands() {
    check("sk-1", "sk-1", "[redacted]");
    check("sk-1", "a sk-1sk-1 b", "a [redacted][redacted] b");
    check("sk-1", "sk-2 SK-1", "sk-2 SK-1");
    check(" sk-1\n", "key: sk-1;", "key: [redacted];");
}

#[test]
fn a_secret_goes_in_the_forms_of_json_xml_and_addresses() {
    let ascii = "\"pa\\\"ss\\\\wo\\/rd \\u00e9<&'>\"";
    assert_eq!(serde_json::from_str::<String>(ascii).unwrap(), ODD.trim());
    let once = Value::from(ODD.trim()).to_string();
    let twice = Value::from(once.as_str()).to_string();
    for text in [
        ODD.trim(),
        &once,
        &twice,
        "pa\\\"ss\\\\wo/rd \\u00e9<&'>",
        "pa&quot;ss\\wo/rd é&lt;&amp;&#39;&gt;",
        "pa%22ss%5Cwo%2Frd%20%C3%A9%3C%26%27%3E",
        &ODD.trim().escape_debug().to_string(),
        &ODD.trim().escape_default().to_string(),
    ] {
        let redacted = Secrets::new([ODD]).redact(text).into_owned();
        assert!(
            redacted.contains("[redacted]") && !redacted.contains("rd"),
            "{text} -> {redacted}"
        );
    }
}

#[test]
fn every_line_of_a_long_secret_is_one() {
    let key = "-----BEGIN-----\nabcdefghijkl\nmnopqrstuvwx\n";
    check(key, "> -----BEGIN-----\n> abcdefghijkl\n> mno", "> [redacted]\n> [redacted]\n> mno");
}

#[test]
fn secrets_that_overlap_go_together() {
    let secrets = Secrets::new(["abcd", "cdef", "bc", "aa"]);
    assert_eq!(secrets.redact("xabcdefx bc aaa"), "x[redacted]x [redacted] [redacted]");
}

#[test]
fn nothing_is_no_secret() {
    for secrets in [Secrets::default(), Secrets::new(["", " \n"])] {
        assert!(secrets.is_empty());
        assert_eq!(secrets.redact("a b"), "a b");
    }
}

#[test]
fn keys_and_texts_of_a_value_are_looked_through() {
    let mut value = json!({ "sk-1": ["sk-1", { "a": "x sk-1", "n": 1 }], "b": null });
    Secrets::new(["sk-1"]).redact_value(&mut value);
    let expected =
        json!({ "[redacted]": ["[redacted]", { "a": "x [redacted]", "n": 1 }], "b": null });
    assert_eq!(value, expected);
}

#[test]
fn a_secret_is_not_shown_by_its_keeper() {
    assert!(!format!("{:?}", Secrets::new(["sk-canary"])).contains("canary"));
}

proptest! {
    #[test]
    fn no_text_keeps_a_secret(secret in "[a-z\"\\\\/<&é \n]{3,12}", before in any::<String>(), after in any::<String>()) {
        let secret = secret.trim();
        prop_assume!(secret.len() > 2 && !"[redacted]".contains(secret));
        let secrets = Secrets::new([secret]);
        let text = format!("{before}{secret}{after}{}", Value::from(secret));
        prop_assert!(!secrets.redact(&text).contains(secret));
    }

    #[test]
    fn a_text_without_secrets_stays(text in any::<String>()) {
        prop_assert_eq!(Secrets::new(["sk-canary-123"]).redact(&text), text.as_str());
    }
}
