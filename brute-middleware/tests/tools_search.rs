//! What the tool `search` finds, shows and refuses.

use std::{
    fs::{self, File},
    path::Path,
    time::{Duration, SystemTime},
};

use brute_core::{Error, Events, Facts, Tool, ToolCall, ToolContext, ToolOutput};
use brute_middleware::tools::{Search, SearchLimits};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Makes a directory of files; each was changed an hour after the one before it.
fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for (hour, (name, text)) in (1u32..).zip(files) {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(&path, text).expect("a file");
        let changed = SystemTime::UNIX_EPOCH + Duration::from_hours(1) * hour;
        let file = File::options().append(true).open(path).expect("the file");
        file.set_modified(changed).expect("a time");
    }
    directory
}

async fn call(tool: &Search, cwd: &Path, arguments: Value) -> Result<ToolOutput, Error> {
    let mut facts = Facts::default();
    facts.set_cwd(cwd);
    let call = ToolCall::new("call_1", "search", arguments.clone());
    tool.call(&arguments, &ToolContext { call, facts, events: Events::default() }).await
}

async fn search(directory: &TempDir, arguments: Value) -> String {
    let output = call(&Search::new(), directory.path(), arguments).await;
    output.expect("a report").text.to_string()
}

/// Searches with small limits: three lines, 400 bytes, twelve characters a line.
async fn small(directory: &TempDir, arguments: Value) -> ToolOutput {
    let tool = Search::within(SearchLimits { lines: 3, bytes: 400, line_chars: 12 });
    call(&tool, directory.path(), arguments).await.expect("a report")
}

async fn refusal(directory: &TempDir, arguments: Value) -> String {
    call(&Search::new(), directory.path(), arguments).await.expect_err("a refusal").to_string()
}

#[tokio::test]
async fn lines_come_with_path_and_number_and_the_newest_file_is_first() {
    let directory = directory(&[
        ("old.txt", "zebra\nlion\n"),
        ("src/new.txt", "ape\n  a zebra"),
        ("middle.txt", "zebra 1\nzebra 2\n"),
    ]);
    let report = search(&directory, json!({ "pattern": "zebra" })).await;
    assert_eq!(
        report,
        "middle.txt:1: zebra 1\nmiddle.txt:2: zebra 2\nsrc/new.txt:2:   a zebra\nold.txt:1: zebra\n"
    );
}

#[tokio::test]
async fn files_of_one_age_are_sorted_by_name() {
    let directory = directory(&[("b.txt", "zebra"), ("a.txt", "zebra"), ("c.txt", "zebra")]);
    let now = SystemTime::now();
    for name in ["a.txt", "b.txt", "c.txt"] {
        let file = File::options().append(true).open(directory.path().join(name));
        file.and_then(|file| file.set_modified(now)).expect("a time");
    }
    let report = search(&directory, json!({ "pattern": "zebra" })).await;
    assert_eq!(report, "a.txt:1: zebra\nb.txt:1: zebra\nc.txt:1: zebra\n");
}

#[tokio::test]
async fn the_pattern_is_a_regular_expression_and_case_matters_until_told_otherwise() {
    let directory = directory(&[("a.txt", "Zebra 12\nzebra x\n")]);
    let exact = search(&directory, json!({ "pattern": r"zebra \d+$" })).await;
    assert_eq!(exact, "[no line matches in 1 file]\n");
    let loose = search(&directory, json!({ "pattern": r"zebra \d+$", "ignore_case": true })).await;
    assert_eq!(loose, "a.txt:1: Zebra 12\n");
}

#[tokio::test]
async fn anchors_are_about_lines_whatever_ends_them() {
    for end in ["\n", "\r\n"] {
        let text = ["one zebra", "zebra two", "zebra", "", "last"].join(end);
        let directory = directory(&[("a.txt", &text)]);
        for (pattern, expected) in [
            ("zebra$", "a.txt:1: one zebra\na.txt:3: zebra\n"),
            ("^zebra", "a.txt:2: zebra two\na.txt:3: zebra\n"),
            ("^zebra$", "a.txt:3: zebra\n"),
            ("^$", "a.txt:4: \n"),
            ("last$", "a.txt:5: last\n"),
        ] {
            assert_eq!(search(&directory, json!({ "pattern": pattern })).await, expected);
        }
    }
}

#[tokio::test]
async fn more_lines_than_fit_leave_a_note_with_the_total() {
    let directory = directory(&[
        ("a.txt", &"zebra\n".repeat(5)),
        ("b.txt", &"zebra\n".repeat(2)),
        ("c.txt", "zebra\n"),
        ("d.txt", "zebra\n"),
    ]);
    let output = small(&directory, json!({ "pattern": "zebra" })).await;
    assert_eq!(
        &*output.text,
        "d.txt:1: zebra\nc.txt:1: zebra\nb.txt:1: zebra\n\
         [3 of 9 matching lines in 4 files; narrow the pattern, the path or the glob to see the others]\n"
    );
    assert!(output.truncated);
}

