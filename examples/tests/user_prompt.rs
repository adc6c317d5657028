//! Questions from files and templates, what happened before them, and what is kept of a turn.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use tempfile::TempDir;

/// A folder with a home, a project to look at, and files to ask from.
fn place() -> TempDir {
    let place = TempDir::new().unwrap();
    let write = |path: &str, text: &str| {
        let path = place.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("project/qzx-81.txt", "A lonely line.\n");
    write("ask.md", "{{ inputs.verb }} what is here, for: {{ goal }}\n");
    write("home/.config/brute/global.md", "Global: what is here?");
    write("goal.md", "peace {{ goal }}");
    write(
        "stages.json",
        r#"{ "goal": "war", "id": "r-7", "stages": [
            { "id": "plan", "outcome": "success", "response": "First {{ look }}." },
            { "id": "test", "outcome": "failed", "script": "make", "stdout": "two tests fail" }
        ], "context": { "branch": "main" } }"#,
    );
    place
}

fn brute(place: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brute"));
    command.current_dir(place.path()).env("HOME", place.path().join("home"));
    command.env("ACME_API_KEY", "canary-4711-canary").args(arguments).output().unwrap()
}

fn ask(place: &TempDir, arguments: &[&str]) -> Output {
    let ask = ["ask", "--provider", "offline", "--cwd", "project"];
    brute(place, &[&ask, arguments].concat())
}

#[track_caller]
fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "it fails: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn check_refused(place: &TempDir, arguments: &[&str], mentions: &[&str]) {
    let output = ask(place, arguments);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && output.stdout.is_empty(), "{complaint}");
    for part in mentions {
        assert!(complaint.contains(part), "{part:?} is not in {complaint}");
    }
}

#[test]
fn a_question_comes_from_a_file_with_goal_and_inputs() {
    let place = place();
    let output = stdout(&ask(&place, &["@ask.md", "--goal", "@goal.md", "--input", "verb=Say"]));
    assert!(output.contains("> Say what is here, for: peace {{ goal }}\n\n"), "{output}");
    assert!(output.contains("qzx-81.txt"), "{output}");
}

#[test]
fn a_file_is_looked_for_in_the_configuration_second() {
    assert!(stdout(&ask(&place(), &["@global.md"])).contains("> Global: what is here?"));
}

