//! Reads every text for the model, raw and rendered, and holds it to the rules of the house.

mod host;
mod host_facts;
mod hostile;
mod limits;
mod names;
mod pairs;
mod points;
mod profiles;
mod raw;
mod rendered;
mod runs;
mod stacks;
mod words;

use raw::RawText;
use stacks::{Mode, Offer, Part, Stack};

/// Fails with everything that is wrong, a line for each fault.
#[track_caller]
fn check(mut complaints: Vec<String>) {
    complaints.sort();
    complaints.dedup();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn every_text_keeps_the_rules() {
    check(raw::texts().iter().flat_map(raw_complaints).collect());
}

#[test]
fn every_rendered_prompt_keeps_the_rules() {
    check(stacks::all().iter().flat_map(rendered_complaints).collect());
}

#[test]
fn every_text_says_its_points_and_nothing_else() {
    check(points::complaints(&stacks::all()));
}

#[test]
fn no_sentence_could_go_without_a_point_being_lost() {
    check(points::repetitions(&stacks::all()));
}

#[test]
fn a_reader_has_seen_every_pair_of_sentences_that_pull_apart() {
    check(pairs::complaints());
}

fn raw_complaints(raw: &RawText) -> Vec<String> {
    let place = format!("{}/{}.txt", raw.module, raw.family);
    let of = |(name, rule): &raw::RawRule| -> Vec<String> {
        rule(raw).iter().map(|what| format!("{place}: {name}: {what}")).collect()
    };
    raw::RULES.iter().flat_map(of).collect()
}

fn rendered_complaints(stack: &Stack) -> Vec<String> {
    let of = |(name, rule): &rendered::Rule| -> Vec<String> {
        rule(stack).iter().map(|what| format!("{}: {name}: {what}", stack.label())).collect()
    };
    rendered::RULES.iter().flat_map(of).collect()
}

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
        let rule = raw::RULES.iter().find(|rule| rule.0 == name).unwrap();
        assert!(!rule.1(&raw).is_empty(), "{name} accepts {text:?}");
    }
}

#[test]
fn each_rule_for_rendered_prompts_catches_its_fault() {
    let long = "word ".repeat(36);
    let huge = "# Code style\n\n".to_owned() + &long + &long;
    let faults = [
        ("a module keeps to its length", "code_style", huge.as_str()),
        ("the static part keeps to its length", "x", &"x".repeat(8_001)),
        ("absolutes are few", "x", "Never do it. Always ask. You must."),
        ("nothing is shouted", "x", "This is IMPORTANT."),
        ("only tools on offer are named", "x", "Use `read_file`."),
        (
            "no sentence stands twice",
            "x",
            "One two three four five six. One two three four five six.",
        ),
        ("no two modules share a run of words", "x", "In a second module stand these very words."),
        ("headings are even, unique and head something", "x", "# A\n\n# B\n\nText."),
        ("tags and fences are balanced", "x", "<env>\n"),
        ("tags and fences are balanced", "x", "```\ncode"),
        ("white space is clean", "x", "One.\n\n\nTwo."),
        ("sentences are short", "x", &long),
        ("a sentence has one exception", "x", "Go, unless told, except at night."),
        ("lists are flat", "x", "- a\n  - b"),
        ("sections come in the order of their zones", "environment", "Text."),
    ];
    for (name, module, text) in faults {
        let rule = rendered::RULES.iter().find(|rule| rule.0 == name).unwrap();
        let part = |name: &str, text: &str| Part {
            name: name.into(),
            file: "anthropic".into(),
            is_static: true,
            text: text.into(),
        };
        let sections =
            vec![part(module, text), part("y", "In a second module stand these very words.")];
        let (offer, mode) = (Offer::All, Mode::Usual);
        let stack = Stack { family: "anthropic".into(), offer, mode, sections };
        assert!(!rule.1(&stack).is_empty(), "{name} accepts {text:?}");
    }
}
