//! Lines of instruction files that stand for other files.

use std::{fs, path::Path};

use brute_prompts::gather::{InstructionImports, InstructionOptions, Instructions, instructions};
use tempfile::TempDir;

fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("proj/.git")).unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn options() -> InstructionOptions {
    InstructionOptions::default()
        .file_names(["AGENTS.md", "CLAUDE.md"])
        .imports(InstructionImports::Inside)
}

fn read(files: &[(&str, &str)]) -> Instructions {
    instructions(&project(files).path().join("proj"), &options())
}

/// Reads, and compares the text of the first file and the kinds of diagnostics.
#[track_caller]
fn check(files: &[(&str, &str)], text: &str, kinds: &[&str]) {
    let read = read(files);
    assert_eq!(&*read.files[0].text, text);
    let found: Vec<_> = read.diagnostics.iter().map(|diagnostic| diagnostic.kind).collect();
    assert_eq!(found, kinds);
}

#[test]
fn a_line_that_is_only_a_path_becomes_the_file() {
    let files = [("proj/AGENTS.md", "one\n@docs/two.md\nthree\n"), ("proj/docs/two.md", "two\n\n")];
    check(&files, "one\ntwo\nthree", &[]);
}

#[test]
fn a_path_is_relative_to_the_file_that_names_it() {
    let files = [
        ("proj/AGENTS.md", "@docs/two.md"),
        ("proj/docs/two.md", "two\n  @./deep/three.md"),
        ("proj/docs/deep/three.md", "\u{feff}three\r\n@../../four.md\r\n"),
        ("proj/four.md", "four"),
    ];
    check(&files, "two\nthree\nfour", &[]);
}

#[test]
fn without_the_option_every_line_stays() {
    let folder = project(&[("proj/AGENTS.md", "@two.md"), ("proj/two.md", "two")]);
    let read =
        instructions(&folder.path().join("proj"), &options().imports(InstructionImports::Off));
    assert_eq!(&*read.files[0].text, "@two.md");
}

#[test]
fn a_line_that_says_more_is_no_import() {
    let text = "see @two.md\n@two.md please\n@ two.md\n@\n- @two.md\n    @two.md\n\t@two.md";
    check(&[("proj/AGENTS.md", text), ("proj/two.md", "two")], text, &[]);
}

#[test]
fn fenced_code_is_left_alone() {
    let text = "```sh\n@two.md\n~~~\n@two.md\n``\n@two.md\n```\n@two.md\n~~~~ x`y\n@two.md\n~~~\n@two.md\n~~~~";
    let expected = text.replacen("```\n@two.md\n~~~~ x", "```\ntwo\n~~~~ x", 1);
    check(&[("proj/AGENTS.md", text), ("proj/two.md", "two")], &expected, &[]);
}

#[test]
fn inline_code_at_the_start_of_a_line_opens_no_fence() {
    let files = [("proj/AGENTS.md", "``` code ```\n@two.md"), ("proj/two.md", "two")];
    check(&files, "``` code ```\ntwo", &[]);
}

#[test]
fn a_missing_file_is_reported_and_its_line_stays() {
    check(&[("proj/AGENTS.md", "one\n@gone.md\ntwo")], "one\n@gone.md\ntwo", &["import_missing"]);
    check(&[("proj/AGENTS.md", "@docs"), ("proj/docs/x", "")], "@docs", &["import_missing"]);
    check(&[("proj/AGENTS.md", "@~/x.md")], "@~/x.md", &["import_missing"]);
}

#[test]
fn a_cycle_is_reported_and_ends() {
    let files = [("proj/AGENTS.md", "one\n@two.md"), ("proj/two.md", "two\n@AGENTS.md\nend")];
    check(&files, "one\ntwo\n@AGENTS.md\nend", &["import_cycle"]);
    check(&[("proj/AGENTS.md", "one\n@AGENTS.md")], "one\n@AGENTS.md", &["import_cycle"]);
}

#[test]
fn a_report_names_the_file_with_the_line_and_what_it_asked_for() {
    let folder = project(&[("proj/AGENTS.md", "@two.md"), ("proj/two.md", "@gone.md")]);
    let read = instructions(&folder.path().join("proj"), &options());
    assert!(read.diagnostics[0].path.ends_with("proj/two.md"));
    assert!(read.diagnostics[0].message.contains("@gone.md"));
}

#[test]
fn what_stands_in_the_prompt_already_is_not_repeated() {
    let files = [
        ("proj/AGENTS.md", "one\n@two.md\n@two.md\nend"),
        ("proj/CLAUDE.md", "own\n@AGENTS.md\n"),
        ("proj/two.md", "two"),
    ];
    let read = read(&files);
    let texts: Vec<_> = read.files.iter().map(|file| &*file.text).collect();
    assert_eq!(texts, ["one\ntwo\nend", "own"]);
}

#[test]
fn a_file_that_only_points_to_another_is_not_repeated() {
    let read = read(&[("proj/AGENTS.md", "rules"), ("proj/CLAUDE.md", "@AGENTS.md\n")]);
    assert_eq!(read.files.len(), 1);
}

#[test]
fn a_file_outside_the_project_is_taken_in_on_request_only() {
    let files = [("proj/AGENTS.md", "@../key.md"), ("key.md", "secret")];
    check(&files, "@../key.md", &["import_outside"]);
    let folder = project(&files);
    let cwd = folder.path().join("proj");
    let read = instructions(&cwd, &options().imports(InstructionImports::Anywhere));
    assert_eq!(&*read.files[0].text, "secret");
}

#[cfg(unix)]
#[test]
fn a_link_to_the_outside_is_outside() {
    let folder = project(&[("proj/AGENTS.md", "@inside.md"), ("key.md", "secret")]);
    std::os::unix::fs::symlink("../key.md", folder.path().join("proj/inside.md")).unwrap();
    let read = instructions(&folder.path().join("proj"), &options());
    assert_eq!(read.diagnostics[0].kind, "import_outside");
}

#[test]
fn a_global_file_imports_from_its_own_folder_and_from_home() {
    let folder = project(&[
        ("home/.config/brute/AGENTS.md", "@more.md\n@~/.config/brute/sub/x.md"),
        ("home/.config/brute/more.md", "more"),
        ("home/.config/brute/sub/x.md", "x"),
    ]);
    let options = options().home(folder.path().join("home"));
    let read = instructions(&folder.path().join("proj"), &options);
    assert_eq!(&*read.files[0].text, "more\nx");
}

#[test]
fn a_chain_without_end_ends() {
    let mut files = vec![("proj/AGENTS.md".to_owned(), "@1.md".to_owned())];
    files.extend((1..40).map(|n| (format!("proj/{n}.md"), format!("{n}\n@{}.md", n + 1))));
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let read = read(&files);
    assert!(read.files[0].text.ends_with("@16.md"), "{}", read.files[0].text);
    assert_eq!(read.diagnostics[0].kind, "import_limit");
}

#[test]
fn an_import_that_is_not_utf_8_is_reported() {
    let folder = project(&[("proj/AGENTS.md", "@two.md")]);
    fs::write(folder.path().join("proj/two.md"), b"\xff").unwrap();
    let read = instructions(Path::new(&folder.path().join("proj")), &options());
    assert_eq!(&*read.files[0].text, "\u{fffd}");
    assert_eq!(read.diagnostics[0].kind, "not_utf8");
}
