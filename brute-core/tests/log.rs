//! The log is persistent: clones share, and what one changes the other does not see.

use std::sync::Arc;

use brute_core::{Log, Message, Role};
use proptest::prelude::*;

fn texts(log: &Log) -> Vec<String> {
    log.iter().map(|message| message.text()).collect()
}

fn log(texts: &[&str]) -> Log {
    texts.iter().map(|text| Message::user(*text)).collect()
}

#[test]
fn a_push_is_not_seen_by_a_clone() {
    let mut log = log(&["a"]);
    let kept = log.clone();
    log.push(Message::user("b"));
    log.push_front(Message::system("s"));
    assert_eq!(texts(&kept), ["a"]);
    assert_eq!(texts(&log), ["s", "a", "b"]);
    assert!(log.has_system() && !kept.has_system());
}

#[test]
fn clones_share_their_messages() {
    let log = log(&["a", "b"]);
    let kept = log.clone();
    assert!(log.iter().zip(kept.iter()).all(|(left, right)| Arc::ptr_eq(left, right)));
}

#[test]
fn only_the_role_system_counts_as_a_system_message() {
    let roles = [Role::Developer, Role::User, Role::Assistant, Role::Tool];
    let log: Log = roles.map(|role| Message::new(role, Vec::new())).into_iter().collect();
    assert!(!log.has_system());
}

#[test]
fn a_system_message_counts_wherever_it_stands() {
    let system = || Message::system("s");
    for messages in [
        vec![system(), Message::user("a")],
        vec![Message::user("a"), system(), Message::user("b")],
        vec![Message::user("a"), system()],
    ] {
        assert!(messages.into_iter().collect::<Log>().has_system());
    }
}

#[test]
fn truncate_forgets_the_system_messages_that_it_drops() {
    let mut log: Log = [Message::user("a"), Message::system("s")].into_iter().collect();
    log.truncate(2);
    assert!(log.has_system());
    log.truncate(1);
    assert!(!log.has_system());
    assert_eq!(texts(&log), ["a"]);
}

#[test]
fn truncate_past_the_end_changes_nothing() {
    let mut log = log(&["a", "b"]);
    log.truncate(7);
    assert_eq!(texts(&log), ["a", "b"]);
    log.truncate(0);
    assert!(log.is_empty() && log.last().is_none());
}

#[test]
fn since_gives_the_tail_and_nothing_past_the_end() {
    let log = log(&["a", "b", "c"]);
    let since = |position| log.since(position).map(|message| message.text()).collect::<Vec<_>>();
    assert_eq!(since(0), ["a", "b", "c"]);
    assert_eq!(since(2), ["c"]);
    assert!(since(3).is_empty() && since(usize::MAX).is_empty());
}

#[test]
fn messages_are_found_by_position() {
    let log = log(&["a", "b"]);
    assert_eq!(log.get(1).unwrap().text(), "b");
    assert_eq!(log.last().unwrap().text(), "b");
    assert!(log.get(2).is_none());
    assert_eq!(log.iter().rev().map(|message| message.text()).collect::<Vec<_>>(), ["b", "a"]);
}

#[test]
fn a_log_is_written_as_a_list_and_read_back_with_its_count_of_system_messages() {
    let log: Log = [Message::system("s"), Message::user("a")].into_iter().collect();
    let text = serde_json::to_string(&log).unwrap();
    assert!(text.starts_with("[{\"role\":\"system\""), "{text}");
    let back: Log = serde_json::from_str(&text).unwrap();
    assert_eq!(back, log);
    assert!(back.has_system());
}

#[test]
fn a_log_that_is_no_list_of_messages_is_refused() {
    for text in ["{}", "[1]", "[{\"role\":\"user\"}]", "[{\"role\":\"king\",\"parts\":[]}]"] {
        assert!(serde_json::from_str::<Log>(text).is_err(), "{text}");
    }
}

/// A change of a log and of the plain list that it is compared with.
#[derive(Clone, Debug)]
enum Change {
    Push(bool),
    PushFront(bool),
    Truncate(usize),
}

fn any_change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => any::<bool>().prop_map(Change::Push),
        2 => any::<bool>().prop_map(Change::PushFront),
        1 => (0..150_usize).prop_map(Change::Truncate),
    ]
}

fn message(is_system: bool, number: usize) -> Message {
    let text = number.to_string();
    if is_system { Message::system(text) } else { Message::user(text) }
}

proptest! {
    #[test]
    fn a_log_behaves_like_a_list(changes in prop::collection::vec(any_change(), 0..200)) {
        let (mut log, mut list) = (Log::default(), Vec::new());
        for (number, change) in changes.into_iter().enumerate() {
            let (before, texts_before) = (log.clone(), texts(&log));
            match change {
                Change::Push(is_system) => {
                    log.push(message(is_system, number));
                    list.push(message(is_system, number));
                }
                Change::PushFront(is_system) => {
                    log.push_front(message(is_system, number));
                    list.insert(0, message(is_system, number));
                }
                Change::Truncate(len) => {
                    log.truncate(len);
                    list.truncate(len);
                }
            }
            prop_assert_eq!(texts(&before), texts_before);
            prop_assert_eq!(log.len(), list.len());
            let has_system = list.iter().any(|message| message.role == Role::System);
            prop_assert_eq!(log.has_system(), has_system);
        }
        prop_assert!(log.iter().map(|message| &**message).eq(list.iter()));
        let middle = list.len() / 2;
        prop_assert!(log.since(middle).map(|message| &**message).eq(&list[middle..]));
    }
}
