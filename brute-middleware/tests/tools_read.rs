//! What the tool `read` returns, and what it refuses.

use std::{fmt::Write as _, fs, path::Path};

use brute_core::{Error, Events, Facts, Tool, ToolCall, ToolContext, ToolOutput};
use brute_middleware::tools::{Read, ReadLimits};
use futures::FutureExt;
use proptest::{
    collection::vec,
    prelude::{prop_assert_eq, proptest},
    sample::select,
};
use serde_json::{Value, json};
use tempfile::TempDir;

fn directory(files: &[(&str, &[u8])]) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, bytes) in files {
        fs::write(directory.path().join(name), bytes).expect("a file");
    }
    directory
}

async fn call(tool: &Read, cwd: &Path, arguments: Value) -> Result<ToolOutput, Error> {
    let mut facts = Facts::default();
    facts.set_cwd(cwd);
    let call = ToolCall::new("call_1", "read", arguments.clone());
    tool.call(&arguments, &ToolContext { call, facts, events: Events::default() }).await
}

/// Reads with small limits: four lines, 60 bytes, ten characters a line.
async fn read(directory: &TempDir, arguments: Value) -> String {
    let tool = Read::within(ReadLimits { lines: 4, bytes: 60, line_chars: 10 });
    call(&tool, directory.path(), arguments).await.expect("a portion").text.to_string()
}

async fn refusal(directory: &TempDir, arguments: Value) -> String {
    call(&Read::new(), directory.path(), arguments).await.expect_err("a refusal").to_string()
}

fn numbered(lines: u64) -> Vec<u8> {
    let mut text = String::new();
    (1..=lines).for_each(|number| writeln!(text, "line {number}").expect("a line"));
    text.into_bytes()
}

#[tokio::test]
async fn lines_come_with_their_numbers() {
    let directory = directory(&[("notes.txt", b"one\n\n  three")]);
    let text = read(&directory, json!({ "file_path": "notes.txt" })).await;
    assert_eq!(text, "1\tone\n2\t\n3\t  three\n");
}

#[tokio::test]
async fn a_range_includes_both_ends() {
    let directory = directory(&[("notes.txt", &numbered(3))]);
    let text =
        read(&directory, json!({ "file_path": "notes.txt", "start_line": 2, "end_line": 3 })).await;
    assert_eq!(text, "2\tline 2\n3\tline 3\n");
}

#[tokio::test]
async fn a_range_that_ends_early_says_where_to_go_on() {
    let directory = directory(&[("notes.txt", &numbered(9))]);
    let text =
        read(&directory, json!({ "file_path": "notes.txt", "start_line": 2, "end_line": 3 })).await;
    assert_eq!(text, "2\tline 2\n3\tline 3\n[lines 2 to 3 of 9; go on with start_line 4]\n");
}

#[tokio::test]
async fn a_long_file_stops_at_the_limit_of_lines() {
    let directory = directory(&[("notes.txt", &numbered(9))]);
    let text = read(&directory, json!({ "file_path": "notes.txt", "start_line": 3 })).await;
    assert_eq!(
        text,
        "3\tline 3\n4\tline 4\n5\tline 5\n6\tline 6\n\
         [lines 3 to 6 of 9; go on with start_line 7]\n"
    );
}

#[tokio::test]
async fn the_limit_of_bytes_stops_before_the_line_that_goes_beyond_even_in_a_range() {
    let directory = directory(&[("wide.txt", "äöüäöüäöüä\n".repeat(4).as_bytes())]);
    let arguments = json!({ "file_path": "wide.txt", "start_line": 1, "end_line": 4 });
    let text = read(&directory, arguments).await;
    assert_eq!(
        text,
        "1\täöüäöüäöüä\n2\täöüäöüäöüä\n[lines 1 to 2 of 4; go on with start_line 3]\n"
    );
}

