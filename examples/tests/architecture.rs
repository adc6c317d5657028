//! Holds the shape of the workspace: who knows whom, and where things lie.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

const CRATES: [&str; 4] = ["brute-core", "brute-prompts", "brute-middleware", "examples"];

/// What may lie at the top, besides what a dot hides.
const TOP: [&str; 11] = [
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "brute-core",
    "brute-middleware",
    "brute-prompts",
    "docs",
    "examples",
    "scripts",
    "target",
];

/// The most lines that a source file may have.
const MOST_LINES: usize = 400;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the entries of a folder, sorted; none where it does not exist.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Returns all Rust files below a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let (folders, files): (Vec<_>, Vec<_>) =
        entries(folder).into_iter().partition(|path| path.is_dir());
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    let below = folders.iter().flat_map(|folder| rust_files(folder));
    files.into_iter().filter(is_rust).chain(below).collect()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// Returns the crates of the workspace that a manifest names as dependencies.
fn dependencies(member: &str) -> BTreeSet<String> {
    let manifest = read(&root().join(member).join("Cargo.toml"));
    let keys = manifest.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
    keys.filter(|key| key.starts_with("brute-")).map(str::to_owned).collect()
}

#[track_caller]
fn check_dependencies(member: &str, expected: &[&str]) {
    let expected = expected.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(dependencies(member), expected, "the dependencies of {member}");
}

#[test]
fn core_and_prompts_do_not_know_each_other() {
    check_dependencies("brute-core", &[]);
    check_dependencies("brute-prompts", &[]);
    check_dependencies("brute-middleware", &["brute-core", "brute-prompts"]);
    check_dependencies("examples", &["brute-core", "brute-middleware", "brute-prompts"]);
}

#[test]
fn prompts_are_plain() {
    let manifest = read(&root().join("brute-prompts/Cargo.toml"));
    for name in ["tokio", "tower", "futures", "async-trait"] {
        let is_named = manifest.lines().any(|line| line.starts_with(name));
        assert!(!is_named, "brute-prompts depends on {name}");
    }
}

#[test]
fn a_turn_becomes_a_prompt_context_in_one_file() {
    let makes_context = |path: &PathBuf| read(path).contains("PromptContext::new(");
    let files = rust_files(&root().join("brute-middleware/src")).into_iter().filter(makes_context);
    assert_eq!(files.map(|path| name(&path)).collect::<Vec<_>>(), ["prompt_context.rs"]);
}

#[test]
fn only_the_gatherer_of_prompts_touches_the_disk() {
    let src = root().join("brute-prompts/src");
    let is_effect = |path: &PathBuf| {
        let text = read(path);
        ["fs::", "Command::new", "env::"].iter().any(|effect| text.contains(effect))
    };
    let is_free = |path: &PathBuf| {
        ["gather", "skill"].iter().any(|folder| path.starts_with(src.join(folder)))
    };
    let faulty: Vec<_> =
        rust_files(&src).into_iter().filter(|path| is_effect(path) && !is_free(path)).collect();
    assert!(faulty.is_empty(), "{faulty:?} touch the disk, the environment or a program");
}

#[test]
fn the_top_level_holds_nothing_else() {
    let strangers: Vec<_> = entries(&root())
        .iter()
        .map(|path| name(path))
        .filter(|name| !name.starts_with('.') && !TOP.contains(&name.as_str()))
        .collect();
    assert!(strangers.is_empty(), "{strangers:?} do not belong at the top");
}

#[test]
fn every_layer_has_a_test_of_its_name() {
    let middleware = root().join("brute-middleware");
    let has_layer = |path: &PathBuf| read(path).contains(" Layer<");
    let is_file = |path: &PathBuf| path.is_file();
    let layers: Vec<_> =
        entries(&middleware.join("src")).into_iter().filter(is_file).filter(has_layer).collect();
    assert!(layers.len() >= 9, "only {} layers were found", layers.len());
    let has_test = |layer: &PathBuf| middleware.join("tests").join(name(layer)).is_file();
    let untested: Vec<_> =
        layers.iter().filter(|layer| !has_test(layer)).map(|layer| stem(layer)).collect();
    assert!(untested.is_empty(), "{untested:?} have no test in brute-middleware/tests");
}

#[test]
fn every_test_file_belongs_to_a_test() {
    for member in CRATES {
        let tests = root().join(member).join("tests");
        let files = rust_files(&tests);
        for file in files.iter().filter(|file| !is_target(file, &tests)) {
            let declaration = format!("mod {};", module(file));
            let is_declared = files.iter().any(|other| read(other).contains(&declaration));
            assert!(is_declared, "{} belongs to no test and never runs", file.display());
        }
    }
}

/// Returns the name of the module that a file holds.
fn module(file: &Path) -> String {
    if name(file) == "mod.rs" { stem(file.parent().unwrap()) } else { stem(file) }
}

/// Tells whether cargo makes a test of the file by itself.
fn is_target(file: &Path, tests: &Path) -> bool {
    let folder = file.parent().unwrap();
    folder == tests || (name(file) == "main.rs" && folder.parent() == Some(tests))
}

#[test]
fn every_example_is_declared() {
    let manifest = read(&root().join("examples/Cargo.toml"));
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    for example in entries(&root().join("examples")).iter().filter(|path| is_rust(path)) {
        let line = format!("path = \"{}\"", name(example));
        assert!(manifest.contains(&line), "{} is no example of the package", example.display());
    }
}

#[test]
fn source_files_are_small_and_say_what_they_are() {
    for member in CRATES {
        for path in rust_files(&root().join(member).join("src")) {
            let text = read(&path);
            let lines = text.lines().count();
            assert!(lines <= MOST_LINES, "{} has {lines} lines", path.display());
            assert!(text.starts_with("//! "), "{} does not say what it is", path.display());
        }
    }
}
