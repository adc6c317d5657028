//! How the offline model replies: in pieces, within the settings, and saying what it cannot do.

use std::sync::{Arc, Mutex};

use brute_core::{
    Error, Event, Events, Log, Media, MediaSource, Message, Part, Reply, Role, Section, Settings,
    StopReason, ToolChoice, ToolOutput, Toolbox, Turn, Zone, models::OfflineModel, tool_fn,
};
use proptest::prelude::{any, prop_assert, proptest};
use schemars::JsonSchema;
use serde::Deserialize;
use tower::ServiceExt;

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only the names matter")]
struct Anything {
    path: Option<String>,
    pattern: Option<String>,
}

/// Offers tools; they never run, since the tests answer for them.
fn tools(names: &[&str]) -> Toolbox {
    let add = |tools: Toolbox, name: &&str| {
        tools.with(tool_fn(name, "Looks.", |_: Anything, _| async { Ok::<_, Error>("") }))
    };
    names.iter().try_fold(Toolbox::default(), add).expect("different names")
}

fn all() -> Toolbox {
    tools(&["list", "read", "search"])
}

fn turn(question: &str, tools: Toolbox) -> Turn {
    let log = Log::from_iter([Message::system("Be brief."), Message::user(question)]);
    Turn { log, tools, ..Turn::default() }
}

async fn step(turn: &Turn) -> Reply {
    OfflineModel.oneshot(turn.clone()).await.expect("a reply")
}

/// Returns the answer to a turn in which the model calls no tool.
async fn answer(turn: &Turn) -> String {
    let reply = step(turn).await;
    assert_ne!(reply.stop, StopReason::ToolCalls, "{reply:?}");
    reply.answer()
}

/// Answers calls of tools with a text until the model ends.
async fn finish(turn: &mut Turn, text: &str) -> Reply {
    for _ in 0..3 {
        let reply = step(turn).await;
        if reply.stop != StopReason::ToolCalls {
            return reply;
        }
        for message in reply.added {
            turn.log.push(message.clone());
            turn.log.extend(message.tool_calls().map(|call| {
                Message::tool_result(ToolOutput::from(text).into_result(call.id.clone()))
            }));
        }
    }
    panic!("the model does not end by itself: {:?}", turn.log);
}

#[tokio::test]
async fn without_tools_it_says_why_it_looks_at_nothing() {
    let mut off = turn("What is here?", all());
    off.settings_mut().tool_choice = ToolChoice::None;
    for (turn, reason) in [
        (turn("What is here?", Toolbox::default()), "there are no tools on offer"),
        (off, "tools are off for this call"),
        (
            turn("What is here?", tools(&["dice"])),
            "none of list, read and search is on offer, but only dice",
        ),
    ] {
        let answer = answer(&turn).await;
        assert!(answer.contains("You asked “What is here?”"), "{answer}");
        assert!(answer.contains(reason), "{answer}");
    }
}

#[tokio::test]
async fn asked_nothing_it_reports_what_it_sees_of_the_request() {
    let section = |name: &str| {
        Part::Section(Section { name: name.into(), zone: Zone::Static, text: "Be brief.".into() })
    };
    let sections = Message::new(Role::System, vec![section("identity"), section("environment")]);
    for (system, report) in [
        (
            Some(sections),
            "2 sections and 20 characters (about 5 tokens): identity, environment; 3 tools are on offer: list, read, search.",
        ),
        (
            Some(Message::system("\nBe brief.\nBe kind.")),
            "19 characters (about 5 tokens), which begins “Be brief.”; 3 tools",
        ),
        (None, "I see no system prompt; 3 tools"),
    ] {
        for user in [Some(Message::user(" \n")), None] {
            let log = system.clone().into_iter().chain(user).collect();
            let answer = answer(&Turn { log, tools: all(), ..Turn::default() }).await;
            assert!(answer.starts_with("You asked nothing. I see "), "{answer}");
            assert!(answer.contains(report), "{answer}");
        }
    }
}

