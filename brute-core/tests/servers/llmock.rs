//! Cells of llmock, which breaks on demand, keeps what was sent, and judges who sent it.

use std::time::Duration;

use brute_core::{Error, ErrorKind, Message, Reply, Role, Section, Turn, Zone};
use serde_json::{Value, json};

use super::{
    behaviour as check,
    kit::{
        Cell, KEY,
        Server::{self, Llmock},
        Wire::{self, Anthropic, Chat, Google, Groq, Mistral, OpenAiChat, Responses, Xai},
        answer_calls, ask, http, offers, run_loop, says, watch,
    },
};

const WIRES: [Wire; 4] = [Anthropic, Chat, Responses, Google];

pub(crate) fn cells() -> Vec<Cell> {
    let of_anthropic = [
        Cell::new(Llmock, Anthropic, "cache marks", |_, wire| marks(wire)),
        Cell::new(Llmock, Anthropic, "529", |server, wire| async move {
            script(json!([{ "type": "fail", "status": 529, "times": 1 }])).await;
            let error = check::failure(server, wire, "hello").await;
            check::check_failure(&error, ErrorKind::Overloaded, true, Some(529));
        }),
    ];
    let families = [OpenAiChat, Groq, Mistral, Xai].into_iter().flat_map(of_family);
    WIRES.into_iter().flat_map(of).chain(of_anthropic).chain(families).collect()
}

fn of(wire: Wire) -> Vec<Cell> {
    let mut cells = failures(wire);
    cells.extend([
        Cell::new(Llmock, wire, "plain", |server, wire| async move {
            script(json!([{ "type": "reply", "text": "Hello, person." }])).await;
            check::plain(server, wire, "hello", Some("Hello, person.")).await;
        }),
        Cell::new(Llmock, wire, "usage", |server, wire| async move {
            script(json!([])).await;
            check::counts(server, wire, "hello").await;
        }),
        Cell::new(Llmock, wire, "streamed", |server, wire| async move {
            script(json!([{ "type": "reply", "text": LONG }])).await;
            check::streamed(server, wire, "hello", 3).await;
        }),
        Cell::new(Llmock, wire, "parallel tools", |server, wire| async move {
            script(json!([{ "type": "reply", "tool_calls": two_calls() }])).await;
            check::parallel_tools(server, wire, "weather").await;
        }),
        Cell::new(Llmock, wire, "tool loop", |server, wire| async move {
            script(json!([])).await;
            check::tool_loop(server, wire, "What is the weather?", None).await;
        }),
        Cell::new(Llmock, wire, "malformed arguments", |_, wire| malformed_arguments(wire)),
        Cell::new(Llmock, wire, "cancel", |server, wire| async move {
            // Some wires say a lot before the first word.
            let after_chunks = if wire == Responses { 8 } else { 4 };
            let slow = json!([
                { "type": "reply", "text": LONG },
                { "type": "stream_fault", "kind": "stall", "stall_seconds": 20, "after_chunks": after_chunks },
            ]);
            script(slow).await;
            check::cancelled(server, wire, "hello", "hello again").await;
        }),
        Cell::new(Llmock, wire, "retries are judged", |_, wire| judged(wire)),
    ]);
    cells
}

/// What differs between providers that speak the same wire: paths, headers, small rules.
fn of_family(wire: Wire) -> Vec<Cell> {
    vec![
        Cell::new(Llmock, wire, "plain", |server, wire| async move {
            script(json!([{ "type": "reply", "text": "Hello, person." }])).await;
            check::plain(server, wire, "hello", Some("Hello, person.")).await;
        }),
        Cell::new(Llmock, wire, "tool loop", |server, wire| async move {
            script(json!([])).await;
            check::tool_loop(server, wire, "What is the weather?", None).await;
        }),
        Cell::new(Llmock, wire, "429 with retry-after", |server, wire| async move {
            script(json!([{ "type": "fail", "status": 429, "retry_after": 3, "times": 1 }])).await;
            check::rate_limited(server, wire, "hello", Duration::from_secs(3)).await;
        }),
    ]
}

fn failures(wire: Wire) -> Vec<Cell> {
    let fault = |kind| json!([long(), { "type": "stream_fault", "kind": kind, "after_chunks": 3 }]);
    let stall = || json!([{ "type": "stream_fault", "kind": "stall", "stall_seconds": 20, "after_chunks": 2 }]);
    vec![
        Cell::new(Llmock, wire, "429 with retry-after", |server, wire| async move {
            script(json!([{ "type": "fail", "status": 429, "retry_after": 3, "times": 1 }])).await;
            check::rate_limited(server, wire, "hello", Duration::from_secs(3)).await;
        }),
        Cell::new(Llmock, wire, "500", |server, wire| async move {
            script(json!([{ "type": "fail", "status": 500, "times": 1 }])).await;
            check::server_error(server, wire, "hello").await;
        }),
        Cell::new(Llmock, wire, "401", |server, wire| async move {
            script(json!([{ "type": "fail", "status": 401, "times": 1 }])).await;
            let error = check::failure(server, wire, "hello").await;
            check::check_failure(&error, ErrorKind::Authentication, false, Some(401));
        }),
        Cell::new(Llmock, wire, "hang", move |server, wire| async move {
            script(stall()).await;
            check::hangs(server, wire, "hello").await;
        }),
        Cell::new(Llmock, wire, "truncated", move |server, wire| async move {
            script(fault("truncate")).await;
            check::truncated(server, wire, "hello").await;
        }),
        Cell::new(Llmock, wire, "malformed", move |server, wire| async move {
            script(fault("malformed")).await;
            check::malformed(server, wire, "hello").await;
        }),
        Cell::new(Llmock, wire, "disconnect", move |server, wire| async move {
            script(fault("disconnect")).await;
            check::disconnected(server, wire, "hello").await;
        }),
    ]
}

