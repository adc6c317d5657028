//! Every call has one result in the record, in order, however results come and turns end.

use std::sync::Arc;

use brute_core::{Journal, Log, Message, Part, Reply, Role, Session, ToolResult};
use proptest::prelude::*;

use crate::helpers::{calls, check_valid, entries, in_turn, lines, result, user};

proptest! {
    #[test]
    fn results_stand_in_the_order_of_the_calls_whatever_order_they_come_in(
        arrival in Just((0..6_usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let journal = Journal::default();
        let ids = ["a", "b", "c", "d", "e", "f"];
        journal.record(calls(&ids));
        for position in &arrival {
            let recorded = journal.record_result(*position, result(ids[*position], "ok"));
            prop_assert!(recorded.id.is_given());
        }
        let expected = ["a+b+c+d+e+f", "a=ok", "b=ok", "c=ok", "d=ok", "e=ok", "f=ok"];
        prop_assert_eq!(entries(&journal), expected);
        // Ids tell the order of arrival.
        let id_of = |position: usize| journal.entries(0)[position + 1].id;
        prop_assert!(arrival.is_sorted_by_key(|position| id_of(*position)));
    }
}

#[test]
fn a_call_id_used_twice_in_one_message_gets_two_results() {
    let journal = Journal::default();
    journal.record(calls(&["x", "x"]));
    journal.record_result(1, result("x", "second"));
    journal.record_result(0, result("x", "first"));
    assert_eq!(entries(&journal), ["x+x", "x=first", "x=second"]);
    journal.record(calls(&["x", "x"]));
    journal.record(result("x", "third"));
    journal.record(result("x", "fourth"));
    assert_eq!(entries(&journal)[3..], ["x+x", "x=third", "x=fourth"]);
}

#[test]
fn a_call_id_used_in_two_turns_gets_the_result_of_its_own_turn() {
    let session = Session::new();
    for text in ["one", "two"] {
        in_turn(&session, move |turn| {
            turn.journal.record(calls(&["x"]));
            turn.journal.record_result(0, result("x", text));
            Reply::default()
        });
    }
    assert_eq!(lines(session.log().iter()), ["x", "x=one", "x", "x=two"]);
    check_valid(&session.log());
}

#[test]
fn a_result_that_no_call_waits_for_is_not_recorded() {
    let journal = Journal::default();
    let refuses = |orphan: Arc<Message>, position: usize| {
        let before = entries(&journal);
        assert!(!journal.record(orphan.clone()).id.is_given());
        assert!(!journal.record_result(position, orphan).id.is_given());
        assert_eq!(entries(&journal), before);
    };
    refuses(result("x", "before any call"), 0);
    journal.record(calls(&["a", "b"]));
    refuses(result("x", "of a call that nobody made"), 0);
    journal.record_result(1, result("b", "ok"));
    refuses(result("b", "once more"), 1);
    journal.record_result(0, result("a", "ok"));
    refuses(result("a", "after all are answered"), 0);
    assert_eq!(entries(&journal), ["a+b", "a=ok", "b=ok"]);
}

#[test]
fn a_result_at_the_position_of_another_call_is_not_recorded() {
    let journal = Journal::default();
    journal.record(calls(&["a", "b"]));
    assert!(!journal.record_result(1, result("a", "misplaced")).id.is_given());
    assert!(!journal.record_result(7, result("a", "misplaced")).id.is_given());
    journal.close_open_calls();
    assert_eq!(entries(&journal), ["a+b", "a=cancelled", "b=cancelled"]);
}

#[test]
fn a_tool_message_holds_exactly_one_result_and_nothing_else() {
    let one = |id: &str| Part::ToolResult(ToolResult::ok(id, "ok"));
    for (role, parts) in [
        (Role::Tool, vec![one("a"), one("b")]),
        (Role::Tool, vec![one("a"), Part::text("by the way")]),
        (Role::Tool, vec![Part::text("no result")]),
        (Role::Tool, vec![]),
        (Role::User, vec![one("a")]),
        (Role::Assistant, vec![Part::text("so"), one("a")]),
    ] {
        let journal = Journal::default();
        journal.record(calls(&["a", "b"]));
        let odd = Arc::new(Message::new(role, parts));
        assert!(!journal.record(odd.clone()).id.is_given(), "{odd:?}");
        assert!(!journal.record_result(0, odd.clone()).id.is_given(), "{odd:?}");
        journal.close_open_calls();
        assert_eq!(entries(&journal), ["a+b", "a=cancelled", "b=cancelled"], "{odd:?}");
    }
}

#[test]
fn open_calls_are_closed_by_whatever_is_recorded_next() {
    let journal = Journal::default();
    journal.record(calls(&["a", "b", "c"]));
    journal.record_result(1, result("b", "ok"));
    journal.record(user("next"));
    assert_eq!(entries(&journal), ["a+b+c", "a=cancelled", "b=ok", "c=cancelled", "next"]);
    let closed = journal.entries(1)[0].tool_results().next().unwrap().clone();
    assert!(closed.is_error);
}

#[test]
fn open_calls_are_closed_by_the_input_and_by_catching_up() {
    let (mut journal, mut log) = (Journal::default(), Log::default());
    journal.record(calls(&["a"]));
    journal.accept(user("hi"), &mut log);
    journal.record(calls(&["b"]));
    assert_eq!(lines(&journal.catch_up(&mut log)), ["b", "b=cancelled"]);
    assert_eq!(entries(&journal), ["a", "a=cancelled", "hi", "b", "b=cancelled"]);
    assert!(journal.catch_up(&mut log).is_empty());
}

#[test]
fn open_calls_are_closed_by_the_guard() {
    let journal = Journal::default();
    journal.record(calls(&["a", "b"]));
    let guard = journal.open_calls();
    journal.record_result(0, result("a", "ok"));
    assert_eq!(entries(&journal), ["a+b", "a=ok"]);
    drop(guard);
    assert_eq!(entries(&journal), ["a+b", "a=ok", "b=cancelled"]);
}

#[test]
fn open_calls_are_closed_when_the_turn_ends() {
    let session = Session::new();
    in_turn(&session, |turn| {
        turn.journal.record(calls(&["a", "b"]));
        turn.journal.record_result(1, result("b", "ok"));
        Reply::default()
    });
    assert_eq!(lines(session.log().iter()), ["a+b", "a=cancelled", "b=ok"]);
    check_valid(&session.log());
}
