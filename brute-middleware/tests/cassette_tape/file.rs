//! What the file of a cassette holds, and what becomes of it.

use std::{fs, path::Path};

use brute_core::{
    Log, Message, StopReason, Turn,
    models::{Script, ScriptedModel},
};
use brute_middleware::{CassetteLayer, Secrets};
use serde_json::{Value, json};
use tower::Layer;

use crate::helpers::{Recorded, place, replaying, say};

fn recording(path: &Path) -> Recorded {
    CassetteLayer::record(path).layer(ScriptedModel::answering(|_| Script::text("Yes.")))
}

/// A system message, and then this many messages of a user.
fn log(system: &str, count: usize) -> Log {
    let users = (1..=count).map(|number| Message::user(format!("message {number}")));
    [Message::system(system)].into_iter().chain(users).collect()
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.ends_with('\n'), "{text}");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn an_exchange_is_a_line_that_holds_what_is_new_in_it() {
    let (_folder, path) = place();
    let mut service = recording(&path);
    let mut log = log("Be brief.", 1);
    for number in 2..=40 {
        say(&mut service, &log).await.unwrap();
        log.push(Message::user(format!("message {number}")));
    }
    let lines = lines(&path);
    assert_eq!(lines.len(), 39);
    assert_eq!(lines[0]["request"]["messages"].as_array().unwrap().len(), 2);
    let request = &lines[38]["request"];
    assert_eq!(request["messages"][0], json!({ "same": 39 }));
    assert_eq!(request["messages"][1]["parts"][0]["text"], "message 39");
    let members: Vec<_> = request.as_object().unwrap().keys().collect();
    assert_eq!(members, ["messages"]);
    let size = |line: &Value| line.to_string().len();
    assert!(size(&lines[38]) <= size(&lines[8]) + 2, "{} {}", lines[8], lines[38]);
}

#[tokio::test]
async fn a_call_leaves_the_lines_before_it_as_they_are() {
    let (_folder, path) = place();
    let mut service = recording(&path);
    let mut before = String::new();
    for count in 1..5 {
        say(&mut service, &log("Be brief.", count)).await.unwrap();
        let now = fs::read_to_string(&path).unwrap();
        assert!(now.len() > before.len() && now.starts_with(&before));
        // A second handle sees what a crash at this point would leave.
        assert!(CassetteLayer::replay(&path).is_ok());
        before = now;
    }
}

/// Requests in which a message changes at its place, others come and go.
fn requests() -> Vec<Log> {
    let mut reminded = log("Be brief.", 2);
    reminded.push(Message::developer("Only look."));
    let shorter = log("Be rude.", 1);
    vec![log("Be brief.", 1), reminded, log("Be kind.", 4), shorter, log("Be rude.", 9)]
}

#[tokio::test]
async fn every_request_is_compared_with_all_that_was_recorded_of_it() {
    let (_folder, path) = place();
    let mut service = recording(&path);
    for log in requests() {
        say(&mut service, &log).await.unwrap();
    }
    let changed = &lines(&path)[4]["request"]["messages"];
    assert_eq!(changed[0], json!({ "same": 2 }));
    let mut service = replaying(&path);
    for log in requests() {
        assert_eq!(say(&mut service, &log).await.unwrap().answer(), "Yes.");
    }

    for wrong in 0..requests().len() {
        let mut service = replaying(&path);
        for log in &requests()[..wrong] {
            say(&mut service, log).await.unwrap();
        }
        let mut other = requests()[wrong].clone();
        other.push(Message::user("more"));
        let error = say(&mut service, &other).await.unwrap_err().to_string();
        assert!(error.contains("recorded nothing") && error.contains("more"), "{error}");
        other.truncate(other.len() - 2);
        let error = say(&mut service, &other).await.unwrap_err().to_string();
        assert!(error.contains("asked nothing"), "{error}");
        say(&mut service, &requests()[wrong]).await.unwrap();
    }
}