/// A text that takes several chunks.
const LONG: &str = "One two three four five six seven eight nine ten eleven twelve thirteen \
                    fourteen fifteen sixteen seventeen eighteen nineteen twenty.";

fn long() -> Value {
    json!({ "type": "reply", "text": LONG })
}

fn two_calls() -> Value {
    let call = |city| json!({ "name": "get_weather", "arguments": { "city": city } });
    json!([call("Paris"), call("Rome")])
}

fn admin(path: &str) -> String {
    format!("{}/_llmock/{path}", Llmock.url())
}

/// Forgets what was, and says what happens next.
async fn script(behaviours: Value) {
    http("POST", &admin("reset"), None).await;
    if behaviours != json!([]) {
        let answer =
            http("POST", &admin("scenario"), Some(json!({ "behaviors": behaviours }))).await;
        assert!(answer.get("error").is_none(), "the scenario was refused: {answer}");
    }
}

/// What the model wrote in place of an object comes to us as it is, and the next request is valid.
async fn malformed_arguments(wire: Wire) {
    script(json!([{ "type": "tool_fault", "kind": "malformed_arguments", "times": 1 }])).await;
    let model = wire.model(Llmock);
    let mut turn = offers("What is the weather?");
    let reply = ask(&model, turn.clone()).await.unwrap();
    let message = reply.last_assistant().unwrap().clone();
    let call = message.tool_calls().next().expect("the model called no tool");
    // Some wires have no place for anything but an object.
    if wire != Google {
        assert!(call.arguments.object().is_none(), "the arguments are an object: {call:?}");
    }
    answer_calls(&mut turn, &reply).await;
    let (reply, _) = run_loop(&model, &mut turn).await;
    assert!(!reply.answer().is_empty());
    brute_core::testing::assert_paired(&turn.log);
}

/// Retries as the errors say, and lets the server judge it.
async fn judged(wire: Wire) {
    let limited = json!({ "type": "fail", "status": 429, "retry_after": 0.4, "times": 2 });
    script(json!([limited, { "type": "fail", "status": 503, "times": 1 }])).await;
    let reply = patiently(wire, says("hello")).await.unwrap();
    assert!(!reply.answer().is_empty());
    let verdict = http("GET", &admin("verdict?format=text"), None).await;
    let verdict = verdict.as_str().map_or_else(|| verdict.to_string(), str::to_owned);
    assert!(verdict.contains("PASS") && !verdict.contains("FAIL"), "{verdict}");
}

async fn patiently(wire: Wire, turn: Turn) -> Result<Reply, Error> {
    let model = wire.model(Llmock);
    for attempt in 1..=5 {
        let error = match ask(&model, turn.clone()).await {
            Err(error) if error.is_retryable() => error,
            outcome => return outcome,
        };
        let backoff = Duration::from_millis(100 * attempt * attempt);
        tokio::time::sleep(error.retry_after().unwrap_or(backoff)).await;
    }
    panic!("five attempts were not enough");
}

/// Marks stand after the tools, at the edges of the prompt's zones, and after what stays of the
/// conversation; four in all.
async fn marks(wire: Wire) {
    script(json!([])).await;
    let mut turn = offers("What is the weather?");
    let section = |name: &str, zone| {
        let (name, text) = (name.into(), format!("The text of {name}.").into());
        brute_core::Part::Section(Section { name, zone, text })
    };
    let sections = [
        ("identity", Zone::Static),
        ("tools", Zone::Static),
        ("environment", Zone::Session),
        ("git", Zone::Dynamic),
    ];
    let parts = sections.into_iter().map(|(name, zone)| section(name, zone)).collect();
    turn.log.push_front(Message::new(Role::System, parts));
    turn.log.push(Message::developer("Remember: this is a reminder."));
    let (reply, seen) = watch(&wire.model(Server::Llmock), turn).await;
    reply.unwrap();
    assert_eq!(seen.diagnostics(), Vec::<String>::new());

    let requests = http("GET", &admin("requests"), None).await;
    assert!(!requests.to_string().contains("cache_control\": null"));
    let body = find_body(&requests).expect("the server keeps no body");
    let mark = json!({ "type": "ephemeral" });
    assert_eq!(body["tools"][0]["cache_control"], mark, "{body:#}");
    let texts: Vec<_> = body["system"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        texts,
        [
            "The text of identity.\n\nThe text of tools.",
            "The text of environment.",
            "The text of git."
        ]
    );
    assert_eq!(body["system"][0]["cache_control"], mark);
    assert_eq!(body["system"][1]["cache_control"], mark);
    assert!(body["system"][2].get("cache_control").is_none());
    let said = &body["messages"][0]["content"];
    assert_eq!(said[0]["cache_control"], mark, "{said:#}");
    assert_eq!(said[1]["text"], "Remember: this is a reminder.");
    assert!(said[1].get("cache_control").is_none());
    assert_eq!(body.to_string().matches("\"cache_control\"").count(), 4);
    assert!(body.get("temperature").is_none() && body.get("thinking").is_none(), "{body:#}");
    assert!(!body.to_string().contains(KEY));
}

/// Finds the body of the last request among what the server tells.
fn find_body(requests: &Value) -> Option<Value> {
    let list = requests.as_array().or_else(|| requests.get("requests")?.as_array())?;
    let body = list.last()?.get("body")?;
    match body.as_str() {
        Some(text) => serde_json::from_str(text).ok(),
        None => Some(body.clone()),
    }
}
