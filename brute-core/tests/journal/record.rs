//! The record is valid after every step, however results come and turns end.

use std::sync::{Arc, Mutex};

use brute_core::testing::MemoryStore;
use brute_core::{Journal, Log, Message, MessageId, Part, Reply, Role, Session, ToolResult, Turn};
use proptest::prelude::*;
use serde_json::json;

use crate::helpers::{calls, check_valid, entries, in_turn, lines, result, user};

#[test]
fn ids_come_from_a_counter_that_goes_on_from_turn_to_turn() {
    let session = Session::new();
    for _ in 0..2 {
        in_turn(&session, |turn| {
            turn.journal.record(user("a"));
            turn.journal.record(Arc::new(Message::assistant("b")));
            Reply::default()
        });
    }
    assert!(session.log().iter().map(|message| message.id.0).eq(1..=4));
}

#[test]
fn the_input_is_recorded_once_however_often_the_turn_passes() {
    let (mut journal, mut first, mut second) = (Journal::default(), Log::default(), Log::default());
    journal.accept(user("as it was"), &mut first);
    journal.record(Arc::new(Message::assistant("hm")));
    journal.accept(user("edited since"), &mut second);
    assert_eq!(entries(&journal), ["as it was", "hm"]);
    assert!(Arc::ptr_eq(first.last().unwrap(), second.last().unwrap()));
    assert_eq!(journal.seen(), 1);
}

#[test]
fn the_next_turn_has_an_input_of_its_own() {
    let session = Session::new();
    for text in ["one", "two"] {
        in_turn(&session, move |mut turn| {
            let Turn { journal, log, .. } = &mut turn;
            journal.accept(user(text), log);
            Reply::default()
        });
    }
    assert_eq!(lines(session.log().iter()), ["one", "two"]);
}

#[test]
fn a_message_that_is_recorded_already_is_returned_as_it_stands_there() {
    let journal = Journal::default();
    let recorded = journal.record(user("a"));
    assert!(Arc::ptr_eq(&journal.record(recorded.clone()), &recorded));
    let mut edited = Message::clone(&recorded);
    edited.parts.push(Part::text(", edited"));
    assert!(Arc::ptr_eq(&journal.record(Arc::new(edited)), &recorded));
    assert_eq!(entries(&journal), ["a"]);
}

#[test]
fn a_message_of_an_earlier_turn_is_recorded_anew_under_a_new_id() {
    let session = Session::new();
    in_turn(&session, |turn| {
        turn.journal.record(user("again"));
        Reply::default()
    });
    in_turn(&session, |turn| {
        turn.journal.record(turn.log.last().unwrap().clone());
        Reply::default()
    });
    assert_eq!(lines(session.log().iter()), ["again", "again"]);
    check_valid(&session.log());
}

#[test]
fn a_journal_of_a_turn_that_ended_records_nothing() {
    let session = Session::new();
    let stale = Arc::new(Mutex::new(None));
    let keep = stale.clone();
    in_turn(&session, move |turn| {
        turn.journal.record(calls(&["a"]));
        *keep.lock().unwrap() = Some(turn.journal);
        Reply::default()
    });
    let mut stale: Journal = stale.lock().unwrap().take().unwrap();
    let before = session.log();
    let writes_nothing = move |stale: &mut Journal| {
        assert!(!stale.record(user("late")).id.is_given());
        assert!(!stale.record_result(0, result("a", "late")).id.is_given());
        assert_eq!(stale.record_missing(&[user("late")]), 0);
        stale.accept(user("late"), &mut Log::default());
        stale.remember("late", json!(1));
        stale.close_open_calls();
        assert_eq!((stale.recorded(), stale.entries(0).len()), (0, 0));
    };
    writes_nothing(&mut stale);
    assert_eq!(session.log(), before);
    // Nor does it write into the turn that runs now.
    let stale = Mutex::new(stale);
    let stale = Arc::new(stale);
    in_turn(&session, move |turn| {
        turn.journal.record(calls(&["a"]));
        writes_nothing(&mut stale.lock().unwrap());
        assert_eq!(turn.journal.recorded(), 1);
        assert!(!stale.lock().unwrap().is_same_turn(&turn.journal));
        Reply::default()
    });
    assert_eq!(lines(session.log().iter()), ["a", "a=cancelled", "a", "a=cancelled"]);
    assert!(session.meta().get("late").is_none());
}

#[test]
fn what_is_remembered_is_there_at_once_and_in_the_next_turn() {
    let session = Session::new();
    in_turn(&session, |turn| {
        turn.journal.remember("mode", json!("plan"));
        assert_eq!(*turn.journal.remembered("mode").unwrap(), json!("plan"));
        turn.journal.remember("mode", json!("build"));
        assert!(turn.meta.get("mode").is_none());
        Reply::default()
    });
    in_turn(&session, |turn| {
        assert_eq!(**turn.meta.get("mode").unwrap(), json!("build"));
        Reply::default()
    });
    assert_eq!(**session.meta().get("mode").unwrap(), json!("build"));
}

#[test]
fn what_is_kept_in_memory_goes_from_turn_to_turn_but_not_into_the_record() {
    let session = Session::new();
    in_turn(&session, |turn| {
        assert_eq!(turn.journal.kept::<u32>(), None);
        turn.journal.keep(7_u32);
        Reply::default()
    });
    for (session, expected) in [
        (session.clone(), Some(7)),
        (session.fork(), None),
        (Session::from_json(&session.to_json().unwrap()).unwrap(), None),
    ] {
        in_turn(&session, move |turn| {
            assert_eq!(turn.journal.kept::<u32>(), expected);
            assert_eq!(turn.journal.kept::<i8>(), None);
            Reply::default()
        });
    }
    assert!(session.log().is_empty() && session.meta().iter().next().is_none());
}

