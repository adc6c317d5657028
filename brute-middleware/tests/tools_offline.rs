//! The offline model and the looking tools in the recommended stack, on real directories.

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
};

use brute_core::{
    Agent, Event, Events, Input, Reply, Session, StopReason, models::OfflineModel,
    testing::assert_paired,
};
use brute_middleware::{default_stack, tools};
use tempfile::TempDir;

fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
    directory
}

async fn send(cwd: &Path, question: impl Into<Input>, events: Events) -> (Session, Reply) {
    let stack = default_stack().model(OfflineModel);
    let agent = Agent::builder(stack).tools(tools::looking()).cwd(cwd).events(events).build();
    let session = Session::new();
    let reply = agent.expect("an agent").send(&session, question).await.expect("a reply");
    (session, reply)
}

async fn ask(cwd: &TempDir, question: impl Into<Input>) -> String {
    let (session, reply) = send(cwd.path(), question, Events::default()).await;
    assert_eq!(reply.stop, StopReason::EndTurn);
    assert_paired(&session.log());
    reply.answer()
}

#[tokio::test]
async fn the_answer_names_files_that_nobody_could_guess() {
    let directory = directory(&[
        ("vexillology-4711.txt", "flags of the far north\n"),
        ("quincunx/inside.txt", "five\n"),
    ]);
    let answer = ask(&directory, "what is here?").await;
    for seen in ["vexillology-4711.txt", "quincunx/", "> flags of the far north", "2 entries"] {
        assert!(answer.contains(seen), "{seen:?} is not in {answer}");
    }
}

#[tokio::test]
async fn a_word_is_found_wherever_it_stands() {
    let directory = directory(&[
        ("README.md", "# A project\n"),
        ("src/deep/lib.rs", "fn one() {}\nfn zanzibar(x: u8) {}\n"),
    ]);
    let answer = ask(&directory, "Where is \"zanzibar(\" defined?").await;
    assert!(answer.contains("> src/deep/lib.rs:2: fn zanzibar(x: u8) {}"), "{answer}");
    assert!(answer.contains("> # A project"), "{answer}");
}

#[tokio::test]
async fn an_empty_or_missing_directory_is_said_to_be_so() {
    let empty = directory(&[]);
    assert!(ask(&empty, "what is here?").await.contains("the directory is empty"));
    let gone = empty.path().join("gone");
    let (_, reply) = send(&gone, "what is here?", Events::default()).await;
    assert!(reply.answer().contains("The tool list failed:\n> "), "{}", reply.answer());
    assert!(reply.answer().contains("gone cannot be used"), "{}", reply.answer());
}

#[tokio::test]
async fn tools_run_and_text_is_streamed_as_the_turn_goes_on() {
    let directory = directory(&[("notes.txt", "a note\n")]);
    let events = Arc::new(Mutex::new(Vec::new()));
    let kept = events.clone();
    let listen = Events::inline(move |event| kept.lock().expect("no panic").push(event));
    let (_, reply) = send(directory.path(), "what is here?", listen).await;
    let events = events.lock().expect("no panic");
    let tools: Vec<_> = events.iter().filter_map(started).collect();
    assert_eq!(tools, ["list", "read"]);
    let text: String = events.iter().filter_map(piece).collect();
    assert_eq!(text, reply.answer());
    assert!(reply.usage.input > 0 && reply.usage.output > 0, "{:?}", reply.usage);
}

fn started(event: &Event) -> Option<&str> {
    match event {
        Event::ToolStart { call } => Some(&call.name),
        _ => None,
    }
}

fn piece(event: &Event) -> Option<&str> {
    match event {
        Event::Text { delta } => Some(delta),
        _ => None,
    }
}

#[tokio::test]
async fn asked_nothing_it_names_the_sections_of_the_prompt() {
    let directory = directory(&[]);
    let answer = ask(&directory, Input::none()).await;
    assert!(answer.contains("identity, "), "{answer}");
    assert!(answer.contains("environment"), "{answer}");
}

#[tokio::test]
async fn at_the_limit_of_steps_it_answers_with_what_it_has() {
    let directory = directory(&[("notes.txt", "a note\n")]);
    let stack = default_stack().max_steps(1).model(OfflineModel);
    let agent = Agent::builder(stack).tools(tools::looking()).cwd(directory.path()).build();
    let reply = agent.expect("an agent").send(&Session::new(), "what is here?").await;
    let reply = reply.expect("a reply");
    assert_eq!(reply.stop, StopReason::MaxSteps);
    assert!(reply.answer().contains("notes.txt"), "{}", reply.answer());
}
