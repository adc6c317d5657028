//! Conversations in a terminal.
#![cfg(unix)]

#[cfg(feature = "rig")]
mod openai_server;

use std::{fs, path::Path, process::Command};

use rexpect::session::{PtySession, spawn_command};
use serde_json::Value;
use tempfile::TempDir;

/// How long anything may take, in milliseconds.
const PATIENCE: u64 = 30_000;

const DOWN: &str = "\u{1b}[B";
const UP: &str = "\u{1b}[A";

fn chat(folder: &Path, arguments: &[&str]) -> PtySession {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brute"));
    command.arg("chat").args(arguments).current_dir(folder);
    command.env("HOME", folder).env("TERM", "xterm").env("BRUTE_FORBID_REAL_CALLS", "1");
    let mut terminal = spawn_command(command, Some(PATIENCE)).unwrap();
    terminal.exp_string("Ctrl-D leaves").unwrap();
    terminal.exp_string("> ").unwrap();
    terminal
}

fn offline(folder: &Path, arguments: &[&str]) -> PtySession {
    chat(folder, &[&["--provider", "offline"], arguments].concat())
}

fn type_in(terminal: &mut PtySession, keys: &str) {
    terminal.send(keys).unwrap();
    terminal.flush().unwrap();
}

/// Waits for the end of a turn, and for the next prompt.
fn next_prompt(terminal: &mut PtySession) {
    terminal.exp_string("in all $0").unwrap();
    terminal.exp_string("> ").unwrap();
}

fn leave(mut terminal: PtySession) {
    terminal.send_control('d').unwrap();
    terminal.exp_eof().unwrap();
    let status = terminal.process().wait().unwrap();
    assert!(format!("{status:?}").contains(", 0)"), "{status:?}");
}

/// Returns who said what, as a session file has it.
fn messages(file: &Path) -> Vec<(String, String)> {
    let session: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let messages = session["messages"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    messages
        .iter()
        .map(|message| (text(&message["role"]), text(&message["parts"][0]["text"])))
        .collect()
}

#[test]
fn commands_are_completed() {
    let folder = TempDir::new().unwrap();
    let mut terminal = offline(folder.path(), &[]);
    type_in(&mut terminal, "/he\t");
    terminal.exp_string("/help ").unwrap();
    type_in(&mut terminal, "\r");
    terminal.exp_string("forgets all that was said").unwrap();
    terminal.exp_string("> ").unwrap();
    type_in(&mut terminal, "/qu\t\r");
    terminal.exp_eof().unwrap();
}

#[test]
fn ctrl_c_takes_back_a_line_and_ctrl_d_leaves() {
    let folder = TempDir::new().unwrap();
    let mut terminal = offline(folder.path(), &["--session", "session.json"]);
    type_in(&mut terminal, "Rather not");
    terminal.send_control('c').unwrap();
    terminal.exp_string("Ctrl-D or /quit leaves").unwrap();
    terminal.exp_string("> ").unwrap();
    leave(terminal);
    assert!(!folder.path().join("session.json").exists());
}

#[test]
fn what_was_typed_comes_back_with_the_arrow() {
    let folder = TempDir::new().unwrap();
    let mut terminal = offline(folder.path(), &["--session", "session.json"]);
    type_in(&mut terminal, "What is here?\r");
    next_prompt(&mut terminal);
    type_in(&mut terminal, &format!("{UP}{UP}{DOWN}{UP} Again?\r"));
    next_prompt(&mut terminal);
    leave(terminal);
    let said: Vec<_> = messages(&folder.path().join("session.json"))
        .into_iter()
        .filter_map(|(role, text)| (role == "user").then_some(text))
        .collect();
    assert_eq!(said, ["What is here?", "What is here? Again?"]);
}

#[test]
fn what_was_typed_is_kept_only_where_a_file_is_named() {
    let folder = TempDir::new().unwrap();
    let entries = || fs::read_dir(folder.path()).unwrap().count();
    let mut terminal = offline(folder.path(), &[]);
    type_in(&mut terminal, "/usage\r");
    terminal.exp_string("cost since").unwrap();
    terminal.exp_string("> ").unwrap();
    leave(terminal);
    assert_eq!(entries(), 0);

    let mut terminal = offline(folder.path(), &["--history", "typed"]);
    type_in(&mut terminal, "/usage\r");
    terminal.exp_string("cost since").unwrap();
    terminal.exp_string("> ").unwrap();
    leave(terminal);
    assert!(fs::read_to_string(folder.path().join("typed")).unwrap().contains("/usage"));

    let mut terminal = offline(folder.path(), &["--history", "typed"]);
    type_in(&mut terminal, &format!("{UP}\r"));
    terminal.exp_string("cost since").unwrap();
    terminal.exp_string("> ").unwrap();
    leave(terminal);
}

#[cfg(feature = "rig")]
mod with_a_server {
    use std::time::Duration;

    use super::{
        Path, PtySession, TempDir, chat, leave, messages,
        openai_server::{Answer, Server},
        type_in,
    };

    /// Silence that nobody waits for to end.
    const PAUSE: Duration = Duration::from_secs(10);
    const SLOW: Answer = Answer::Words(&["Once upon ", "a time"], PAUSE, None);
    const QUICK: Answer = Answer::Words(&["The second ", "answer."], Duration::ZERO, None);

    fn talk(folder: &Path, server: &Server) -> PtySession {
        let model = ["--provider=openai_compatible", "--model=test", "--session=session.json"];
        chat(folder, &[&model[..], &["--base-url", &server.url]].concat())
    }

    /// Asks, and stops the turn once this is shown.
    fn ask_and_stop(terminal: &mut PtySession, shown: &str) {
        type_in(terminal, "Tell a story.\r");
        terminal.exp_string(shown).unwrap();
        terminal.send_control('c').unwrap();
        terminal.exp_string("ended early: Cancelled").unwrap();
        terminal.exp_string("> ").unwrap();
    }

    fn ask_again(terminal: &mut PtySession) {
        type_in(terminal, "And now?\r");
        terminal.exp_string("The second answer.").unwrap();
        terminal.exp_string("cost unknown").unwrap();
        terminal.exp_string("> ").unwrap();
    }

    #[track_caller]
    fn check_session(folder: &Path, expected: &[(&str, &str)]) {
        let messages = messages(&folder.join("session.json"));
        let messages: Vec<_> = messages.iter().map(|(role, text)| (&**role, &**text)).collect();
        assert_eq!(messages, expected);
    }

    #[test]
    fn ctrl_c_stops_a_turn_in_mid_stream_and_the_next_one_answers() {
        let folder = TempDir::new().unwrap();
        let server = Server::answering(&[SLOW, QUICK]);
        let mut terminal = talk(folder.path(), &server);
        ask_and_stop(&mut terminal, "Once upon");
        check_session(folder.path(), &[("user", "Tell a story.")]);
        ask_again(&mut terminal);
        leave(terminal);
        check_session(
            folder.path(),
            &[("user", "Tell a story."), ("user", "And now?"), ("assistant", "The second answer.")],
        );
        let asked = server.asked();
        assert_eq!(asked.len(), 2);
        assert!(asked[1].to_string().contains("Tell a story."));
    }

    #[test]
    fn ctrl_c_stops_the_wait_before_another_attempt() {
        let folder = TempDir::new().unwrap();
        let server = Server::answering(&[Answer::Status(503, 30), QUICK]);
        let mut terminal = talk(folder.path(), &server);
        ask_and_stop(&mut terminal, "tries again in 30.0s");
        ask_again(&mut terminal);
        leave(terminal);
        assert_eq!(server.asked().len(), 2);
    }
}
