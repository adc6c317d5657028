//! Decides what to look at next.

use super::{
    exchange::Exchange,
    listing::{Entry, Kind, entries},
    offer::{Call, Offer},
    words,
};
use crate::ToolCall;

/// How many entries of the listing are looked at.
const TARGETS: usize = 2;

/// Returns the next calls, or none when it is time to answer.
pub(super) fn next_calls(exchange: &Exchange<'_>, offer: &Offer<'_>) -> Vec<Call> {
    match exchange.rounds {
        _ if exchange.question.trim().is_empty() => Vec::new(),
        0 => first_calls(exchange, offer),
        1 => second_calls(exchange, offer),
        _ => Vec::new(),
    }
}

/// Looks around; a tool that reads may know directories too.
fn first_calls(exchange: &Exchange<'_>, offer: &Offer<'_>) -> Vec<Call> {
    let search = || offer.search(words::sought(&exchange.question)?);
    let call = offer.list(None).or_else(|| offer.read(".")).or_else(search);
    call.into_iter().collect()
}

/// Looks closer: at what the question names, or else at what says most.
fn second_calls(exchange: &Exchange<'_>, offer: &Offer<'_>) -> Vec<Call> {
    let listing = exchange.successes().find(|look| look.tool != "search");
    let entries: Vec<_> = listing.into_iter().flat_map(|look| entries(&look.result.text)).collect();
    let question = &exchange.question;
    let paths = words::words(question).filter(|word| is_path(word, &entries));
    let mut calls: Vec<_> = paths.take(TARGETS).filter_map(|path| offer.read(path)).collect();
    let closer = targets(question, &entries).filter_map(|entry| look_at(entry, offer));
    calls.extend(closer.take(TARGETS.saturating_sub(calls.len())));
    calls.extend(unlisted_word(question, &entries).and_then(|word| offer.search(word)));
    // What was asked for already has its answer.
    calls.retain(|call| !exchange.looks.iter().any(|look| is_same(look.call, call)));
    calls
}

fn is_same(made: &ToolCall, call: &Call) -> bool {
    made.name == call.name && made.arguments.object() == Some(&call.arguments)
}

fn look_at(entry: Entry<'_>, offer: &Offer<'_>) -> Option<Call> {
    match entry.kind {
        Kind::Directory => offer.list(Some(entry.path)).or_else(|| offer.read(entry.path)),
        _ => offer.read(entry.path),
    }
}

/// Iterates over the entries worth a look, the best first.
fn targets<'a>(question: &str, entries: &[Entry<'a>]) -> impl Iterator<Item = Entry<'a>> + use<'a> {
    let mut named: Vec<_> =
        entries.iter().copied().filter(|entry| is_named(entry, question)).collect();
    let is_new = |entry: &Entry<'a>| !named.contains(entry);
    let mut others: Vec<_> = entries.iter().copied().filter(is_new).collect();
    // A directory is second to any file: without a question about it, its entries say little.
    others.retain(|entry| entry.rank().is_some() || entry.kind == Kind::Directory);
    others.sort_by_key(|entry| entry.rank().unwrap_or(u8::MAX));
    named.sort_by_key(|entry| entry.rank().unwrap_or(u8::MAX));
    named.into_iter().chain(others)
}

/// Tells whether a question names an entry, with or without its ending.
fn is_named(entry: &Entry<'_>, question: &str) -> bool {
    words::words(question).any(|word| {
        let word = word.trim_start_matches("./").trim_end_matches('/');
        [entry.path, entry.name(), entry.stem()].iter().any(|name| name.eq_ignore_ascii_case(word))
    })
}

/// Tells whether a word is a path into a directory of the listing, or written as a path.
fn is_path(word: &str, entries: &[Entry<'_>]) -> bool {
    let Some((first, rest)) = word.trim_start_matches("./").split_once('/') else { return false };
    let is_listed =
        entries.iter().any(|entry| entry.kind == Kind::Directory && entry.path == first);
    !rest.is_empty() && !rest.starts_with('/') && (is_listed || first.is_empty() || first == "..")
}

/// Returns what the question asks to search for, unless it is an entry that is looked at.
fn unlisted_word<'q>(question: &'q str, entries: &[Entry<'_>]) -> Option<&'q str> {
    words::sought(question).filter(|word| !entries.iter().any(|entry| is_named(entry, word)))
}
