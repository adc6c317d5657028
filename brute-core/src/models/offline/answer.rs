//! Makes an answer of what the tools returned.

use super::{
    estimate,
    exchange::{Exchange, Look},
    listing::{Entry, Kind, entries},
    offer::Offer,
    quote::{self, count},
};
use crate::{Log, Role, Turn};

const HONEST: &str = "I am the offline model: I look with the tools on offer and quote what they \
    return. I do not reason.";

/// How many names of a directory are given.
const NAMES: usize = 60;

/// How many lines of a result are quoted.
const QUOTED: usize = 5;

/// Writes the answer.
pub(super) fn answer(exchange: &Exchange<'_>, offer: &Offer<'_>, turn: &Turn) -> String {
    let mut paragraphs = Vec::new();
    if exchange.is_blank() {
        paragraphs.push(format!("You asked nothing. {}", request(turn)));
    } else if exchange.looks.is_empty() {
        paragraphs.push(unseen(exchange, offer));
        paragraphs.push(request(turn));
    }
    paragraphs.extend(exchange.looks.iter().map(describe));
    if exchange.media > 0 {
        let media = count(exchange.media, "image or document", "images or documents");
        paragraphs.push(format!("I cannot see the {media} that came with the question."));
    }
    paragraphs.push(HONEST.to_owned());
    paragraphs.join("\n\n")
}

fn unseen(exchange: &Exchange<'_>, offer: &Offer<'_>) -> String {
    let question = quote::short(exchange.question.trim());
    match offer.why_not() {
        Some(reason) => format!("You asked “{question}”. I can look at nothing: {reason}."),
        None => format!("You asked “{question}”. I found nothing in it to look for."),
    }
}

fn describe(look: &Look<'_>) -> String {
    match look.tool {
        tool if look.result.is_error => failure(tool, look),
        "search" => matches(look),
        "read" if quote::is_numbered(&look.result.text) => file(look),
        "read" | "list" => directory(look),
        tool => format!("The tool {tool} returned:{}", first_lines(look)),
    }
}

fn failure(tool: &str, look: &Look<'_>) -> String {
    let subject = look.subject().map(|subject| format!(" on {}", quote::short(subject)));
    let subject = subject.unwrap_or_default();
    format!("The tool {tool} failed{subject}:{}", quote::lines(look.result.text.lines(), QUOTED))
}

fn directory(look: &Look<'_>) -> String {
    let place = match look.subject() {
        None | Some("" | ".") => "The working directory".to_owned(),
        Some(path) => quote::short(path),
    };
    let entries: Vec<_> = entries(&look.result.text).collect();
    let notes = quote::notes(&look.result.text);
    if entries.is_empty() {
        return format!("{place} shows no entries.{notes}");
    }
    let total = count(entries.len(), "entry", "entries");
    let directories = entries.iter().filter(|entry| entry.kind == Kind::Directory).count();
    let directories = count(directories, "directory", "directories");
    format!("{place} holds {total} ({directories}): {}.{notes}", names(&entries))
}

fn names(entries: &[Entry<'_>]) -> String {
    let mut names: Vec<_> = entries.iter().take(NAMES).map(name).collect();
    if entries.len() > NAMES {
        names.push(format!("and {} more", entries.len() - NAMES));
    }
    names.join(", ")
}

fn name(entry: &Entry<'_>) -> String {
    let mark = if entry.kind == Kind::Directory { "/" } else { "" };
    quote::short(entry.path) + mark
}

fn file(look: &Look<'_>) -> String {
    let path = quote::short(look.subject().unwrap_or("The file"));
    let text = &look.result.text;
    let lines = count(quote::content(text).count(), "line", "lines");
    let content =
        quote::content(text).map(quote::unnumbered).filter(|line| !line.trim().is_empty());
    let notes = quote::notes(text);
    format!("{path}, {lines}{notes}, begins:{}", quote::lines(content, QUOTED))
}

fn matches(look: &Look<'_>) -> String {
    let pattern = quote::short(&look.subject().unwrap_or_default().replace('\\', ""));
    let notes = quote::notes(&look.result.text);
    match quote::content(&look.result.text).count() {
        0 => format!("I searched for “{pattern}” and found nothing.{notes}"),
        found => {
            let lines = count(found, "line", "lines");
            format!("I searched for “{pattern}” and got {lines}{notes}:{}", first_lines(look))
        }
    }
}

fn first_lines(look: &Look<'_>) -> String {
    quote::lines(quote::content(&look.result.text), QUOTED)
}

/// Says what the request holds besides the question.
fn request(turn: &Turn) -> String {
    let tools: Vec<_> = turn.tools.specs().map(|spec| &*spec.name).collect();
    let tools = match tools.as_slice() {
        [] => "no tools are on offer".into(),
        names => {
            format!("{} on offer: {}", count(names.len(), "tool is", "tools are"), names.join(", "))
        }
    };
    format!("{}; {tools}.", system_prompt(&turn.log))
}

fn system_prompt(log: &Log) -> String {
    let systems: Vec<_> = log.iter().filter(|message| message.role == Role::System).collect();
    if systems.is_empty() {
        return "I see no system prompt".into();
    }
    let chars: usize = systems.iter().map(|message| estimate::chars(&message.text())).sum();
    let size = format!(
        "{} (about {} tokens)",
        count(chars, "character", "characters"),
        estimate::tokens(chars)
    );
    let sections: Vec<_> = systems
        .iter()
        .flat_map(|message| message.sections())
        .map(|section| &*section.name)
        .collect();
    if !sections.is_empty() {
        let number = count(sections.len(), "section", "sections");
        return format!("I see a system prompt of {number} and {size}: {}", sections.join(", "));
    }
    let text = systems[0].text();
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    format!("I see a system prompt of {size}, which begins “{}”", quote::short(first))
}