#[test]
fn a_question_that_makes_no_sense_is_refused() {
    let place = place();
    check_refused(&place, &["@no.md"], &["error: ", "@no.md", ".config/brute/no.md"]);
    check_refused(&place, &["@ask.md", "--goal", "x"], &["inputs.verb", "ask.md, line 1"]);
    check_refused(&place, &["{{ goal }}"], &["`goal` is not defined"]);
    check_refused(&place, &["x", "--input", "verb"], &["verb", "name=value"]);
    check_refused(&place, &["x", "--preamble", "loud"], &["loud", "summary:low"]);
    check_refused(&place, &["x", "--stages", "no.json"], &["no.json"]);
    check_refused(&place, &["x", "--dry-run", "--export", "s.json"], &["--dry-run", "--export"]);
    fs::write(place.path().join("bad.json"), r#"[{ "id": "a", "otcome": "failed" }]"#).unwrap();
    check_refused(&place, &["x", "--stages", "bad.json"], &["bad.json", "otcome", "line 1"]);
}

#[test]
fn a_question_that_cannot_be_read_says_how_it_can_be_asked() {
    let place = place();
    for (question, advice) in [
        ("@ann, what is here?", "put a space in front"),
        ("What is {{ this }}?", "{% raw %}"),
        ("What is {% if", "{% raw %}"),
        ("For {{ goal }}", "--goal"),
    ] {
        check_refused(&place, &[question], &[advice]);
    }
    for question in [" @ann, what is here?", "What is {% raw %}{{ this }}{% endraw %}?"] {
        stdout(&ask(&place, &[question, "--dry-run"]));
    }
    let of_the_run = ["For {{ goal }}.", "--stages", "stages.json", "--dry-run"];
    assert!(stdout(&ask(&place, &of_the_run)).contains("For war."));
}

#[test]
fn a_dry_run_shows_what_would_be_sent_and_calls_nothing() {
    let place = place();
    let output = stdout(&ask(
        &place,
        &["What is here?", "--stages", "stages.json", "--goal", "peace", "--dry-run"],
    ));
    for part in [
        "## Message 1: system\n",
        "### identity\n",
        "### Text, generated\n",
        "Goal: peace\n",
        "- **plan**: success\n",
        "two tests fail\n",
        "- branch: main\n",
        "### Text\n\n```text\nWhat is here?\n```\n",
        "## Tools\n",
    ] {
        assert!(output.contains(part), "{part:?} is not in\n{output}");
    }
    assert!(!output.contains("qzx-81") && !output.contains("Message 3"), "{output}");
}

#[test]
fn the_mode_says_how_fully_the_stages_are_told() {
    let place = place();
    let told = |mode| {
        stdout(&ask(&place, &["x", "--stages", "stages.json", "--preamble", mode, "--dry-run"]))
    };
    assert!(told("summary:high").contains("> First {{ look }}."));
    assert!(told("truncate").contains("Goal: war\nRun: r-7\n"));
    assert!(!told("truncate").contains("plan"));
    assert!(!told("full").contains("Goal: war"));
}

#[test]
fn a_list_of_stages_is_a_run_as_well() {
    let place = place();
    fs::write(place.path().join("list.json"), r#"[{ "id": "solo" }]"#).unwrap();
    let output = stdout(&ask(&place, &["x", "--stages", "list.json", "--dry-run"]));
    assert!(output.contains("- **solo**: completed\n"), "{output}");
}

#[test]
fn a_prompt_log_keeps_every_call_without_secrets() {
    let place = place();
    let log = place.path().join("log");
    let question = "What is here? My key is canary-4711-canary.";
    stdout(&ask(&place, &[question, "--prompt-log", log.to_str().unwrap()]));
    let documents = documents(&log);
    assert!(documents.len() >= 2, "{documents:?}");
    for document in documents {
        assert!(document.contains("My key is [redacted].") && !document.contains("4711"));
    }
}

fn documents(log: &Path) -> Vec<String> {
    let session = fs::read_dir(log).unwrap().next().unwrap().unwrap().path();
    let files = fs::read_dir(session).unwrap();
    files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

#[test]
fn a_prompt_log_that_cannot_be_written_does_not_stop_the_turn() {
    let place = place();
    let output = stdout(&ask(&place, &["What is here?", "--prompt-log", "ask.md/log"]));
    assert!(
        output.contains("the prompt log cannot write") && output.contains("qzx-81.txt"),
        "{output}"
    );
}

#[test]
fn a_dump_of_an_exported_session_shows_the_same_as_the_log() {
    let place = place();
    stdout(&ask(&place, &["What is here?", "--export", "session.json", "--prompt-log", "log"]));
    fs::remove_dir_all(place.path().join("project")).unwrap();
    let output = stdout(&brute(&place, &["dump", "session.json"]));
    let log = documents(&place.path().join("log"));
    let sections = |text: &str| {
        let start = text.find("## Message 1").unwrap();
        text[start..text.find("## Message 3").unwrap()].to_owned()
    };
    for document in log.iter().filter(|document| document.contains("## Message 3")) {
        assert_eq!(sections(document), sections(&output));
    }
    assert!(output.contains("qzx-81.txt") && output.contains("### Tool result, "), "{output}");
}

#[test]
fn a_session_that_keeps_no_prompt_is_dumped_without_one() {
    let place = place();
    let session = r#"{ "brute_session": 1, "messages": [
        { "id": 1, "role": "user", "parts": [{ "type": "text", "text": "hi canary-4711-canary \u001b[2J" }] }
    ] }"#;
    fs::write(place.path().join("session.json"), session).unwrap();
    let output = brute(&place, &["dump", "session.json"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("note: "), "{output:?}");
    let output = stdout(&output);
    assert!(output.contains("hi [redacted] [2J\n") && !output.contains("## Message 2"), "{output}");
}

#[test]
fn what_is_no_session_is_refused() {
    let place = place();
    for (file, mention) in [("ask.md", "no exported session"), ("no.json", "No such file")] {
        let output = brute(&place, &["dump", file]);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1));
        assert!(complaint.contains(file) && complaint.contains(mention), "{complaint}");
    }
}