#[test]
fn what_a_reply_holds_and_nobody_recorded_is_recorded_once_in_order() {
    let session = Session::new();
    in_turn(&session, |turn| {
        let first = turn.journal.record(user("recorded"));
        let asked = turn.journal.record(calls(&["a"]));
        let answered = turn.journal.record_result(0, result("a", "ok"));
        let added = vec![first, asked, answered, Arc::new(Message::assistant("new"))];
        Reply { added, ..Reply::default() }
    });
    assert_eq!(lines(session.log().iter()), ["recorded", "a", "a=ok", "new"]);
    check_valid(&session.log());
}

#[test]
fn record_missing_counts_what_it_recorded() {
    let journal = Journal::default();
    let known = journal.record(user("a"));
    let messages = [known, Arc::new(Message::assistant("b")), result("x", "orphan")];
    assert_eq!(journal.record_missing(&messages), 1);
    assert_eq!(journal.record_missing(&[]), 0);
    assert_eq!(entries(&journal), ["a", "b"]);
}

#[test]
fn catching_up_gives_what_the_log_does_not_hold_yet() {
    let (mut journal, mut log) = (Journal::default(), Log::default());
    journal.accept(user("hi"), &mut log);
    let mut retried = journal.clone();
    log.push(journal.record(Arc::new(Message::assistant("one"))));
    journal.mark_seen();
    assert!(journal.catch_up(&mut log).is_empty());
    journal.record(Arc::new(Message::assistant("two")));
    assert_eq!(lines(&journal.catch_up(&mut log)), ["two"]);
    assert_eq!(lines(log.iter()), ["hi", "one", "two"]);
    // A clone from before, as a retry has it, missed both.
    assert_eq!(lines(&retried.catch_up(&mut Log::default())), ["one", "two"]);
    assert_eq!((retried.seen(), retried.recorded()), (3, 3));
}

/// Something that a turn, well or badly written, does to its journal.
#[derive(Clone, Debug)]
enum Step {
    Accept,
    Text,
    Calls(Vec<usize>),
    Result(usize, usize),
    Found(usize),
    Odd(usize),
    Again(usize),
    Remember(usize),
    Close,
}

/// Few ids, so that they collide.
const IDS: [&str; 3] = ["a", "b", "c"];

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        1 => Just(Step::Accept),
        2 => Just(Step::Text),
        4 => prop::collection::vec(0..3_usize, 1..5).prop_map(Step::Calls),
        6 => (0..4_usize, 0..3_usize).prop_map(|(position, id)| Step::Result(position, id)),
        3 => (0..3_usize).prop_map(Step::Found),
        1 => (0..3_usize).prop_map(Step::Odd),
        1 => (0..20_usize).prop_map(Step::Again),
        1 => (0..3_usize).prop_map(Step::Remember),
        1 => Just(Step::Close),
    ]
}

fn take(step: &Step, turn: &mut Turn) {
    let Turn { journal, log, .. } = turn;
    match step {
        Step::Accept => journal.accept(user("input"), log),
        Step::Text => drop(journal.record(Arc::new(Message::assistant("text")))),
        Step::Calls(ids) => {
            let ids: Vec<_> = ids.iter().map(|id| IDS[*id]).collect();
            journal.record(calls(&ids));
        }
        Step::Result(position, id) => {
            drop(journal.record_result(*position, result(IDS[*id], "ok")));
        }
        Step::Found(id) => drop(journal.record(result(IDS[*id], "found"))),
        Step::Odd(id) => {
            let one = Part::ToolResult(ToolResult::ok(IDS[*id], "odd"));
            journal.record(Arc::new(Message::new(Role::Tool, vec![one.clone(), one])));
        }
        Step::Again(position) => {
            if let Some(message) = journal.entries(*position).first() {
                journal.record(message.clone());
            }
        }
        Step::Remember(key) => journal.remember(IDS[*key], json!(journal.recorded())),
        Step::Close => journal.close_open_calls(),
    }
}

proptest! {
    #[test]
    fn every_prefix_of_the_entries_reopens_as_a_valid_session(
        turns in prop::collection::vec(prop::collection::vec(any_step(), 0..14), 1..4),
    ) {
        let store = MemoryStore::default();
        let session = Session::with_store(Arc::new(store.clone()));
        for steps in turns {
            in_turn(&session, move |mut turn| {
                for step in &steps {
                    take(step, &mut turn);
                }
                Reply::default()
            });
            check_valid(&session.log());
        }
        let entries = store.entries();
        for end in 0..=entries.len() {
            let reopened = Session::reopen(entries[..end].iter().cloned()).unwrap();
            check_valid(&reopened.log());
            in_turn(&reopened, |turn| {
                let recorded = turn.journal.record(user("more"));
                assert!(turn.log.iter().all(|message| message.id != recorded.id));
                Reply::default()
            });
            check_valid(&reopened.log());
        }
        let reopened = Session::reopen(entries).unwrap();
        prop_assert_eq!(reopened.log(), session.log());
        prop_assert_eq!(reopened.meta(), session.meta());
        let imported = Session::from_json(&session.to_json().unwrap()).unwrap();
        prop_assert_eq!(imported.log(), session.log());
        prop_assert_eq!(imported.meta(), session.meta());
    }
}

#[test]
fn a_message_that_is_not_recorded_has_no_id() {
    assert_eq!(user("hi").id, MessageId::NONE);
}
