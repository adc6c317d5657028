//! Runs every numbered example and holds what it prints.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The most lines that an example may have.
const MOST_LINES: usize = 80;

/// Returns the numbered examples, in order.
fn examples() -> Vec<PathBuf> {
    let folder = fs::read_dir(env!("CARGO_MANIFEST_DIR")).unwrap();
    let is_numbered = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with(|c: char| c.is_ascii_digit())
    };
    let mut examples: Vec<_> =
        folder.map(|entry| entry.unwrap().path()).filter(is_numbered).collect();
    examples.sort();
    assert!(examples.len() >= 11, "only {} examples were found", examples.len());
    examples
}

/// Returns the program of an example, which cargo builds before it runs the tests of a package.
fn program(example: &Path) -> PathBuf {
    let programs = Path::new(env!("CARGO_BIN_EXE_brute")).with_file_name("examples");
    let name = example.file_stem().unwrap();
    let program = programs.join(name).with_extension(env::consts::EXE_EXTENSION);
    let modified = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    assert!(
        modified(&program) >= modified(example),
        "{} is not built: run `cargo test -p examples`, or `cargo build --examples` before",
        program.display(),
    );
    program
}

/// Compares the output with the snapshot of the example's name.
fn hold(example: &Path, output: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.remove_snapshot_suffix();
    settings.set_omit_expression(true);
    let name = example.file_stem().unwrap().to_string_lossy();
    settings.bind(|| insta::assert_snapshot!(name.as_ref(), output));
}

#[test]
fn every_example_prints_what_it_did_before() {
    insta::glob!("..", "[0-9]*.rs", |example| {
        let output = Command::new(program(example))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            // Nobody's own skills and rules.
            .env("HOME", env!("CARGO_TARGET_TMPDIR"))
            .output()
            .unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && complaint.is_empty(), "{example:?} fails: {complaint}");
        hold(example, &String::from_utf8(output.stdout).unwrap());
    });
}

#[test]
fn every_example_fits_on_a_page() {
    for example in examples() {
        let lines = fs::read_to_string(&example).unwrap().lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", example.display());
    }
}

#[test]
fn examples_are_numbered_without_a_gap() {
    for (index, example) in examples().iter().enumerate() {
        let name = example.file_name().unwrap().to_string_lossy();
        let number = format!("{:02}_", index + 1);
        assert!(name.starts_with(&number), "{name} should begin with {number}");
    }
}
