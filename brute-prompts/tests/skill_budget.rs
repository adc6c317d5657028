//! The list of skills in a stack keeps within its budget.

use brute_prompts::{PromptContext, SkillEntry, SystemPrompt};

fn section(skills: usize, description: &str) -> String {
    let entry = |number| SkillEntry {
        name: format!("skill-{number:03}"),
        description: description.into(),
        location: format!("/s/{number:03}"),
    };
    let ctx = PromptContext {
        skills: Some((0..skills).map(entry).collect()),
        ..PromptContext::new("anthropic", "claude")
    };
    SystemPrompt::default().prepare(&ctx).unwrap().get("skills").unwrap().text.to_string()
}

fn listed(text: &str) -> usize {
    text.matches("<name>").count()
}

#[test]
fn a_list_within_the_budget_is_whole() {
    let text = section(20, "Helps.");
    assert_eq!(listed(&text), 20);
    assert!(!text.contains("not listed"));
}

#[test]
fn over_the_limit_of_characters_whole_entries_are_left_out_from_the_end_with_a_note() {
    let text = section(100, &"long ".repeat(100));
    assert!(text.chars().count() <= 18_000, "{}", text.chars().count());
    let shown = listed(&text);
    assert!(shown > 10 && shown < 100);
    assert!(text.contains(&format!("{} more skills are not listed here.", 100 - shown)), "{text}");
    assert!(
        text.contains(&format!("skill-{:03}", shown - 1))
            && !text.contains(&format!("skill-{shown:03}"))
    );
}

#[test]
fn over_the_limit_of_skills_the_rest_is_counted() {
    let text = section(151, "H.");
    assert_eq!(listed(&text), 150);
    assert!(text.ends_with("1 more skill is not listed here."), "{text}");
}

#[test]
fn more_skills_than_any_budget_holds_are_counted_and_break_nothing() {
    let text = section(20_000, &"long ".repeat(80));
    let shown = listed(&text);
    assert!(shown > 5 && text.chars().count() <= 18_000, "{shown}");
    assert!(text.contains(&format!("{} more skills are not listed here.", 20_000 - shown)));
}