#[tokio::test]
async fn by_default_a_hundred_lines_come_at_once() {
    let directory = directory(&[("a.txt", &"zebra\n".repeat(101))]);
    let report = search(&directory, json!({ "pattern": "zebra" })).await;
    assert_eq!(report.lines().count(), 101);
    assert!(report.contains("a.txt:100: zebra\n[100 of 101 matching lines in 1 file;"), "{report}");
}

#[tokio::test]
async fn the_report_as_a_whole_has_a_limit_too() {
    let tool = Search::within(SearchLimits { lines: 100, bytes: 50, line_chars: 100 });
    let directory = directory(&[("a.txt", &"a zebra of fifteen\n".repeat(9))]);
    let output = call(&tool, directory.path(), json!({ "pattern": "zebra" })).await;
    let text = output.expect("a report").text;
    assert!(text.starts_with("a.txt:1: a zebra of fifteen\n[1 of 9 matching lines"), "{text}");
}

#[tokio::test]
async fn of_a_long_line_what_stands_around_the_match_is_shown() {
    let line = format!("{}zebra{}", "ä".repeat(40), "ö".repeat(40));
    let directory = directory(&[("a.txt", &line)]);
    let output = small(&directory, json!({ "pattern": "zebra" })).await;
    assert_eq!(
        &*output.text,
        "a.txt:1: …äääzebraöööö…\n[1 line is longer than 12 characters and shown around the match]\n"
    );
    let start = small(&directory, json!({ "pattern": "^ä" })).await;
    assert!(start.text.starts_with("a.txt:1: ääääääääääää…\n"), "{}", start.text);
    let end = small(&directory, json!({ "pattern": "ö$" })).await;
    assert!(end.text.starts_with("a.txt:1: …ö"), "{}", end.text);
}

#[tokio::test]
async fn a_glob_chooses_by_name_or_by_path() {
    let directory = directory(&[
        ("a.rs", "zebra"),
        ("src/b.rs", "zebra"),
        ("src/deep/c.rs", "zebra"),
        ("src/d.js", "zebra"),
    ]);
    let cases: [(&str, &[&str]); 7] = [
        ("*.rs", &["src/deep/c.rs", "src/b.rs", "a.rs"]),
        ("src/*.rs", &["src/b.rs"]),
        ("./src/**/*.rs", &["src/deep/c.rs", "src/b.rs"]),
        ("/a.rs", &["a.rs"]),
        ("*.{js,ts}", &["src/d.js"]),
        ("!*.rs", &["src/d.js"]),
        ("b.rs", &["src/b.rs"]),
    ];
    for (glob, expected) in cases {
        let report = search(&directory, json!({ "pattern": "zebra", "glob": glob })).await;
        let files: Vec<_> = report.lines().filter_map(|line| line.split(':').next()).collect();
        assert_eq!(files, expected, "{glob}");
    }
}

#[tokio::test]
async fn a_glob_counts_from_the_path_that_is_searched() {
    let directory = directory(&[("src/deep/c.rs", "zebra"), ("src/b.rs", "zebra")]);
    let arguments = json!({ "pattern": "zebra", "path": "src", "glob": "deep/*.rs" });
    assert_eq!(search(&directory, arguments).await, "src/deep/c.rs:1: zebra\n");
}

#[tokio::test]
async fn one_file_can_be_searched_whatever_hides_it() {
    let directory = directory(&[("a.txt", "zebra"), (".hidden", "zebra"), ("b.log", "zebra")]);
    fs::write(directory.path().join(".gitignore"), "*.log\n").expect("a file");
    for name in ["a.txt", ".hidden", "b.log"] {
        let arguments = json!({ "pattern": "zebra", "path": name, "glob": name });
        assert_eq!(search(&directory, arguments).await, format!("{name}:1: zebra\n"));
    }
}

#[tokio::test]
async fn hidden_and_ignored_files_are_left_out() {
    let directory = directory(&[
        ("a.txt", "zebra"),
        (".hidden", "zebra"),
        (".git/config", "zebra"),
        ("target/b.txt", "zebra"),
        ("c.log", "zebra"),
        ("sub/.gitignore", "d.txt\n"),
        ("sub/d.txt", "zebra"),
        (".gitignore", "/target\n*.log\n"),
    ]);
    assert_eq!(search(&directory, json!({ "pattern": "zebra" })).await, "a.txt:1: zebra\n");
}