#[tokio::test]
async fn a_line_above_the_limit_of_bytes_is_shown_all_the_same() {
    let directory = directory(&[("wide.txt", b"0123456789\nnext\n")]);
    let tool = Read::within(ReadLimits { lines: 4, bytes: 3, line_chars: 10 });
    let output = call(&tool, directory.path(), json!({ "file_path": "wide.txt" })).await;
    assert_eq!(
        &*output.expect("a portion").text,
        "1\t0123456789\n[lines 1 to 1 of 2; go on with start_line 2]\n"
    );
}

#[tokio::test]
async fn a_long_line_is_cut_between_characters_and_the_next_one_follows() {
    let directory = directory(&[("wide.txt", "ääääääääääää\nnext\n".as_bytes())]);
    let text = read(&directory, json!({ "file_path": "wide.txt" })).await;
    assert_eq!(text, "1\tääääääääää… [cut]\n2\tnext\n[1 line is cut after 10 characters]\n");
}

#[tokio::test]
async fn a_line_of_exactly_the_limit_is_not_cut() {
    for end in ["", "\n", "\r\n"] {
        let content = format!("{}{end}", "𝄞".repeat(10));
        let directory = directory(&[("wide.txt", content.as_bytes())]);
        let text = read(&directory, json!({ "file_path": "wide.txt" })).await;
        assert!(text.starts_with(&format!("1\t{}\n", "𝄞".repeat(10))), "{text}");
    }
}

#[tokio::test]
async fn what_is_not_whole_is_marked_as_truncated() {
    let directory = directory(&[("notes.txt", &numbered(2001)), ("small.txt", b"x\n")]);
    for (name, is_truncated) in [("notes.txt", true), ("small.txt", false)] {
        let output = call(&Read::new(), directory.path(), json!({ "file_path": name })).await;
        assert_eq!(output.expect("a portion").truncated, is_truncated, "{name}");
    }
}

#[tokio::test]
async fn by_default_two_thousand_lines_and_fifty_kibibytes_come_at_once() {
    let wide = format!("{}\n", "x".repeat(99)).repeat(1000);
    let directory = directory(&[("long.txt", &numbered(3000)), ("wide.txt", wide.as_bytes())]);
    let long = call(&Read::new(), directory.path(), json!({ "file_path": "long.txt" })).await;
    assert!(long.expect("a portion").text.contains("[lines 1 to 2000 of 3000;"));
    let wide = call(&Read::new(), directory.path(), json!({ "file_path": "wide.txt" })).await;
    let wide = wide.expect("a portion");
    let note = wide.text.find("\n[lines 1 to ").expect("a note");
    assert!((50 * 1024 - 110..=50 * 1024).contains(&note), "{note}");
}

#[tokio::test]
async fn an_empty_file_says_so() {
    let directory = directory(&[("empty.txt", b"")]);
    let text = read(&directory, json!({ "file_path": "empty.txt" })).await;
    assert_eq!(text, "[the file is empty]\n");
}

#[tokio::test]
async fn a_start_beyond_the_end_says_how_long_the_file_is() {
    let directory = directory(&[("notes.txt", &numbered(3))]);
    let text = read(&directory, json!({ "file_path": "notes.txt", "start_line": 4 })).await;
    assert_eq!(text, "[the file has 3 lines; none is numbered 4]\n");
}

#[tokio::test]
async fn a_range_that_cannot_be_is_refused() {
    let directory = directory(&[("notes.txt", &numbered(3))]);
    for (start, end) in [(0, 3), (3, 2)] {
        let arguments = json!({ "file_path": "notes.txt", "start_line": start, "end_line": end });
        let refusal = refusal(&directory, arguments).await;
        assert!(refusal.contains(&format!("{start} to {end} are no range")), "{refusal}");
    }
}

#[tokio::test]
async fn the_largest_numbers_do_no_harm() {
    let directory = directory(&[("notes.txt", &numbered(3))]);
    let arguments =
        json!({ "file_path": "notes.txt", "start_line": u64::MAX, "end_line": u64::MAX });
    let text = read(&directory, arguments).await;
    assert!(text.starts_with("[the file has 3 lines;"), "{text}");
}

