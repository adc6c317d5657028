//! A turn is a value: what is changed in a clone is changed there only.

use brute_core::{Message, ToolChoice, Turn};

#[test]
fn a_clone_can_be_changed_without_the_other_noticing() {
    let mut turn = Turn::default();
    turn.log.push(Message::user("hi"));
    let kept = turn.clone();
    turn.log.push(Message::user("view"));
    turn.settings_mut().tool_choice = ToolChoice::None;
    turn.facts.set_cwd("/elsewhere");
    turn.meta.set("mode", serde_json::json!("plan"));
    assert_eq!(kept.log.len(), 1);
    assert_eq!(kept.settings.tool_choice, ToolChoice::Auto);
    assert!(kept.facts.cwd().is_none() && kept.meta.get("mode").is_none());
}

#[test]
fn settings_that_nobody_shares_are_changed_in_place() {
    let mut turn = Turn::default();
    let before = std::sync::Arc::as_ptr(&turn.settings);
    turn.settings_mut().temperature = Some(0.5);
    assert_eq!(before, std::sync::Arc::as_ptr(&turn.settings));
}

#[test]
fn a_turn_stays_small_because_every_step_clones_it() {
    assert!(size_of::<Turn>() <= 240, "{} bytes", size_of::<Turn>());
}
