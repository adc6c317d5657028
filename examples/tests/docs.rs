//! Holds what the pages in `docs` say of the code.

mod pages;

use pages::{code_spans, holds_test, is_source_file, read};

/// Tells whether a span reads like the name of a test: a sentence of words.
fn is_sentence(span: &str) -> bool {
    let is_word_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    span.chars().all(is_word_part) && span.matches('_').count() >= 3
}

#[test]
fn every_file_that_the_architecture_names_exists() {
    let page = read("docs/architecture.md");
    let files: Vec<_> = code_spans(&page).into_iter().filter(|span| is_source_file(span)).collect();
    assert!(files.len() > 40, "only {} files were found", files.len());
    for file in files {
        let is_named_by_pattern = file == "tests/x.rs";
        assert!(is_named_by_pattern || !read(file).is_empty(), "{file}");
    }
}

#[test]
fn every_test_that_the_architecture_names_exists() {
    let page = read("docs/architecture.md");
    let mut file = "";
    let mut count = 0;
    for span in code_spans(&page) {
        if is_source_file(span) {
            file = span;
        } else if is_sentence(span) {
            assert!(holds_test(&read(file), span), "{file} has no test {span}");
            count += 1;
        }
    }
    assert!(count >= 20, "only {count} tests were found");
}

#[test]
fn every_law_names_a_test() {
    let page = read("docs/architecture.md");
    let laws = page.split("\n## ").find(|section| section.starts_with("Laws")).unwrap();
    let numbered = (1..100).take_while(|number| laws.contains(&format!("\n{number}. **"))).count();
    assert_eq!(numbered, 10);
    assert!(laws.matches("Test: `").count() > numbered);
}
