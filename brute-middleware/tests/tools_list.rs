//! What the tool `list` returns, and what it refuses.

use std::{fs, path::Path};

use brute_core::{Error, Events, Facts, Tool, ToolCall, ToolContext, ToolOutput};
use brute_middleware::tools::{List, ListLimits};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Makes a directory; a name that ends in a slash is a directory in it.
fn directory(entries: &[&str]) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for entry in entries {
        let path = directory.path().join(entry);
        if entry.ends_with('/') {
            fs::create_dir_all(path).expect("a directory");
        } else {
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            fs::write(path, entry).expect("a file");
        }
    }
    directory
}

async fn call(tool: &List, cwd: &Path, arguments: Value) -> Result<ToolOutput, Error> {
    let mut facts = Facts::default();
    facts.set_cwd(cwd);
    let call = ToolCall::new("call_1", "list", arguments.clone());
    tool.call(&arguments, &ToolContext { call, facts, events: Events::default() }).await
}

async fn list(directory: &TempDir, arguments: Value) -> String {
    let output = call(&List::new(), directory.path(), arguments).await;
    output.expect("a listing").text.to_string()
}

async fn refusal(directory: &TempDir, arguments: Value) -> String {
    call(&List::new(), directory.path(), arguments).await.expect_err("a refusal").to_string()
}

#[tokio::test]
async fn entries_are_sorted_directories_marked_and_hidden_ones_left_out() {
    let directory = directory(&["b.txt", "a.txt", "c/inside.txt", ".git/config", ".env"]);
    assert_eq!(list(&directory, json!({})).await, "a.txt\nb.txt\nc/\n");
}

#[tokio::test]
async fn a_depth_goes_into_directories() {
    let directory = directory(&["a/b/c/d.txt", "a.txt", "a/.hidden/x.txt"]);
    assert_eq!(list(&directory, json!({ "depth": 2 })).await, "a/\na/b/\na.txt\n");
    let all = list(&directory, json!({ "depth": 64 })).await;
    assert_eq!(all, "a/\na/b/\na/b/c/\na/b/c/d.txt\na.txt\n");
}

#[tokio::test]
async fn the_largest_depth_does_no_harm() {
    let directory = directory(&["a/b.txt"]);
    for depth in [0, 1] {
        assert_eq!(list(&directory, json!({ "depth": depth })).await, "a/\n");
    }
    assert_eq!(list(&directory, json!({ "depth": usize::MAX })).await, "a/\na/b.txt\n");
}

#[tokio::test]
async fn paths_are_those_that_other_tools_take() {
    let directory = directory(&["src/lib.rs"]);
    assert_eq!(list(&directory, json!({ "path": "src" })).await, "src/lib.rs\n");
    assert_eq!(list(&directory, json!({ "path": "./src/" })).await, "src/lib.rs\n");
    let absolute = directory.path().join("src");
    assert_eq!(list(&directory, json!({ "path": absolute })).await, "src/lib.rs\n");
    let outside = directory.path().join("src/lib.rs");
    let elsewhere = tempfile::tempdir().expect("a directory");
    let listing = list(&elsewhere, json!({ "path": absolute })).await;
    assert_eq!(listing, format!("{}\n", outside.display()));
}

#[tokio::test]
async fn what_git_ignores_is_named_but_not_opened() {
    let directory = directory(&["target/debug/program", "src/lib.rs", "debug.log"]);
    fs::write(directory.path().join(".gitignore"), "/target\n*.log\n").expect("a file");
    let listing = list(&directory, json!({ "depth": 3 })).await;
    assert_eq!(listing, "debug.log\nsrc/\nsrc/lib.rs\ntarget/\n");
    let inside = list(&directory, json!({ "path": "target", "depth": 2 })).await;
    assert_eq!(inside, "target/debug/\ntarget/debug/program\n");
}

#[tokio::test]
async fn more_entries_than_fit_leave_a_note_with_the_total() {
    let names: Vec<_> = (0..9).map(|number| format!("{number}.txt")).collect();
    let directory = directory(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let tool = List::within(ListLimits { entries: 2, counted: 100 });
    let output = call(&tool, directory.path(), json!({})).await.expect("a listing");
    assert_eq!(
        &*output.text,
        "0.txt\n1.txt\n[2 of 9 entries; list a directory among them to see its own]\n"
    );
    assert!(output.truncated);
}

#[tokio::test]
async fn counting_ends_at_a_limit() {
    let names: Vec<_> = (0..9).map(|number| format!("{number}/x/y/z.txt")).collect();
    let directory = directory(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let tool = List::within(ListLimits { entries: 2, counted: 12 });
    let output = call(&tool, directory.path(), json!({ "depth": 9 })).await.expect("a listing");
    assert!(output.text.contains("[2 of at least 12 entries;"), "{}", output.text);
}

#[tokio::test]
async fn an_empty_directory_says_so() {
    let empty = directory(&[]);
    assert_eq!(list(&empty, json!({})).await, "[the directory is empty]\n");
    let hidden = directory(&[".env"]);
    let listing = list(&hidden, json!({})).await;
    assert_eq!(listing, "[the directory holds nothing but 1 hidden entry]\n");
}

#[tokio::test]
async fn a_name_cannot_pass_for_two() {
    let directory = directory(&["a\nb.txt", "c\u{1b}[31m.txt", r"d\n.txt"]);
    let listing = list(&directory, json!({})).await;
    assert_eq!(listing, "a\\nb.txt\nc\\u{1b}[31m.txt\nd\\n.txt\n");
}

#[tokio::test]
async fn a_file_or_a_missing_path_is_refused() {
    let directory = directory(&["notes.txt", "docs/"]);
    let refused = refusal(&directory, json!({ "path": "notes.txt" })).await;
    assert_eq!(refused, "notes.txt is a file, no directory");
    let refused = refusal(&directory, json!({ "path": "doc" })).await;
    assert_eq!(refused, "doc does not exist; similar names: docs");
    let refused = refusal(&directory, json!({ "path": "notes.txt/x" })).await;
    assert_eq!(refused, "notes.txt/x does not exist");
}

#[cfg(unix)]
mod unix {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt, os::unix::fs::symlink, process::Command};

    use super::*;

    #[tokio::test]
    async fn links_show_their_target_and_lead_into_no_circle() {
        let directory = directory(&["a/b.txt"]);
        symlink("..", directory.path().join("a/up")).expect("a link");
        symlink("gone\n", directory.path().join("dangling")).expect("a link");
        let listing = list(&directory, json!({ "depth": 99 })).await;
        assert_eq!(listing, "a/\na/b.txt\na/up -> ..\ndangling -> gone\\n\n");
    }

    #[tokio::test]
    async fn a_link_to_a_directory_is_listed_where_it_is_asked_for() {
        let directory = directory(&["real/b/c.txt"]);
        symlink("real", directory.path().join("link")).expect("a link");
        let listing = list(&directory, json!({ "path": "link", "depth": 2 })).await;
        assert_eq!(listing, "link/b/\nlink/b/c.txt\n");
    }

    #[tokio::test]
    async fn what_is_neither_file_nor_directory_is_marked() {
        let directory = directory(&[]);
        let pipe = directory.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
        assert_eq!(list(&directory, json!({})).await, "pipe (no regular file)\n");
    }

    #[tokio::test]
    async fn a_name_of_any_bytes_is_shown() {
        let directory = directory(&[]);
        let name = OsStr::from_bytes(b"caf\xe9");
        fs::write(directory.path().join(name), "").expect("a file");
        assert_eq!(list(&directory, json!({})).await, "caf\u{fffd}\n");
    }
}