#[tokio::test]
async fn images_are_not_passed_over_in_silence() {
    let image = Media { mime: "image/png".into(), source: MediaSource::Base64("AA==".into()) };
    let message = Message::new(Role::User, vec![Part::Media(image)]);
    let turn = Turn { log: Log::from_iter([message]), tools: all(), ..Turn::default() };
    let answer = answer(&turn).await;
    assert!(answer.contains("I cannot see the 1 image or document"), "{answer}");
}

#[tokio::test]
async fn text_and_arguments_come_in_pieces_that_add_up() {
    let mut turn = turn("Where is \"open calls\" in it?", all());
    let events = Arc::new(Mutex::new(Vec::new()));
    let kept = events.clone();
    turn.events = Events::inline(move |event| kept.lock().expect("no panic").push(event));
    let reply = finish(&mut turn, "a.txt\nb.txt\n").await;
    let events = events.lock().expect("no panic");
    let pieces: Vec<_> = events.iter().filter_map(text_of).collect();
    assert!(pieces.len() > 20, "{pieces:?}");
    assert_eq!(pieces.concat(), reply.answer());
    let arguments: Vec<_> = events.iter().filter_map(arguments_of).collect();
    assert!(arguments.len() > 4, "{arguments:?}");
    assert!(arguments.concat().contains(r#"{"pattern":"open calls"}"#), "{arguments:?}");
}

fn text_of(event: &Event) -> Option<&str> {
    match event {
        Event::Text { delta } => Some(delta),
        _ => None,
    }
}

fn arguments_of(event: &Event) -> Option<&str> {
    match event {
        Event::ToolArguments { delta, .. } => Some(delta),
        _ => None,
    }
}

#[tokio::test]
async fn usage_is_estimated_from_the_request_and_the_reply() {
    let small = step(&turn("hi", Toolbox::default())).await;
    // Eleven characters: the system prompt and the question.
    assert_eq!(small.usage.input, 3);
    assert_eq!(small.usage.output, small.answer().chars().count().div_ceil(4) as u64);
    let large = step(&turn(&"hi ".repeat(1000), all())).await;
    assert!(large.usage.input > 750, "{:?}", large.usage);
    assert!(large.usage.output > 0, "{:?}", large.usage);
}

#[tokio::test]
async fn the_settings_may_end_the_answer_early() {
    let tokens = Settings { max_output_tokens: Some(2), ..Settings::default() };
    let sequence = Settings { stop_sequences: vec!["nothing".into()], ..Settings::default() };
    for (settings, stop, expected) in [
        (tokens, StopReason::MaxTokens, "You aske"),
        (sequence, StopReason::StopSequence, "You asked "),
    ] {
        let mut turn = turn("", Toolbox::default());
        turn.settings = Arc::new(settings);
        let reply = step(&turn).await;
        assert_eq!((reply.stop, &*reply.answer()), (stop, expected));
    }
}

#[tokio::test]
async fn a_wish_for_json_is_declined_aloud() {
    let mut turn = turn("What is here?", Toolbox::default());
    turn.settings_mut().response_schema = Some(Arc::default());
    let events = Arc::new(Mutex::new(Vec::new()));
    let kept = events.clone();
    turn.events = Events::inline(move |event| kept.lock().expect("no panic").push(event));
    step(&turn).await;
    let events = events.lock().expect("no panic");
    assert!(matches!(&events[0], Event::Diagnostic { message } if message.contains("json")));
}

proptest! {
    #[test]
    fn whatever_is_asked_and_returned_it_ends(question in ".{0,60}", returned in any::<String>()) {
        let mut turn = turn(&question, all());
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let reply = runtime.block_on(finish(&mut turn, &returned));
        prop_assert!(reply.answer().contains("I do not reason"), "{:?}", reply);
    }
}

#[tokio::test]
async fn what_could_move_a_terminal_is_not_quoted() {
    let mut turn = turn("What is \u{1b}[2J here?", all());
    let answer = finish(&mut turn, "a\u{1b}[2Jb.txt\n").await.answer();
    assert!(!answer.contains('\u{1b}'), "{answer:?}");
    assert!(answer.contains("a[2Jb.txt"), "{answer}");
}
