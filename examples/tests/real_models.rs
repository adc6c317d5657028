//! The program with a model that a server on this machine stands in for.
#![cfg(feature = "rig")]

mod openai_server;

use std::{
    io::Write,
    process::{Command, Output, Stdio},
    time::Duration,
};

use openai_server::{Answer, Server};
use tempfile::TempDir;

const HELLO: Answer =
    Answer::Words(&["Hello ", "from ", "afar."], Duration::ZERO, Some((1_000_000, 500_000)));
const UNTOLD: Answer = Answer::Words(&["Guess."], Duration::ZERO, None);
const CANARY: &str = "canary-4711-canary";

/// The program in an empty folder, without a key from outside.
fn brute(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brute"));
    command.args(arguments).current_dir(folder.path()).env_clear();
    command.env("HOME", folder.path()).env("BRUTE_FORBID_REAL_CALLS", "1");
    command
}

fn chat(mut command: Command, lines: &str) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdin.take().unwrap().write_all(lines.as_bytes()));
    child.wait_with_output().unwrap()
}

#[track_caller]
fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "it fails: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn check_refused(arguments: &[&str], mentions: &[&str]) {
    let output = brute(&TempDir::new().unwrap(), arguments).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert!(output.stdout.is_empty());
    for part in mentions {
        assert!(complaint.contains(part), "{part:?} is not in {complaint:?}");
    }
}

fn at<'a>(server: &'a Server, before: &[&'a str], after: &[&'a str]) -> Vec<&'a str> {
    let model = ["--provider", "openai_compatible", "--model", "test", "--base-url", &server.url];
    [before, &model, after].concat()
}

#[test]
fn a_question_is_answered_by_the_model_that_is_named() {
    let server = Server::answering(&[HELLO]);
    let folder = TempDir::new().unwrap();
    let arguments = at(&server, &["ask", "Who is there?"], &[]);
    let output = stdout(&brute(&folder, &arguments).output().unwrap());
    for part in ["Asking openai_compatible/test\n", "└ RemoteModel", "Hello from afar."] {
        assert!(output.contains(part), "{part:?} is not in\n{output}");
    }
    let asked = server.asked();
    assert_eq!((asked.len(), &asked[0]["model"]), (1, &"test".into()));
    assert!(asked[0].to_string().contains("Who is there?"));
}

#[test]
fn an_address_with_a_key_in_it_is_refused_without_the_key() {
    let address = format!("http://127.0.0.1:1/v1?api_key={CANARY}");
    let model = ["--provider", "openai_compatible", "--model", "test", "--base-url", &address];
    for arguments in [["ask", "hi"].as_slice(), &["chat"]] {
        let folder = TempDir::new().unwrap();
        let output = brute(&folder, &[arguments, &model].concat()).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{complaint}");
        assert!(complaint.contains("must not go on with a query"), "{complaint}");
        assert!(!complaint.contains("canary"), "{complaint}");
    }
}

#[test]
fn a_call_that_fails_for_now_is_made_again() {
    let server = Server::answering(&[Answer::Status(503, 0), HELLO]);
    let folder = TempDir::new().unwrap();
    let arguments = at(&server, &["ask", "Who is there?"], &[]);
    let output = stdout(&brute(&folder, &arguments).output().unwrap());
    assert!(output.contains("tries again in") && output.contains("Hello from afar."), "{output}");
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn the_model_whose_key_is_in_the_environment_is_chosen_and_named() {
    let folder = TempDir::new().unwrap();
    let mut command = brute(&folder, &["ask", "Who is there?"]);
    let output = command.env("ANTHROPIC_API_KEY", CANARY).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let first = text.lines().next().unwrap();
    assert!(first.starts_with("Asking anthropic/claude-"), "{first}");
    assert!(first.ends_with(", whose key is in the environment"), "{first}");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && complaint.contains("forbidden"), "{complaint}");
    assert!(!text.contains(CANARY) && !complaint.contains(CANARY));
}

#[test]
fn without_a_key_the_offline_model_answers() {
    let folder = TempDir::new().unwrap();
    let output = stdout(&brute(&folder, &["ask", "What is here?"]).output().unwrap());
    assert!(output.contains("└ OfflineModel") && !output.contains("Asking"), "{output}");
}

#[test]
fn without_arguments_nobody_is_asked_whatever_key_there_is() {
    let folder = TempDir::new().unwrap();
    let output = stdout(&brute(&folder, &[]).env("OPENAI_API_KEY", CANARY).output().unwrap());
    assert!(output.contains("└ OfflineModel"), "{output}");
}

