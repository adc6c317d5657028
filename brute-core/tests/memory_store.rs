//! The store of the test kit shows what was recorded, and what was durable when.

use std::sync::Arc;

use brute_core::models::ScriptedModel;
use brute_core::testing::{MemoryStore, pending};
use brute_core::{Agent, Entry, Message, Session, Store};
use futures::FutureExt;
use serde_json::json;

fn entry(text: &str) -> Entry {
    Entry::Message(Arc::new(Message::user(text)))
}

#[test]
fn entries_are_kept_in_order_and_a_clone_is_the_same_store() {
    let store = MemoryStore::default();
    for text in ["a", "b"] {
        store.clone().append(&entry(text));
    }
    assert_eq!(store.entries(), [entry("a"), entry("b")]);
}

#[test]
fn what_is_appended_while_a_flush_runs_is_not_durable_by_it() {
    let store = MemoryStore::slow(1);
    store.append(&entry("a"));
    let mut flush = store.flush();
    assert!((&mut flush).now_or_never().is_none());
    store.append(&entry("b"));
    assert_eq!(store.durable(), 0);
    flush.now_or_never().unwrap().unwrap();
    assert_eq!((store.durable(), store.entries().len()), (1, 2));
}

#[test]
fn a_session_hands_it_everything() {
    let store = MemoryStore::default();
    let session = Session::with_store(Arc::new(store.clone()));
    session.remember("mode", "plan");
    session.push(Message::user("hi")).unwrap();
    let agent = Agent::builder(ScriptedModel::text("hello")).build().unwrap();
    agent.send(&session, "again").now_or_never().unwrap().unwrap();
    let entries = store.entries();
    let value = Arc::new(json!("plan"));
    assert_eq!(entries[0], Entry::Meta { key: "mode".into(), value });
    assert_eq!((entries.len(), store.durable()), (3, 3));
    assert_eq!(Session::reopen(entries).unwrap().log(), session.log());
}

#[test]
fn pending_returns_as_often_as_it_was_told() {
    for times in [0, 1, 5] {
        let mut future = Box::pin(pending(times));
        let waits = (0..10).take_while(|_| (&mut future).now_or_never().is_none()).count();
        assert_eq!(waits, times);
    }
}
