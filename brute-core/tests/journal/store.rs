//! A store is told of everything a session records, in an order that can be read again.

use std::sync::{Arc, Mutex};

use brute_core::{Entry, Error, ErrorKind, Journal, Reply, Session, Store, Turn};
use futures::{FutureExt, future::BoxFuture};
use serde_json::json;

use crate::helpers::{calls, in_turn, line, lines, result, try_turn, user};

/// A store that keeps what it is told, and may fail to make it durable.
#[derive(Debug, Default)]
struct Kept {
    entries: Mutex<Vec<Entry>>,
    is_broken: bool,
}

impl Store for Kept {
    fn append(&self, entry: &Entry) {
        self.entries.lock().unwrap().push(entry.clone());
    }

    fn flush(&self) -> BoxFuture<'static, Result<(), Error>> {
        let is_broken = self.is_broken;
        Box::pin(async move {
            if is_broken { Err(Error::new(ErrorKind::Store, "disk full")) } else { Ok(()) }
        })
    }
}

#[test]
fn the_store_is_told_of_everything_in_the_order_it_happened() {
    let store = Arc::new(Kept::default());
    let session = Session::with_store(store.clone());
    in_turn(&session, |mut turn| {
        let Turn { journal, log, .. } = &mut turn;
        journal.accept(user("hi"), log);
        journal.record(calls(&["a", "b"]));
        journal.remember("mode", json!("plan"));
        journal.record_result(1, result("b", "ok"));
        journal.record_result(0, result("a", "ok"));
        journal.record(calls(&["c"]));
        Reply::default()
    });
    let told = store.entries.lock().unwrap().clone();
    let told: Vec<_> = told
        .iter()
        .map(|entry| match entry {
            Entry::Message(message) => line(message),
            Entry::Meta { key, value } => format!("{key}: {value}"),
        })
        .collect();
    let expected = ["hi", "a+b", "mode: \"plan\"", "b=ok", "a=ok", "c", "c=cancelled"];
    assert_eq!(told, expected);
}

#[test]
fn results_of_one_call_id_are_told_in_the_order_of_the_calls() {
    let store = Arc::new(Kept::default());
    let session = Session::with_store(store.clone());
    in_turn(&session, |turn| {
        turn.journal.record(calls(&["x", "y", "x", "x"]));
        turn.journal.record_result(3, result("x", "third"));
        turn.journal.record_result(1, result("y", "other"));
        turn.journal.record_result(0, result("x", "first"));
        turn.journal.record_result(2, result("x", "second"));
        Reply::default()
    });
    let entries = store.entries.lock().unwrap().clone();
    let reopened = Session::reopen(entries).unwrap();
    let expected = ["x+y+x+x", "x=first", "y=other", "x=second", "x=third"];
    assert_eq!(lines(session.log().iter()), expected);
    assert_eq!(reopened.log(), session.log());
}

#[test]
fn flush_fails_with_the_error_of_the_store() {
    let broken = Kept { is_broken: true, ..Kept::default() };
    let session = Session::with_store(Arc::new(broken));
    in_turn(&session, |turn| {
        let error = turn.journal.flush().now_or_never().unwrap().unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Store, "disk full"));
        Reply::default()
    });
    let error = try_turn(&session, |_| Reply::text("unrecorded")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Store);
    assert_eq!(lines(session.log().iter()), ["unrecorded"]);
    assert!(Journal::default().flush().now_or_never().unwrap().is_ok());
}
