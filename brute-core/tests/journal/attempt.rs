//! A turn is attempted as often as a layer likes, but once at a time.

use brute_core::{ErrorKind, Journal, Reply, Session};

use super::helpers::in_turn;

#[test]
fn a_second_attempt_at_the_same_time_is_refused_and_one_after_the_other_is_not() {
    let journal = Journal::default();
    let (mut first, mut second) = (journal.clone(), journal.clone());
    let running = first.attempt().unwrap();
    let error = second.attempt().unwrap_err();
    assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::Invalid, false));
    assert!(error.to_string().contains("Hedge below Journal"), "{error}");
    drop(running);
    let running = second.attempt().unwrap();
    assert!(journal.clone().attempt().is_err(), "what was refused ends nothing");
    drop(running);
    drop(journal.clone().attempt().unwrap());
}

#[test]
fn an_attempt_may_begin_within_another_once_at_a_time() {
    let mut journal = Journal::default();
    let _outer = journal.attempt().unwrap();
    let (mut first, mut second) = (journal.clone(), journal.clone());
    let inner = first.attempt().unwrap();
    assert!(second.attempt().is_err());
    drop(inner);
    assert!(second.attempt().is_ok());
}

#[test]
fn an_attempt_that_outlives_its_turn_does_not_hinder_the_next_one() {
    let session = Session::new();
    let kept = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    for _ in 0..2 {
        let kept = kept.clone();
        in_turn(&session, move |mut turn| {
            let attempt = turn.journal.attempt().unwrap();
            assert!(turn.journal.clone().attempt().is_ok());
            kept.lock().unwrap().push(attempt);
            Reply::default()
        });
    }
    let kept = kept.clone();
    in_turn(&session, move |turn| {
        let _running = turn.journal.clone().attempt().unwrap();
        kept.lock().unwrap().clear();
        assert!(turn.journal.clone().attempt().is_err(), "a guard of an earlier turn ends nothing");
        Reply::default()
    });
}

#[test]
fn an_attempt_allocates_nothing() {
    let journal = Journal::default();
    let spent = allocation_counter::measure(|| {
        let mut journal = journal.clone();
        drop(journal.attempt().unwrap());
    });
    assert_eq!(spent.count_total, 0);
}
