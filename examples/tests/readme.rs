//! Holds what the README says and no compiler checks.

use std::{fs, path::Path};

use brute_core::models::OfflineModel;
use brute_middleware::default_stack;

/// Returns a file of the workspace.
fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the blocks of code of one language, in order.
fn blocks(language: &str) -> Vec<String> {
    let readme = read("README.md");
    let fence = format!("\n```{language}\n");
    let blocks = readme.split(fence.as_str()).skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn the_picture_is_that_of_the_default_stack() {
    let picture = default_stack().model(OfflineModel).to_string();
    assert_eq!(blocks("text").first(), Some(&picture));
}

#[test]
fn the_test_of_a_layer_is_one_that_runs() {
    let ours = include_str!("your_layer.rs");
    let (_, test) = ours.split_once("\n\n").unwrap();
    assert!(blocks("rust").iter().any(|block| block == test), "tests/your_layer.rs differs");
}

#[test]
fn every_block_of_rust_compiles_and_runs() {
    let readme = read("README.md");
    for mark in ["ignore", "no_run", "compile_fail", "should_panic"] {
        assert!(!readme.contains(&format!("```rust,{mark}")), "a block is marked {mark}");
    }
    assert!(readme.matches("\n```rust").count() >= 5);
    let line = "#[doc = include_str!(\"../../README.md\")]";
    assert!(read("brute-middleware/src/lib.rs").contains(line), "no doctest reads the readme");
}

#[test]
fn the_program_is_short() {
    let program = blocks("rust").remove(0);
    assert!(program.contains("fn main"));
    assert!(program.lines().count() <= 25, "{} lines", program.lines().count());
}

#[test]
fn every_file_it_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let readme = read("README.md");
    let links: Vec<_> =
        readme.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(links.len() >= 5, "only {} links were found", links.len());
    for link in links.iter().filter(|link| !link.contains("://") && !link.starts_with('#')) {
        assert!(root.join(link).exists(), "{link} does not exist");
    }
}
