//! Finds the words of a question that are worth a look.

/// Long words that are in many questions and in few files.
const COMMON: &str = "about actually answer anything around before between change changed changes \
    content contents contain contains current describe description directories directory document \
    documentation everything example explain exactly folder folders function functions happens \
    implement implementation important inside nothing please print program project question \
    repository should something source structure summarise summarize summary thanks there these \
    things through understand using whether which without working written";

const QUOTES: [(char, char); 6] =
    [('"', '"'), ('`', '`'), ('\'', '\''), ('“', '”'), ('„', '“'), ('«', '»')];

/// The longest text in quotes that is searched for.
const LONGEST: usize = 80;

/// Splits a question into words; paths and identifiers stay whole.
pub(super) fn words(question: &str) -> impl Iterator<Item = &str> {
    let is_inside = |letter: char| letter.is_alphanumeric() || "_-./\\".contains(letter);
    question
        .split(move |letter| !is_inside(letter))
        .map(|word| word.trim_end_matches('.').trim_matches('-'))
        .filter(|word| word.chars().any(char::is_alphanumeric))
}

/// Returns what a question asks to search for: a text in quotes, an identifier, or a long word.
pub(super) fn sought(question: &str) -> Option<&str> {
    quoted(question)
        .or_else(|| words(question).find(|word| is_identifier(word)))
        .or_else(|| words(question).filter(|word| is_rare(word)).max_by_key(|word| word.len()))
}

/// Returns the first text in quotes.
fn quoted(question: &str) -> Option<&str> {
    let mut starts = question.char_indices().filter_map(|(position, letter)| {
        let (_, closing) = QUOTES.into_iter().find(|(opening, _)| *opening == letter)?;
        // A quote within a word is an apostrophe.
        let is_within = question[..position].ends_with(char::is_alphanumeric);
        let rest = &question[position + letter.len_utf8()..];
        let inside = &rest[..rest.find(closing)?];
        (!is_within && is_searchable(inside)).then_some(inside)
    });
    starts.next()
}

fn is_searchable(text: &str) -> bool {
    text.len() <= LONGEST && !text.contains('\n') && text.chars().any(char::is_alphanumeric)
}

/// Tells whether a word is written as names in source code are.
fn is_identifier(word: &str) -> bool {
    let has_inner_capital = word
        .chars()
        .zip(word.chars().skip(1))
        .any(|(letter, next)| letter.is_lowercase() && next.is_uppercase());
    let has_inner_dot = word.trim_matches('.').contains('.') && !word.contains('/');
    has_inner_capital || has_inner_dot && word.len() > 4 || word.trim_matches('_').contains('_')
}

fn is_rare(word: &str) -> bool {
    let lower = word.to_lowercase();
    word.chars().count() >= 6
        && word.chars().all(char::is_alphanumeric)
        && !COMMON.split(' ').any(|common| common == lower)
}