#[tokio::test]
async fn nothing_found_says_how_much_was_searched() {
    let directory = directory(&[("a.txt", "x"), ("b.txt", "y")]);
    let cases = [
        (json!({ "pattern": "zebra" }), "[no line matches in 2 files]\n"),
        (
            json!({ "pattern": "zebra", "glob": "*.rs" }),
            "[there is no file to search that the glob *.rs names]\n",
        ),
    ];
    for (arguments, expected) in cases {
        assert_eq!(search(&directory, arguments).await, expected);
    }
}

#[tokio::test]
async fn a_pattern_or_glob_that_cannot_be_is_refused() {
    let directory = directory(&[("a.txt", "x")]);
    let cases = [
        (json!({ "pattern": "" }), "the pattern is empty"),
        (json!({ "pattern": "a(b" }), "unclosed group"),
        (json!({ "pattern": r"a\nb" }), "not allowed"),
        (json!({ "pattern": r"(\w{1000}){1000}" }), "cannot be searched for"),
        (json!({ "pattern": "(".repeat(300) + &")".repeat(300) }), "nest"),
        (json!({ "pattern": "a", "glob": "*.{rs" }), "the glob cannot be used"),
        (json!({ "pattern": "a", "path": "b.txt" }), "b.txt does not exist; similar names: a.txt"),
    ];
    for (arguments, expected) in cases {
        let refusal = refusal(&directory, arguments.clone()).await;
        assert!(refusal.contains(expected), "{arguments}: {refusal}");
    }
}

#[tokio::test]
async fn an_expression_that_backtracking_could_not_bear_ends() {
    let directory = directory(&[("a.txt", &"a".repeat(100_000))]);
    let report = search(&directory, json!({ "pattern": "(a*)*(a*)*b" })).await;
    assert_eq!(report, "[no line matches in 1 file]\n");
}

#[tokio::test]
async fn binary_files_are_left_out_and_text_before_binary_is_noted() {
    let late = format!("zebra\n{}\0\nzebra\n", "text\n".repeat(100_000));
    let directory = directory(&[("blob", "\0\nzebra\n"), ("late", &late)]);
    let report = search(&directory, json!({ "pattern": "zebra" })).await;
    assert_eq!(
        report,
        "late:1: zebra\n[1 file is binary after some lines and not searched to the end]\n"
    );
}

#[tokio::test]
async fn bytes_that_are_no_utf8_are_replaced() {
    let directory = directory(&[]);
    fs::write(directory.path().join("latin.txt"), b"zebra caf\xe9\n").expect("a file");
    let report = search(&directory, json!({ "pattern": "zebra" })).await;
    assert_eq!(report, "latin.txt:1: zebra caf\u{fffd}\n");
}

#[tokio::test]
async fn a_line_too_long_to_hold_is_reported() {
    let directory = directory(&[("a.txt", "zebra\n"), ("huge.txt", &"x".repeat(17 << 20))]);
    let report = search(&directory, json!({ "pattern": "zebra" })).await;
    assert!(
        report.starts_with("a.txt:1: zebra\n[1 place could not be read; the first: huge.txt"),
        "{report}"
    );
}

#[tokio::test]
async fn a_name_with_a_line_break_is_shown_escaped() {
    let directory = directory(&[("a\nb.txt", "zebra")]);
    let report = search(&directory, json!({ "pattern": "zebra" })).await;
    assert_eq!(report, "a\\nb.txt:1: zebra\n");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_file_that_the_kernel_makes_up_can_be_asked_for() {
    let directory = directory(&[]);
    let arguments = json!({ "pattern": "^Umask:", "path": "/proc/self/status" });
    let report = search(&directory, arguments).await;
    assert!(report.starts_with("/proc/self/status:"), "{report}");
}

#[cfg(unix)]
#[tokio::test]
async fn links_and_pipes_are_passed_by() {
    use std::{os::unix::fs::symlink, process::Command};

    let directory = directory(&[("a/real.txt", "zebra")]);
    let pipe = directory.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    symlink("..", directory.path().join("a/up")).expect("a link");
    symlink("a/real.txt", directory.path().join("link.txt")).expect("a link");
    let all = search(&directory, json!({ "pattern": "zebra" })).await;
    assert_eq!(all, "a/real.txt:1: zebra\n");
    let asked_for = search(&directory, json!({ "pattern": "zebra", "path": "link.txt" })).await;
    assert_eq!(asked_for, "link.txt:1: zebra\n");
    let refused = refusal(&directory, json!({ "pattern": "zebra", "path": "pipe" })).await;
    assert!(refused.contains("neither a regular file nor a directory"), "{refused}");
}
