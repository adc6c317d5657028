//! Facts are values: changing a clone changes nothing else.

use std::path::Path;

use brute_core::Facts;
use serde_json::{Value, json};

#[test]
fn nothing_is_known_at_first() {
    let facts = Facts::default();
    assert_eq!((facts.step, facts.max_steps_reached), (0, false));
    assert!(facts.cwd().is_none() && facts.agent().is_none() && facts.agent_switched().is_none());
    assert_eq!(facts.given().count(), 0);
}

#[test]
fn a_change_is_not_seen_by_a_clone() {
    let mut facts = Facts::default();
    facts.set_cwd("/a");
    facts.set("rules", "be kind");
    let kept = facts.clone();
    facts.set_cwd("/b");
    facts.set_agent("plan");
    facts.set("rules", "be brief");
    assert_eq!(kept.cwd(), Some(Path::new("/a")));
    assert_eq!(kept.agent(), None);
    assert_eq!(kept.get("rules"), Some(&json!("be kind")));
    assert_eq!(facts.get("rules"), Some(&json!("be brief")));
}

#[test]
fn a_known_key_sets_what_its_method_returns() {
    let mut facts = Facts::default();
    facts.set("cwd", "/a");
    facts.set("agent", "plan");
    facts.set("agent_switched", "build");
    facts.set("max_steps_reached", true);
    assert_eq!(facts.cwd(), Some(Path::new("/a")));
    assert_eq!(facts.agent(), Some("plan"));
    assert_eq!(facts.agent_switched(), Some("build"));
    assert!(facts.max_steps_reached);
    assert_eq!(facts.given().count(), 0);
}

#[test]
fn a_switch_can_be_taken_back() {
    let mut facts = Facts::default();
    facts.set_agent_switched(Some("build".into()));
    facts.set_agent_switched(None);
    assert_eq!(facts.agent_switched(), None);
}

#[test]
fn given_facts_come_ordered_by_key_and_the_last_value_stands() {
    let mut facts = Facts::default();
    for (key, value) in [("z", 1), ("a", 2), ("m", 3), ("a", 4)] {
        facts.set(key, value);
    }
    let given: Vec<(&str, &Value)> = facts.given().collect();
    assert_eq!(given, [("a", &json!(4)), ("m", &json!(3)), ("z", &json!(1))]);
}
