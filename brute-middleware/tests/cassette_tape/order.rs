//! Conversations take turns on a cassette, and calls at the same time come in any order.

use std::{fs, path::Path};

use brute_core::{
    Log, Message,
    models::{Script, ScriptedModel},
};
use brute_middleware::CassetteLayer;
use serde_json::{Value, json};
use tower::Layer;

use crate::helpers::{Recorded, place, replaying, say};

/// Answers with the number of the request.
fn recording(path: &Path) -> Recorded {
    let scripts: Vec<_> = (1..=500).map(|number| Script::text(&number.to_string())).collect();
    CassetteLayer::record(path).layer(ScriptedModel::new(scripts))
}

/// What a conversation has come to after so many messages.
fn conversation(name: &str, count: usize) -> Log {
    let messages = (0..count).map(|number| Message::user(format!("{name} says {number}")));
    [Message::system("Be brief.")].into_iter().chain(messages).collect()
}

fn requests(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let line = |line: &str| serde_json::from_str::<Value>(line).unwrap()["request"].take();
    text.lines().map(line).collect()
}

#[tokio::test]
async fn conversations_that_take_turns_do_not_stand_on_every_line() {
    for names in [&["a", "b"][..], &["a", "b", "c", "d", "e", "f", "g"]] {
        let (_folder, path) = place();
        let mut service = recording(&path);
        for count in 1..=60 {
            for name in names {
                say(&mut service, &conversation(name, count)).await.unwrap();
            }
        }
        let requests = requests(&path);
        let last = &requests[requests.len() - 1];
        assert_eq!(last["after"], requests.len() - names.len());
        assert_eq!(last["messages"][0], json!({ "same": 60 }));
        assert_eq!(last["messages"].as_array().unwrap().len(), 2);
        let size = |line: &Value| line.to_string().len();
        assert!(size(last) <= size(&requests[3 * names.len()]) + 8, "{last}");
    }
}

#[tokio::test]
async fn one_conversation_needs_no_numbers() {
    let (_folder, path) = place();
    let mut service = recording(&path);
    for count in [1, 2, 3, 3, 2, 5] {
        say(&mut service, &conversation("a", count)).await.unwrap();
    }
    let requests = requests(&path);
    assert!(requests[..4].iter().all(|request| request.get("after").is_none()), "{requests:?}");
}

#[tokio::test]
async fn each_conversation_is_replayed_at_its_own_pace() {
    let (_folder, path) = place();
    let mut service = recording(&path);
    for count in 1..=20 {
        for name in ["a", "b"] {
            say(&mut service, &conversation(name, count)).await.unwrap();
        }
    }
    let mut service = replaying(&path);
    for (offset, name) in [(0, "b"), (1, "a")] {
        for count in 1..=20 {
            let reply = say(&mut service, &conversation(name, count)).await.unwrap();
            assert_eq!(reply.answer(), (2 * count - offset).to_string());
        }
    }
    let error = say(&mut service, &conversation("a", 1)).await.unwrap_err().to_string();
    assert!(error.contains("request 41 was not recorded"), "{error}");
}

#[tokio::test]
async fn calls_at_the_same_time_are_replayed_in_whatever_order_they_come() {
    let (_folder, path) = place();
    let service = recording(&path);
    let calls = ["a", "b", "c"].map(|name| {
        let mut service = service.clone();
        async move { say(&mut service, &conversation(name, 1)).await.unwrap().answer() }
    });
    let recorded = futures::future::join_all(calls).await;
    let mut service = replaying(&path);
    for (name, answer) in [("c", &recorded[2]), ("a", &recorded[0]), ("b", &recorded[1])] {
        assert_eq!(&say(&mut service, &conversation(name, 1)).await.unwrap().answer(), answer);
    }
}

#[tokio::test]
async fn equal_requests_are_answered_in_the_order_of_the_file() {
    let (_folder, path) = place();
    let mut service = recording(&path);
    for name in ["a", "b", "a"] {
        say(&mut service, &conversation(name, 1)).await.unwrap();
    }
    let mut service = replaying(&path);
    for (name, answer) in [("a", "1"), ("a", "3"), ("b", "2")] {
        assert_eq!(say(&mut service, &conversation(name, 1)).await.unwrap().answer(), answer);
    }
}

#[tokio::test]
async fn what_nothing_recorded_is_compared_with_the_next_exchange() {
    let (_folder, path) = place();
    let mut service = recording(&path);
    for name in ["a", "b", "c"] {
        say(&mut service, &conversation(name, 2)).await.unwrap();
    }
    let mut service = replaying(&path);
    say(&mut service, &conversation("a", 2)).await.unwrap();
    let error = say(&mut service, &conversation("d", 2)).await.unwrap_err().to_string();
    for part in ["request 2", "/messages/1/parts/0/text", "\"b says 0\"", "\"d says 0\""] {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert_eq!(say(&mut service, &conversation("c", 2)).await.unwrap().answer(), "3");
}

#[tokio::test]
async fn a_line_that_continues_none_before_it_is_named() {
    let (_folder, path) = place();
    let mut service = recording(&path);
    for count in 1..3 {
        say(&mut service, &conversation("a", count)).await.unwrap();
    }
    let text = fs::read_to_string(&path).unwrap();
    for number in ["0", "2", "18446744073709551615"] {
        let (first, second) = text.trim_end().split_once('\n').unwrap();
        let second = second.replace("\"request\":{", &format!("\"request\":{{\"after\":{number},"));
        fs::write(&path, format!("{first}\n{second}\n")).unwrap();
        let error = CassetteLayer::replay(&path).unwrap_err().to_string();
        assert!(error.contains("line 2: ") && error.contains(number), "{error}");
    }
}
