//! Runs the program as a person would.

use std::{
    fs,
    io::Read,
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

fn brute(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brute"));
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    brute(arguments).output().unwrap()
}

#[track_caller]
fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "it fails: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Checks that the program refuses, on one line, and says all of this.
#[track_caller]
fn check_refused(arguments: &[&str], mentions: &[&str]) {
    let output = run(arguments);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert!(output.stdout.is_empty(), "it printed before it failed");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    for part in ["error: "].iter().chain(mentions) {
        assert!(complaint.contains(part), "{part:?} is not in {complaint:?}");
    }
}

/// Renders a prompt in an empty directory, as JSON.
#[track_caller]
fn prompt(arguments: &[&str]) -> Value {
    let folder = TempDir::new().unwrap();
    let mut command = brute(&["prompt", "--json"]);
    command.args(arguments).arg("--cwd").arg(folder.path()).env("HOME", folder.path());
    serde_json::from_str(&stdout(&command.output().unwrap())).unwrap()
}

fn section_names(report: &Value) -> Vec<&str> {
    let sections = report["sections"].as_array().unwrap();
    sections.iter().map(|section| section["name"].as_str().unwrap()).collect()
}

/// A directory with a file that nobody could guess.
fn folder_with(name: &str, text: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    folder
}

fn ask(folder: &Path, more: &[&str]) -> Output {
    let question = ["ask", "What is here?", "--provider", "offline"];
    brute(&question).arg("--cwd").arg(folder).args(more).output().unwrap()
}

#[test]
fn without_arguments_it_looks_at_the_current_directory() {
    let folder = folder_with("qzv-4711.txt", "A lonely line.\n");
    let output = stdout(&brute(&[]).current_dir(folder.path()).output().unwrap());
    for part in ["├ ToolLoop", "> What is here?", "  → list", "  ← list", "qzv-4711.txt"] {
        assert!(output.contains(part), "{part:?} is not in\n{output}");
    }
}

#[test]
fn a_question_is_answered_from_the_directory_it_names() {
    let folder = folder_with("wkx-0815.txt", "A lonely line.\n");
    let output = stdout(&ask(folder.path(), &[]));
    assert!(output.contains("wkx-0815.txt"), "{output}");
}

#[test]
fn the_table_shows_what_the_model_saw() {
    let folder = folder_with("a.txt", "");
    let output = stdout(&ask(folder.path(), &[]));
    let (_, table) = output.split_once("The prompt that the model saw").unwrap();
    let rows: Vec<Vec<_>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(rows.iter().any(|row| matches!(row[..], ["identity", "static", _, _])), "{table}");
    assert!(rows.iter().any(|row| matches!(row[..], ["environment", "session", _, _])), "{table}");
    assert!(rows.iter().any(|row| matches!(row[..], ["total", _, _])), "{table}");
}

#[test]
fn plan_mode_reminds_the_model_for_one_call() {
    let folder = folder_with("a.txt", "");
    let reminded = |output: Output| stdout(&output).contains("plan_reminder");
    assert!(reminded(ask(folder.path(), &["--plan"])));
    assert!(!reminded(ask(folder.path(), &[])));
}

#[test]
fn an_empty_directory_is_no_error() {
    let folder = TempDir::new().unwrap();
    stdout(&ask(folder.path(), &[]));
}

#[test]
fn a_directory_that_does_not_exist_is_refused() {
    check_refused(&["ask", "What is here?", "--cwd", "/no/such/place"], &["/no/such/place"]);
    check_refused(&["prompt", "--cwd", "/no/such/place"], &["/no/such/place"]);
}

#[test]
fn a_file_is_no_directory() {
    let folder = folder_with("a.txt", "");
    let file = folder.path().join("a.txt");
    check_refused(&["ask", "What is here?", "--cwd", file.to_str().unwrap()], &["a.txt"]);
}

#[cfg(unix)]
#[test]
fn a_directory_that_may_not_be_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o000)).unwrap();
    let path = folder.path().to_str().unwrap();
    // Root may read everything.
    if fs::read_dir(folder.path()).is_ok() {
        stdout(&ask(folder.path(), &[]));
    } else {
        check_refused(&["ask", "What is here?", "--cwd", path], &[path]);
    }
}

