//! Cuts a text into lines, sentences and words.

use std::sync::LazyLock;

use regex::Regex;

use crate::names;

static TAG_LINE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*</?[a-z_-]+>\s*$"));
static MARKER: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(?:- |\d+\. )"));
static SENTENCE_END: LazyLock<Regex> = LazyLock::new(|| pattern(r#"[.?!]["')]?\s+"#));
static CODE_SPAN: LazyLock<Regex> = LazyLock::new(|| pattern(r"`([^`\n]+)`"));
/// The containers of data, those that hold others first.
static DATA: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let container = |name: &&str| pattern(&format!("(?s)<{name}(?: [^>\n]*)?>.*?</{name}>"));
    names::CONTAINERS
        .iter()
        .chain(&["file"])
        .filter(|name| **name != "system-reminder")
        .map(container)
        .collect()
});
static EXAMPLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)<examples?>.*?</examples?>"));

/// Compiles a pattern that stands in this test.
pub(crate) fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the text without containers of data.
pub(crate) fn without_data(text: &str) -> String {
    let without = |text: String, data: &Regex| data.replace_all(&text, "").into_owned();
    DATA.iter().fold(text.to_owned(), without)
}

/// Returns the text without containers of data and without examples.
pub(crate) fn prose(text: &str) -> String {
    EXAMPLE.replace_all(&without_data(text), "").into_owned()
}

/// Returns the sentences of a text, headings and lone tags left out, bullets cut off.
pub(crate) fn sentences(text: &str) -> Vec<String> {
    let says_something =
        |line: &&str| !line.trim().is_empty() && !is_heading(line) && !TAG_LINE.is_match(line);
    text.lines().filter(says_something).flat_map(line_sentences).collect()
}

fn line_sentences(line: &str) -> Vec<String> {
    let line = MARKER.replace(line, "");
    let mut found = Vec::new();
    let mut start = 0;
    for end in SENTENCE_END.find_iter(&line) {
        if begins_sentence(&line[end.end()..]) {
            found.push(line[start..end.end()].trim().to_owned());
            start = end.end();
        }
    }
    found.push(line[start..].trim().to_owned());
    found.retain(|sentence| !sentence.is_empty());
    found
}

fn begins_sentence(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_uppercase() || matches!(c, '"' | '`'))
}

/// Returns true for a Markdown heading.
pub(crate) fn is_heading(line: &str) -> bool {
    line.starts_with('#')
}

/// Returns the words of a text in lower case, without punctuation and marks.
pub(crate) fn words(text: &str) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
}

/// Returns what stands in code spans.
pub(crate) fn code_spans(text: &str) -> Vec<String> {
    CODE_SPAN.captures_iter(text).map(|span| span[1].trim().to_owned()).collect()
}

/// Returns how often the pattern occurs.
pub(crate) fn count(pattern: &Regex, text: &str) -> usize {
    pattern.find_iter(text).count()
}