#[tokio::test]
async fn a_message_that_differs_where_it_was_as_before_is_told() {
    let (_folder, path) = place();
    let mut service = recording(&path);
    for count in 1..4 {
        say(&mut service, &log("Be brief.", count)).await.unwrap();
    }
    let mut service = replaying(&path);
    say(&mut service, &log("Be brief.", 1)).await.unwrap();
    let error = say(&mut service, &log("Be kind.", 2)).await.unwrap_err().to_string();
    assert!(error.contains("request 2") && error.contains("/messages/0/parts/0/text"), "{error}");
    assert!(error.contains("Be brief.") && error.contains("Be kind."), "{error}");
}

#[tokio::test]
async fn what_a_file_held_stays_until_there_is_an_exchange() {
    let (_folder, path) = place();
    for count in [3, 1] {
        let mut service = recording(&path);
        let before = fs::read(&path).ok();
        drop(recording(&path));
        assert_eq!(fs::read(&path).ok(), before);
        for _ in 0..count {
            say(&mut service, &log("Be brief.", 1)).await.unwrap();
        }
        assert_eq!(lines(&path).len(), count);
    }
}

#[tokio::test]
async fn a_line_that_is_cut_off_or_broken_is_named_with_its_file() {
    let (_folder, path) = place();
    let mut service = recording(&path);
    let mut log = log("Be brief.", 1);
    for _ in 0..3 {
        say(&mut service, &log).await.unwrap();
        log.push(Message::user("Größe?"));
    }
    let check = |bytes: &[u8], why: &str| {
        fs::write(&path, bytes).unwrap();
        let error = CassetteLayer::replay(&path).unwrap_err().to_string();
        assert!(error.contains("cassette.jsonl, line 3: ") && error.contains(why), "{error}");
    };
    let whole = fs::read_to_string(&path).unwrap();
    let last = whole.trim_end().rfind('\n').unwrap() + 1;
    for end in last + 1..whole.len() - 1 {
        check(&whole.as_bytes()[..end], "the exchange is cut off");
    }
    check(whole.replace("\"same\":3", "\"same\":4").as_bytes(), "where 3 stand");
    check(format!("{}{{\"reply\": 1}}", &whole[..last]).as_bytes(), "");
    fs::write(&path, whole.trim_end()).unwrap();
    assert!(CassetteLayer::replay(&path).is_ok());
}

#[tokio::test]
async fn a_file_in_the_old_form_is_replayed() {
    let (_folder, path) = place();
    let exchange = |count| {
        let log = log("Be brief.", count);
        let said = |message: &Message| json!({ "role": message.role, "parts": message.parts });
        let messages: Vec<_> = log.iter().map(|message| said(message)).collect();
        json!({
            "request": {
                "model": Turn::default().model.to_string(),
                "settings": format!("{:?}", Turn::default().settings),
                "tools": [],
                "messages": messages,
            },
            "deltas": [{ "text": "Yes." }],
            "reply": {
                "added": [Message::assistant("Yes.")],
                "usage": brute_core::Usage::default(),
                "stop": StopReason::EndTurn,
            },
        })
    };
    let text = serde_json::to_string_pretty(&[exchange(1), exchange(2)]).unwrap();
    fs::write(&path, text).unwrap();
    let mut service = replaying(&path);
    for count in 1..3 {
        assert_eq!(say(&mut service, &log("Be brief.", count)).await.unwrap().answer(), "Yes.");
    }
    assert!(say(&mut service, &log("Be brief.", 3)).await.is_err());
}

#[tokio::test]
async fn what_was_recorded_does_not_show_in_the_layer() {
    let (_folder, path) = place();
    let layer = CassetteLayer::record(&path).secrets(Secrets::new(["sk-canary-123"]));
    let mut service = layer.layer(ScriptedModel::text("Yes."));
    say(&mut service, &log("My key is sk-canary-123.", 1)).await.unwrap();
    let shown = format!("{layer:?}");
    assert!(shown.contains("cassette.jsonl") && !shown.contains("canary"), "{shown}");
}