#[test]
fn a_dry_run_needs_no_key() {
    let folder = TempDir::new().unwrap();
    let arguments = ["ask", "Who is there?", "--provider", "anthropic", "--dry-run"];
    assert!(stdout(&brute(&folder, &arguments).output().unwrap()).contains("Who is there?"));
}

#[test]
fn what_is_missing_is_named() {
    check_refused(&["ask", "x", "--provider", "anthropic"], &["ANTHROPIC_API_KEY"]);
    check_refused(&["ask", "x", "--provider", "nobody"], &["nobody", "anthropic", "ollama"]);
    check_refused(&["ask", "x", "--provider", "ollama"], &["ollama", "--model"]);
    check_refused(&["ask", "x", "--provider", "openai_compatible"], &["--base-url"]);
    check_refused(&["ask", "x", "--model", "m"], &["--provider", "OPENAI_API_KEY"]);
}

#[test]
fn a_conversation_tells_what_each_turn_cost() {
    let server = Server::answering(&[HELLO]);
    let folder = TempDir::new().unwrap();
    let mut command = brute(
        &folder,
        &["chat", "--provider=openai_chat", "--model=gpt-4.1", "--base-url", &server.url],
    );
    command.env("OPENAI_API_KEY", CANARY);
    let output = stdout(&chat(command, "One.\nTwo.\n/usage\n"));
    // A million tokens read at $2, half a million written at $8.
    for part in [
        "A conversation with openai_chat/gpt-4.1\n",
        "cost $6.0000; in all $6.0000\n",
        "cost $6.0000; in all $12.0000\n",
        "about 1500000 of 1047576",
        "cost since the start   $12.0000\n",
    ] {
        assert!(output.contains(part), "{part:?} is not in\n{output}");
    }
}

#[test]
fn a_price_that_nobody_knows_is_not_made_up() {
    let server = Server::answering(&[HELLO]);
    let folder = TempDir::new().unwrap();
    let output = stdout(&chat(brute(&folder, &at(&server, &["chat"], &[])), "One.\n"));
    let unknown = "cost unknown: no prices of openai_compatible/test are known";
    assert!(output.contains(unknown), "{output}");
}

#[test]
fn a_sum_with_a_gap_is_told_as_such() {
    let server = Server::answering(&[HELLO, UNTOLD]);
    let folder = TempDir::new().unwrap();
    let model = ["--provider=openai_chat", "--model=gpt-4.1", "--base-url", &server.url];
    let mut command = brute(&folder, &[&["chat"], &model[..]].concat());
    command.env("OPENAI_API_KEY", CANARY);
    let output = stdout(&chat(command, "One.\nTwo.\n"));
    assert!(output.contains("in all $6.0000\n"), "{output}");
    let gap = "and what the provider did not tell";
    assert!(output.contains(&format!("cost $0 {gap}; in all $6.0000 {gap}\n")), "{output}");
}

#[test]
fn a_session_goes_on_with_all_that_was_said_and_without_the_key() {
    let server = Server::answering(&[HELLO]);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("session.json");
    let url = server.url.as_str();
    let more = ["--provider=openai_chat", "--model=gpt-4.1", "--session=session.json"];
    for line in ["First.\n", "Second.\n"] {
        let arguments = [&["chat", "--base-url", url], &more[..]].concat();
        let mut command = brute(&folder, &arguments);
        command.env("OPENAI_API_KEY", CANARY);
        let output = stdout(&chat(command, line));
        assert!(!output.contains(CANARY), "{output}");
    }
    let asked = server.asked();
    let roles: Vec<_> = asked[1]["messages"].as_array().unwrap().iter().collect();
    let roles: Vec<_> = roles.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    // The prompt that went before is the same, byte for byte.
    assert_eq!(asked[0]["messages"][0], asked[1]["messages"][0]);
    assert!(!std::fs::read_to_string(file).unwrap().contains(CANARY));
}

#[test]
fn a_turn_that_fails_leaves_the_conversation_whole() {
    let server = Server::answering(&[Answer::Status(400, 0), HELLO]);
    let folder = TempDir::new().unwrap();
    let arguments = at(&server, &["chat"], &["--session=session.json"]);
    let output = chat(brute(&folder, &arguments), "One.\nTwo.\n");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("The turn failed: ") && text.contains("Hello from afar."), "{text}");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("one turn failed"));
    let session = std::fs::read_to_string(folder.path().join("session.json")).unwrap();
    assert!(session.contains("One.") && session.contains("Two."), "{session}");
}