#[tokio::test]
async fn line_ends_of_two_characters_are_noted_and_not_shown() {
    let directory = directory(&[("dos.txt", b"one\r\ntwo\r\n")]);
    let text = read(&directory, json!({ "file_path": "dos.txt" })).await;
    assert_eq!(text, "1\tone\n2\ttwo\n[these lines end in CRLF]\n");
}

#[tokio::test]
async fn bytes_that_are_no_utf8_are_replaced_with_a_note() {
    let directory = directory(&[("latin.txt", b"caf\xe9\n")]);
    let text = read(&directory, json!({ "file_path": "latin.txt" })).await;
    assert_eq!(text, "1\tcaf\u{fffd}\n[bytes that are no UTF-8 are shown as \u{fffd}]\n");
}

#[tokio::test]
async fn a_cut_in_the_middle_of_a_character_is_no_bad_text() {
    // The bytes that are read for the line end within a character.
    for indent in 0..4 {
        let content = format!("{}{}", "x".repeat(indent), "€".repeat(40));
        let directory = directory(&[("wide.txt", content.as_bytes())]);
        let text = read(&directory, json!({ "file_path": "wide.txt" })).await;
        assert!(!text.contains("UTF-8"), "{text}");
    }
}

#[tokio::test]
async fn binary_files_are_refused_by_name_or_content() {
    let directory = directory(&[("picture.PNG", b"text"), ("blob", b"a\0b")]);
    for (name, reason) in [("picture.PNG", "its name ends in .png"), ("blob", "NUL")] {
        let refusal = refusal(&directory, json!({ "file_path": name })).await;
        assert!(refusal.contains("is a binary file of"), "{refusal}");
        assert!(refusal.contains(reason), "{refusal}");
    }
}

#[tokio::test]
async fn a_directory_gives_its_entries() {
    let directory = directory(&[("b.txt", b""), ("a.txt", b""), (".hidden", b"")]);
    fs::create_dir(directory.path().join("src")).expect("a directory");
    let text = read(&directory, json!({ "file_path": "." })).await;
    assert_eq!(text, "a.txt\nb.txt\nsrc/\n[. is a directory; these are its entries]\n");
}

#[tokio::test]
async fn a_missing_file_comes_with_similar_names() {
    let directory = directory(&[
        ("main.rs", b""),
        ("Mein.rs", b""),
        ("mainly.rs", b""),
        ("maim.rs", b""),
        ("unlike.toml", b""),
    ]);
    let refusal = refusal(&directory, json!({ "file_path": "mian.rs" })).await;
    assert_eq!(refusal, "mian.rs does not exist; similar names: Mein.rs, main.rs, maim.rs");
}

#[tokio::test]
async fn a_missing_directory_is_named_and_corrected() {
    let directory = directory(&[]);
    fs::create_dir(directory.path().join("src")).expect("a directory");
    let refusal = refusal(&directory, json!({ "file_path": "scr/lib.rs" })).await;
    assert_eq!(refusal, "scr/lib.rs does not exist; there is no scr; similar names: src");
}

#[tokio::test]
async fn a_name_with_a_line_break_is_shown_escaped() {
    let directory = directory(&[("a\nb.rs", b"x"), ("ab\u{202e}.rs", b"x")]);
    let refusal = refusal(&directory, json!({ "file_path": "ab.rs" })).await;
    assert!(refusal.ends_with(r"similar names: a\nb.rs, ab\u{202e}.rs"), "{refusal}");
    let text = read(&directory, json!({ "file_path": "a\nb.rs" })).await;
    assert_eq!(text, "1\tx\n");
}

#[tokio::test]
async fn a_path_that_no_system_takes_is_an_error() {
    let directory = directory(&[]);
    let refusal = refusal(&directory, json!({ "file_path": "a\0b" })).await;
    assert!(refusal.starts_with(r"a\u{0}b cannot be read: "), "{refusal}");
}

