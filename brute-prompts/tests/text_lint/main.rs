//! Reads every text for the model, raw and rendered, and holds it to the rules of the house.

mod limits;
mod names;
mod raw;
mod words;

use raw::{RULES, RawText};

/// Applies all rules to all texts and lists everything that is wrong at once.
#[test]
fn every_text_keeps_the_rules() {
    let texts = raw::texts();
    let complaints: Vec<_> = texts.iter().flat_map(raw_complaints).collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

fn raw_complaints(raw: &RawText) -> Vec<String> {
    let place = format!("{}/{}.txt", raw.module, raw.family);
    let of = |(name, rule): &raw::RawRule| -> Vec<String> {
        rule(raw).iter().map(|what| format!("{place}: {name}: {what}")).collect()
    };
    RULES.iter().flat_map(of).collect()
}

/// One bad text for each rule.
#[test]
fn each_rule_for_raw_texts_catches_its_fault() {
    let faults = [
        ("a tool is named through its variable", "Open it with `read`.\n"),
        ("a tool is named through its variable", "Never use glob here.\n"),
        ("a variable is declared for the kind of text", "You are in {{ cwd }}.\n"),
        ("a variable is declared for the kind of text", "Use `{{ tools.hammer }}`.\n"),
        ("a variable is declared for the kind of text", "Use {{ tools.read.\n"),
        ("a text speaks to the model as you", "We like tests.\n"),
        ("a text speaks to the model as you", "You read, and the agent writes.\n"),
        ("a static text holds nothing that varies or sells", "It is 2026.\n"),
        ("a static text holds nothing that varies or sells", "Look into /etc first.\n"),
        ("a static text holds nothing that varies or sells", "You are Claude.\n"),
        ("a text is plain ASCII", "Caf\u{e9}.\n"),
        ("lines end clean", "A sentence. \n"),
        ("a text begins and ends without a blank line", "A sentence.\n\n"),
        ("a text has at least one sentence", "nothing\n"),
    ];
    for (name, text) in faults {
        let raw = RawText { module: "x".into(), family: "default".into(), text: text.into() };
        let rule = RULES.iter().find(|rule| rule.0 == name).unwrap();
        assert!(!rule.1(&raw).is_empty(), "{name} accepts {text:?}");
    }
}
