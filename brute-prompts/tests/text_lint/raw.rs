//! Rules for a text as it stands in its file.

use std::{fs, path::Path, sync::LazyLock};

use minijinja::Environment;
use regex::Regex;

use crate::{
    names, runs,
    words::{code_spans, count, pattern, prose, words},
};

/// A text file of the crate.
#[derive(Clone, Debug)]
pub(crate) struct RawText {
    pub(crate) module: String,
    pub(crate) family: String,
    pub(crate) text: String,
}

/// A named check that returns what is wrong.
pub(crate) type RawRule = (&'static str, fn(&RawText) -> Vec<String>);

/// All rules, in the order in which they are reported.
pub(crate) const RULES: [RawRule; 8] = [
    ("a tool is named through its variable", tools_are_variables),
    ("a variable is declared for the kind of text", variables_are_declared),
    ("a text speaks to the model as you", voice),
    ("a static text holds nothing that varies or sells", nothing_varies),
    ("a text is plain ASCII", plain_ascii),
    ("lines end clean", clean_lines),
    ("a text begins and ends without a blank line", no_blank_ends),
    ("a text has at least one sentence", says_something),
];

/// Returns every text file of the crate, in a fixed order.
pub(crate) fn texts() -> Vec<RawText> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("text");
    let mut found: Vec<_> = entries(&root).iter().flat_map(|folder| module_texts(folder)).collect();
    found.sort_by(|a, b| (&a.module, &a.family).cmp(&(&b.module, &b.family)));
    found
}

fn module_texts(folder: &Path) -> Vec<RawText> {
    let stem = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let read = |path: &std::path::PathBuf| RawText {
        module: stem(folder),
        family: stem(path),
        text: fs::read_to_string(path).unwrap(),
    };
    entries(folder).iter().map(read).collect()
}

fn entries(folder: &Path) -> Vec<std::path::PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

impl RawText {
    /// Returns true for texts that may use facts of a session.
    pub(crate) fn is_session(&self) -> bool {
        runs::is_text(&self.module) || names::SESSION_MODULES.contains(&self.module.as_str())
    }
}

fn tools_are_variables(raw: &RawText) -> Vec<String> {
    let text = without_template(&raw.text);
    let spans = code_spans(&text).into_iter().filter(|span| names::is_tool(span));
    let is_plain = |word: &String| names::is_plain_word(word, &raw.module);
    let bare = words(&text).into_iter().filter(|word| names::is_telling(word) && !is_plain(word));
    spans.chain(bare).map(|name| format!("names the tool {name} as a word")).collect()
}

fn variables_are_declared(raw: &RawText) -> Vec<String> {
    let env = Environment::new();
    let template = match env.template_from_str(&raw.text) {
        Ok(template) => template,
        Err(error) => return vec![format!("is not a template: {error}")],
    };
    let unknown = |variable: &String| !names::is_variable(variable, raw.is_session());
    let mut found: Vec<_> = template.undeclared_variables(true).into_iter().collect();
    found.sort();
    found.into_iter().filter(unknown).map(|name| format!("uses the variable {name}")).collect()
}

static FIRST_PERSON: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bI\b|(?i)\b(?:me|my|mine|we|our|ours|us)\b"));
static THIRD_PERSON: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\bthe (?:agent|assistant)\b"));
static SECOND_PERSON: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\byou\b"));
static QUOTED: LazyLock<Regex> = LazyLock::new(|| pattern("\"[^\"\n]*\""));

fn voice(raw: &RawText) -> Vec<String> {
    let prose = prose(&raw.text);
    let text = QUOTED.replace_all(&prose, "");
    let first = FIRST_PERSON.find_iter(&text).map(|word| format!("says {:?}", word.as_str()));
    let mixed = THIRD_PERSON.is_match(&text) && SECOND_PERSON.is_match(&text);
    first.chain(mixed.then(|| "speaks to you and about the agent".to_owned())).collect()
}

/// What a static text must not hold, with a word for it.
static VARYING: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let table = [
        ("a year", r"\b(?:19|20)\d\d\b"),
        (
            "a date",
            r"(?i)\b(?:january|february|march|april|june|july|august|september|october|november|december)\b",
        ),
        ("a time of day", r"\b\d{1,2}:\d{2}\b"),
        ("an absolute path", r#"(?:^|[\s`"(])/[A-Za-z]"#),
        ("a home path", r"~/|(?i)\bc:\\"),
        ("an address", r"(?i)https?:|www\."),
        ("an e-mail address", r"[\w.]+@\w+\.\w+"),
        ("a version number", r"\bv?\d+\.\d+"),
        (
            "a product name",
            r"(?i)\b(?:claude|anthropic|openai|gpt|chatgpt|codex|google|gemini|gemma|ollama|llama|mistral|qwen|copilot|cursor|opencode)\b",
        ),
    ];
    table.into_iter().map(|(what, text)| (what, pattern(text))).collect()
});

fn nothing_varies(raw: &RawText) -> Vec<String> {
    if raw.is_session() {
        return Vec::new();
    }
    let found = VARYING.iter().filter(|(_, pattern)| pattern.is_match(&raw.text));
    found.map(|(what, _)| format!("holds {what}")).collect()
}

fn plain_ascii(raw: &RawText) -> Vec<String> {
    let odd = raw.text.chars().filter(|&c| c != '\n' && !(' '..='~').contains(&c));
    odd.map(|c| format!("holds the character {c:?}")).collect()
}

fn clean_lines(raw: &RawText) -> Vec<String> {
    let blank = |line: &str| line.ends_with(char::is_whitespace);
    let lines = raw.text.split('\n').enumerate().filter(|(_, line)| blank(line));
    lines.map(|(at, _)| format!("line {} ends in blanks", at + 1)).collect()
}

fn no_blank_ends(raw: &RawText) -> Vec<String> {
    let text = &raw.text;
    let ends = !text.starts_with('\n') && text.ends_with('\n') && !text.ends_with("\n\n");
    let runs = text.contains("\n\n\n");
    let end = (!ends).then(|| "does not end in exactly one line break".to_owned());
    end.into_iter().chain(runs.then(|| "holds two blank lines in a row".to_owned())).collect()
}

fn says_something(raw: &RawText) -> Vec<String> {
    let silent = count(&pattern(r"[.:?](?:\n|\s|\{)"), &raw.text) == 0;
    silent.then(|| "has no sentence".to_owned()).into_iter().collect()
}

static TEMPLATE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)\{\{.*?\}\}|\{%.*?%\}"));

/// Returns the text with nothing in the place of variables and conditions.
fn without_template(text: &str) -> String {
    TEMPLATE.replace_all(text, "").into_owned()
}