#[test]
fn a_blank_question_is_refused() {
    let output = run(&["ask", " "]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the prompt is blank"));
}

#[test]
fn rules_that_cannot_be_read_are_refused() {
    check_refused(&["prompt", "--rules", "/no/such/rules.md"], &["/no/such/rules.md"]);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("rules.md");
    fs::write(&file, b"\xff\xfe").unwrap();
    check_refused(&["prompt", "--rules", file.to_str().unwrap()], &["rules.md", "UTF-8"]);
}

#[test]
fn a_date_that_is_none_is_refused() {
    check_refused(&["prompt", "--date", "2026-02-30"], &["2026-02-30"]);
    check_refused(&["prompt", "--date", "today"], &["today", "2026-03-05"]);
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    for arguments in [&["prompt"][..], &["prompt", "--json"], &["ask", "What is here?"]] {
        let mut child =
            brute(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut complaint = String::new();
        child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
        assert!(child.wait().unwrap().success(), "{arguments:?}");
        assert_eq!(complaint, "", "{arguments:?}");
    }
}

#[test]
fn only_a_terminal_sees_colours() {
    let folder = folder_with("colours.txt", "\u{1b}[31mred\u{1b}[0m\n");
    let output = stdout(&ask(folder.path(), &[]));
    assert!(!output.contains('\u{1b}'), "{output:?}");
}

#[test]
fn the_inspector_prints_the_text_and_nothing_else() {
    let folder = TempDir::new().unwrap();
    let with = |more: &[&str]| {
        let mut command = brute(&["prompt", "--provider", "anthropic", "--date", "2026-03-05"]);
        command.arg("--cwd").arg(folder.path()).args(more).env("HOME", folder.path());
        stdout(&command.output().unwrap())
    };
    let report: Value = serde_json::from_str(&with(&["--json"])).unwrap();
    assert_eq!(with(&[]), format!("{}\n", report["text"].as_str().unwrap()));
}

#[test]
fn the_inspector_says_what_each_section_is() {
    let report = prompt(&["--provider", "opencode_zen", "--model", "claude-sonnet"]);
    assert_eq!(report["provider"], "opencode_zen");
    assert_eq!(report["model"], "claude-sonnet");
    assert_eq!(report["family"], "anthropic");
    let identity = &report["sections"][0];
    assert_eq!(identity["name"], "identity");
    assert_eq!(identity["zone"], "static");
    assert_eq!(identity["source"], "text/identity/anthropic.txt");
    let text = identity["text"].as_str().unwrap();
    assert_eq!(identity["bytes"], text.len());
    assert_eq!(identity["tokens"], text.chars().count().div_ceil(4));
    let whole = report["text"].as_str().unwrap();
    assert!(whole.starts_with(text));
    assert_eq!(report["bytes"], whole.len());
    assert_eq!(report["tokens"], whole.chars().count().div_ceil(4));
}

#[test]
fn the_inspector_puts_reminders_last() {
    let report =
        prompt(&["--agent", "plan", "--agent-switched", "build", "--max-steps", "--provider", "x"]);
    let names = section_names(&report);
    assert_eq!(names[names.len() - 3..], ["plan_reminder", "build_switch", "max_steps"]);
}

#[test]
fn the_inspector_shows_rules_and_date() {
    let folder = folder_with("rules.md", "Write tests first.\n");
    let rules = folder.path().join("rules.md");
    let report = prompt(&["--rules", rules.to_str().unwrap(), "--date", "2026-03-05"]);
    let text = report["text"].as_str().unwrap();
    assert!(text.contains("Write tests first."), "{text}");
    assert!(text.contains("Thu Mar 05 2026"), "{text}");
    assert!(section_names(&report).contains(&"instructions"));
}

#[test]
fn the_inspector_names_tools_as_they_are_on_offer() {
    let text = |tools| {
        let report = prompt(&["--provider", "anthropic", "--tools", tools]);
        report["text"].as_str().unwrap().to_owned()
    };
    assert!(text("read,search").contains("`search`"));
    assert!(text("read,search=grep_files").contains("`grep_files`"));
    assert!(!text("").contains("`search`"));
}

#[test]
fn two_runs_print_the_same_bytes() {
    let print = || stdout(&run(&["prompt", "--provider", "openai", "--date", "2026-03-05"]));
    assert_eq!(print(), print());
}

#[test]
fn the_inspector_shows_a_prompt_in_the_manner_of_a_profile() {
    let fabro = prompt(&["--profile", "fabro", "--provider", "openai"]);
    let names = section_names(&fabro);
    assert!(names.contains(&"tool_patch") && !names.contains(&"tool_edit"), "{names:?}");
    assert!(fabro["text"].as_str().unwrap().contains("\n# apply_patch\n"));
    let fluffbuzz = prompt(&["--profile", "fluffbuzz"]);
    assert!(fluffbuzz["text"].as_str().unwrap().contains("`cron`"));
    let builder = prompt(&["--profile", "builder"]);
    let five = ["identity", "workflow", "quality", "final_answer", "delegation"];
    let names = section_names(&builder).into_iter().filter(|name| five.contains(name));
    assert_eq!(names.collect::<Vec<_>>(), five);
    let brute = prompt(&["--profile", "brute"]);
    assert_eq!(section_names(&brute), section_names(&prompt(&[])));
}

#[test]
fn the_inspector_shows_a_profile_with_the_tools_that_were_named() {
    let report = prompt(&["--profile", "fabro", "--tools", "read=open"]);
    let names: Vec<_> = section_names(&report);
    let tools: Vec<_> = names.iter().filter(|name| name.starts_with("tool_")).collect();
    assert_eq!(tools, [&"tool_usage", &"tool_read"]);
    assert!(report["text"].as_str().unwrap().contains("\n# open\n"));
}

#[test]
fn an_unknown_profile_is_refused_with_the_known_ones() {
    let output = run(&["prompt", "--profile", "fabbro"]);
    assert!(!output.status.success());
    let complaint = String::from_utf8(output.stderr).unwrap();
    for part in ["fabbro", "brute", "fabro", "fluffbuzz", "builder"] {
        assert!(complaint.contains(part), "{complaint}");
    }
}

#[test]
fn every_profile_is_smaller_in_minimal_and_one_section_in_none() {
    for profile in ["brute", "fabro", "fluffbuzz", "builder"] {
        let of = |mode| prompt(&["--profile", profile, "--mode", mode]);
        let bytes = |mode| of(mode)["bytes"].as_u64().unwrap();
        assert!(bytes("minimal") < bytes("full"), "{profile}");
        assert_eq!(section_names(&of("none")), ["identity"], "{profile}");
    }
}

#[test]
fn files_of_a_workspace_stand_once_in_every_profile() {
    let folder = folder_with("AGENTS.md", "Keep prices in cents.");
    for profile in ["brute", "fabro", "fluffbuzz", "builder"] {
        let mut command = brute(&["prompt", "--workspace-files", "--profile", profile, "--cwd"]);
        command.arg(folder.path()).env("HOME", folder.path());
        let text = stdout(&command.output().unwrap());
        assert_eq!(text.matches("Keep prices in cents.").count(), 1, "{profile}: {text}");
    }
}

#[test]
fn a_prompt_file_of_the_project_is_what_the_model_gets() {
    let (home, project) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    for folder in [".git", ".brute", "api"] {
        fs::create_dir(project.path().join(folder)).unwrap();
    }
    let file = project.path().join(".brute/SYSTEM.md");
    fs::write(&file, "You are Rex.\n").unwrap();
    let cwd = project.path().join("api").display().to_string();
    let run = |arguments: &[&str]| {
        let arguments: Vec<_> = arguments.iter().copied().chain(["--cwd", &cwd]).collect();
        brute(&arguments).env("HOME", home.path()).output().unwrap()
    };
    let prompt = stdout(&run(&["prompt"]));
    assert!(prompt.starts_with("You are Rex.\n\n"), "{prompt}");
    let sources = stdout(&run(&["prompt", "--report"]));
    assert!(sources.contains("SYSTEM.md") && sources.contains("prompt file"), "{sources}");
    let sent = stdout(&run(&["ask", "Hello?", "--dry-run"]));
    assert!(sent.contains("You are Rex.") && !sent.contains("You are Brute"), "{sent}");

    fs::write(&file, "{{ nobody_knows_me }}").unwrap();
    for arguments in [&["prompt"][..], &["ask", "Hello?"]] {
        let output = run(arguments);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{complaint}");
        assert!(complaint.contains("SYSTEM.md") && complaint.contains("nobody_knows_me"));
    }
}

/// Names that would clear a terminal, turn its text, or begin a line of their own.
const HOSTILE: &str = "a\u{1b}[2J\u{202e}b\u{9b}31m\nerror: c";

#[cfg(unix)]
#[test]
fn no_name_in_an_error_reaches_the_terminal_as_it_is() {
    let folder = TempDir::new().unwrap();
    let prompt = folder.path().join(HOSTILE).join(".brute");
    fs::create_dir_all(folder.path().join(HOSTILE).join(".git")).unwrap();
    fs::create_dir_all(&prompt).unwrap();
    fs::write(prompt.join("SYSTEM.md"), "{{ nobody_knows_me }}").unwrap();
    let (here, no) = (folder.path().join(HOSTILE), folder.path().join(format!("{HOSTILE}.no")));
    let (here, no) = (here.to_str().unwrap(), no.to_str().unwrap());
    let question = format!("@{HOSTILE}");
    for arguments in [
        &["prompt", "--cwd", here][..],
        &["ask", "hi", "--provider", "offline", "--cwd", here],
        &["ask", "hi", "--cwd", no],
        &["ask", &question],
        &["ask", "hi", "--provider", "offline", "--prompt-log", no, "--export", here],
        &["chat", "--provider", HOSTILE],
        &["dump", no],
        &["prompt", "--rules", no],
        &["prompt", "--html", here],
    ] {
        let output = brute(arguments).env("HOME", folder.path()).output().unwrap();
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {complaint}");
        let line = complaint.strip_suffix('\n').unwrap();
        let is_odd = |c: char| c.is_control() || c == '\u{202e}';
        assert!(!line.contains(is_odd) && line.starts_with("error: "), "{line:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_exported_session_is_read_by_nobody_else() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("session.json");
    let export = || stdout(&ask(folder.path(), &["--export", file.to_str().unwrap()]));
    let mode = || fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    export();
    assert_eq!(mode(), 0o600);
    fs::write(&file, "what was there before").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    export();
    assert_eq!(mode(), 0o600);
    let session: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(session["messages"][0]["parts"][0]["text"], "What is here?");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o400)).unwrap();
    let refused = ask(folder.path(), &["--export", file.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("read-only"));
    assert!(stdout(&ask(folder.path(), &["--export", "/dev/null"])).contains("The stack"));
}
