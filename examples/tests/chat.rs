//! Conversations whose lines are piped in.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, Command, Output, Stdio},
};

#[cfg(unix)]
use std::{thread, time::Duration};

use serde_json::Value;
use tempfile::TempDir;

/// A home and working directory with a file and a skill.
fn place() -> TempDir {
    let place = TempDir::new().unwrap();
    let skill = place.path().join(".brute/skills/greet");
    fs::create_dir_all(&skill).unwrap();
    let text =
        "---\nname: greet\ndescription: Greets people.\n---\n\nGreet {{user_input}} warmly.\n";
    fs::write(skill.join("SKILL.md"), text).unwrap();
    fs::write(place.path().join("qzx-81.txt"), "A lonely line.\n").unwrap();
    place
}

fn start(place: &TempDir, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_brute"))
        .args(["chat", "--provider", "offline"])
        .args(arguments)
        .current_dir(place.path())
        .env("HOME", place.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn chat_with_bytes(place: &TempDir, arguments: &[&str], lines: &[u8]) -> Output {
    let mut child = start(place, arguments);
    // Where the program refuses to start, nobody reads.
    drop(child.stdin.take().unwrap().write_all(lines));
    child.wait_with_output().unwrap()
}

fn chat(place: &TempDir, arguments: &[&str], lines: &str) -> Output {
    chat_with_bytes(place, arguments, lines.as_bytes())
}

#[track_caller]
fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "it fails: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns what the user said, as a session file has it.
fn said(file: &Path) -> Vec<String> {
    let session: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let messages = session["messages"].as_array().unwrap();
    let mine = messages.iter().filter(|message| message["role"] == "user");
    mine.map(|message| message["parts"][0]["text"].as_str().unwrap().to_owned()).collect()
}

#[track_caller]
fn check_refused(output: &Output, mentions: &[&str]) {
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    for part in mentions {
        assert!(complaint.contains(part), "{part:?} is not in {complaint:?}");
    }
}

#[test]
fn each_line_is_a_turn_of_one_conversation() {
    let place = place();
    let file = place.path().join("session.json");
    let output = stdout(&chat(
        &place,
        &["--session", "session.json"],
        "What is here?\n\n  \r\nAnd now?\r\n/quit\nNever.\n",
    ));
    for part in ["with the offline model", "> What is here?\n", "qzx-81.txt", "> And now?\n"] {
        assert!(output.contains(part), "{part:?} is not in\n{output}");
    }
    assert_eq!(output.matches("cost $0").count(), 2, "{output}");
    assert!(!output.contains('\u{1b}') && !output.contains("Never."), "{output}");
    assert_eq!(said(&file), ["What is here?", "And now?"]);
}

#[test]
fn the_last_line_needs_no_end() {
    assert!(stdout(&chat(&place(), &[], "What is here?")).contains("qzx-81.txt"));
}

#[test]
fn a_conversation_goes_on_from_its_file() {
    let place = place();
    let file = place.path().join("session.json");
    stdout(&chat(&place, &["--session", "session.json"], "What is here?\n"));
    let output = stdout(&chat(&place, &["--session", "session.json"], "/usage\nAnd now?\n"));
    assert!(output.contains("goes on after 6 messages of "), "{output}");
    assert!(output.contains("messages of yours      1\n"), "{output}");
    assert_eq!(said(&file), ["What is here?", "And now?"]);
}

#[test]
fn a_session_file_is_replaced_whole_and_read_by_nobody_else() {
    let place = place();
    let folder = place.path().join("kept");
    fs::create_dir(&folder).unwrap();
    stdout(&chat(&place, &["--session", "kept/session.json"], "One.\nTwo.\n"));
    let entries: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap()).collect();
    assert_eq!(entries.len(), 1, "{entries:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(entries[0].metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[cfg(unix)]
#[test]
fn a_session_behind_a_link_stays_behind_it() {
    let place = place();
    let (file, link) = (place.path().join("far.json"), place.path().join("near.json"));
    stdout(&chat(&place, &["--session", "far.json"], "One.\n"));
    std::os::unix::fs::symlink(&file, &link).unwrap();
    stdout(&chat(&place, &["--session", "near.json"], "Two.\n"));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(said(&file), ["One.", "Two."]);
}

#[test]
fn a_broken_session_is_refused_and_stays_as_it_is() {
    let place = place();
    let file = place.path().join("session.json");
    for (text, mention) in [
        ("", "no exported session"),
        ("{\"brute_session\": 1, \"messages\": [", "no exported session"),
        ("{\"brute_session\": 99, \"messages\": []}", "format 99"),
        ("not a session\n", "no exported session"),
    ] {
        fs::write(&file, text).unwrap();
        let output = chat(&place, &["--session", "session.json"], "What is here?\n");
        check_refused(&output, &["session.json", "stays as it is", mention]);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    fs::write(&file, b"\xff\xfe").unwrap();
    let output = chat(&place, &["--session", "session.json"], "What is here?\n");
    check_refused(&output, &["session.json", "UTF-8"]);
}

#[test]
fn a_place_where_no_session_can_be_kept_is_refused_before_the_first_turn() {
    let place = place();
    let refused = |file| chat(&place, &["--session", file], "What is here?\n");
    check_refused(&refused("no/session.json"), &["no/session.json", "no such directory"]);
    check_refused(&refused("."), &["cannot keep the session in ."]);
    let file = place.path().join("fixed.json");
    fs::write(&file, "{\"brute_session\": 1, \"messages\": []}").unwrap();
    let mut permissions = fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).unwrap();
    check_refused(&refused("fixed.json"), &["fixed.json", "read-only"]);
}

#[test]
fn a_session_that_moves_sees_the_directory_it_is_in() {
    let (old, new) = (place(), TempDir::new().unwrap());
    fs::write(new.path().join("wkx-99.txt"), "Another line.\n").unwrap();
    stdout(&chat(&old, &["--session", "session.json"], "What is here?\n"));
    let cwd = new.path().to_str().unwrap();
    let output =
        stdout(&chat(&old, &["--session", "session.json", "--cwd", cwd], "What is here?\n"));
    assert!(output.contains("wkx-99.txt"), "{output}");
    let session = fs::read_to_string(old.path().join("session.json")).unwrap();
    let session: Value = serde_json::from_str(&session).unwrap();
    assert_eq!(session["meta"]["prompt_facts"]["cwd"], cwd);
    let prompt = session["meta"]["system_prompt"].to_string();
    assert!(prompt.contains(&format!("Working directory: {cwd}")), "{prompt}");
}

#[test]
fn modes_are_switched_alone_or_with_a_question() {
    let place = place();
    let arguments = ["--session", "session.json", "--plan"];
    let output =
        stdout(&chat(&place, &arguments, "One.\n/build\nTwo.\n/plan Three.\n/build Four.\n"));
    for part in ["plan> One.\n", "> Two.\n", "build mode from here on", "> /plan Three.\n"] {
        assert!(output.contains(part), "{part:?} is not in\n{output}");
    }
    assert!(output.contains("\nplan> /build Four.\n"), "{output}");
    assert_eq!(said(&place.path().join("session.json")), ["One.", "Two.", "Three.", "Four."]);
}

#[test]
fn what_was_said_can_be_forgotten_but_not_the_mode() {
    let place = place();
    let lines = "/plan One.\n/clear\nTwo.\n";
    let output = stdout(&chat(&place, &["--session", "session.json"], lines));
    assert!(output.contains("is forgotten; the next turn takes its place in "), "{output}");
    assert!(output.contains("plan> Two.\n"), "{output}");
    assert_eq!(said(&place.path().join("session.json")), ["Two."]);
}

#[test]
fn help_names_own_commands_and_skills() {
    let output = stdout(&chat(&place(), &[], "/help\n"));
    for part in ["/help", "/plan", "/build", "/clear", "/usage", "/quit", "/greet Greets people."] {
        assert!(output.contains(part), "{part:?} is not in\n{output}");
    }
}

#[test]
fn a_skill_is_called_by_its_command() {
    let place = place();
    stdout(&chat(&place, &["--session", "session.json"], "/greet Ada\n"));
    assert!(said(&place.path().join("session.json"))[0].contains("Greet Ada warmly."));
}

#[test]
fn a_line_that_is_no_text_ends_the_conversation_and_loses_nothing() {
    let place = place();
    let output = chat_with_bytes(&place, &["--session", "session.json"], b"One.\n\xff\xfe\nTwo.\n");
    check_refused(&output, &["UTF-8"]);
    assert_eq!(said(&place.path().join("session.json")), ["One."]);
}

#[test]
fn a_session_that_cannot_be_kept_is_told_and_the_conversation_goes_on() {
    let place = place();
    let folder = place.path().join("kept");
    fs::create_dir(&folder).unwrap();
    let mut child = start(&place, &["--session", "kept/session.json"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    // It has looked at the folder before it says who it is.
    output.read_line(&mut String::new()).unwrap();
    fs::remove_dir(&folder).unwrap();
    input.write_all(b"What is here?\n").unwrap();
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert!(rest.contains("qzx-81.txt") && rest.contains("The session is not kept"), "{rest}");
    check_refused(&ended, &["cannot write", "session.json"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_between_two_lines_leaves_and_loses_nothing() {
    let place = place();
    let mut child = start(&place, &["--session", "session.json"]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"What is here?\n").unwrap();
    let file = place.path().join("session.json");
    let interrupt = || {
        let process = child.id().to_string();
        Command::new("kill").args(["-INT", &process]).status().unwrap()
    };
    let is_kept = || {
        thread::sleep(Duration::from_millis(10));
        file.exists()
    };
    assert!((0..3_000).any(|_| is_kept()), "the session is not kept");
    // The first one may come before the program waits for the next line.
    for _ in 0..3 {
        thread::sleep(Duration::from_millis(200));
        interrupt();
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(said(&file), ["What is here?"]);
    drop(input);
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let place = place();
    let mut child = start(&place, &[]);
    drop(child.stdout.take());
    drop(child.stdin.take().unwrap().write_all(b"What is here?\n"));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[cfg(not(feature = "rig"))]
#[test]
fn without_real_models_the_command_that_brings_them_is_named() {
    for (arguments, command) in [
        (
            &["ask", "it's here?", "--provider", "anthropic"][..],
            r"cargo run --features rig -- ask 'it'\''s here?' --provider anthropic",
        ),
        (&["chat", "--model", "m"], "cargo run --features rig -- chat --model m"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_brute")).args(arguments).output().unwrap();
        check_refused(&output, &["feature `rig`", command]);
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn an_address_needs_a_provider_and_the_offline_model_takes_none() {
    let place = place();
    check_refused(&chat(&place, &["--model", "m"], ""), &["offline model", "--model"]);
    let alone = Command::new(env!("CARGO_BIN_EXE_brute"))
        .args(["chat", "--base-url", "http://127.0.0.1:1/v1"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&alone.stderr);
    assert!(!alone.status.success() && complaint.contains("--provider"), "{complaint}");
}