#[tokio::test]
async fn an_argument_that_the_tool_does_not_have_is_an_error_that_lists_those_it_has() {
    let directory = directory(&[("notes.txt", b"x")]);
    let refusal = refusal(&directory, json!({ "file_path": "notes.txt", "offset": 3 })).await;
    for name in ["offset", "file_path", "start_line", "end_line"] {
        assert!(refusal.contains(name), "{refusal}");
    }
}

#[tokio::test]
async fn a_large_file_is_read_from_any_line_on() {
    let directory = directory(&[("large.txt", &b"word\n".repeat(300_000))]);
    let text = read(&directory, json!({ "file_path": "large.txt", "start_line": 299_999 })).await;
    assert_eq!(text, "299999\tword\n300000\tword\n");
}

#[tokio::test]
async fn behind_a_portion_only_so_much_is_counted() {
    let directory = directory(&[("huge.txt", &b"x\n".repeat(4096))]);
    let file = fs::File::options().write(true).open(directory.path().join("huge.txt"));
    // A file of many gigabytes that takes no room on the disk.
    file.and_then(|file| file.set_len(64 << 30)).expect("a sparse file");
    let arguments = json!({ "file_path": "huge.txt", "end_line": 1 });
    let text = read(&directory, arguments).await;
    assert!(
        text.starts_with("1\tx\n[lines 1 to 1 of at least 4097; go on with start_line 2]"),
        "{text}"
    );
}

proptest! {
    #[test]
    fn portions_read_one_after_another_make_up_the_file(
        bytes in vec(select(b"ab\t\n\n\r\xc3\xa4\xf0".to_vec()), 0..300),
    ) {
        let directory = directory(&[("any.txt", &bytes)]);
        let tool = Read::within(ReadLimits { lines: 4, bytes: 60, line_chars: 1000 });
        let text = String::from_utf8_lossy(&bytes);
        let expected: Vec<_> = text.lines().map(str::to_owned).collect();
        prop_assert_eq!(all_lines(&tool, directory.path()), expected);
    }
}

/// Reads `any.txt` to its end as a model would, by the hints.
fn all_lines(tool: &Read, cwd: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        let arguments = json!({ "file_path": "any.txt", "start_line": lines.len() + 1 });
        // Without a runtime the tool works at once.
        let output = call(tool, cwd, arguments).now_or_never().expect("no wait").expect("text");
        let numbered = output.text.split('\n').filter_map(|line| line.split_once('\t'));
        for (number, line) in numbered {
            lines.push(line.to_owned());
            assert_eq!(number, lines.len().to_string());
        }
        let hint = format!("; go on with start_line {}]", lines.len() + 1);
        if !output.text.contains(&hint) {
            return lines;
        }
    }
}

#[cfg(unix)]
mod unix {
    use std::{os::unix::fs::symlink, process::Command};

    use super::*;

    #[tokio::test]
    async fn pipes_and_devices_are_refused_at_once() {
        let directory = directory(&[]);
        let pipe = directory.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
        for path in ["pipe", "/dev/zero"] {
            let refusal = refusal(&directory, json!({ "file_path": path })).await;
            assert!(refusal.starts_with(path), "{refusal}");
            assert!(refusal.contains("neither a regular file nor a directory"), "{refusal}");
        }
    }

    #[tokio::test]
    async fn a_link_is_followed_and_a_circle_of_links_is_an_error() {
        let directory = directory(&[("real.txt", b"real\n")]);
        symlink("real.txt", directory.path().join("link.txt")).expect("a link");
        symlink("circle", directory.path().join("circle")).expect("a link");
        symlink("gone", directory.path().join("dangling")).expect("a link");
        assert_eq!(read(&directory, json!({ "file_path": "link.txt" })).await, "1\treal\n");
        let circle = refusal(&directory, json!({ "file_path": "circle" })).await;
        assert!(circle.starts_with("circle cannot be read: "), "{circle}");
        let dangling = refusal(&directory, json!({ "file_path": "dangling" })).await;
        assert_eq!(dangling, "dangling is a link to nothing");
    }
}
