//! Splits a text where a reader must look twice: at cuts, and at characters that do not show.

use brute_prompts::{PromptContext, SystemPrompt, plain};
use serde::Serialize;

/// Stands for the facts in a marker; what stands in front of it is the same in each.
const FACT: &str = "\u{1a}";

/// A part of a text and how it is shown; an empty class is plain.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Piece {
    class: &'static str,
    text: String,
}

/// The lines that say that something was cut begin with one of these.
#[derive(Debug)]
pub(super) struct Markers(Vec<String>);

impl Markers {
    /// Reads the words of the markers.
    pub(super) fn of(ctx: &PromptContext) -> Self {
        let mut ctx = PromptContext::new(ctx.provider.clone(), ctx.model.clone());
        let facts = ["head", "tail", "total", "path"];
        ctx.extra.extend(facts.map(|fact| (fact.to_owned(), FACT.into())));
        let rendered = SystemPrompt::new(["cut_marker", "workspace_cut"]).prepare(&ctx);
        let sections = rendered.iter().flatten();
        let beginnings = sections.filter_map(|section| section.text.split(FACT).next());
        Self(beginnings.filter(|text| !text.is_empty()).map(str::to_owned).collect())
    }

    fn mark(&self, line: &str) -> bool {
        self.0.iter().any(|beginning| line.starts_with(beginning.as_str()))
    }
}

/// Splits a text; without markers nothing in it counts as a cut.
pub(super) fn split(text: &str, markers: Option<&Markers>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for line in text.split_inclusive('\n') {
        let is_cut = markers.is_some_and(|markers| markers.mark(line));
        take_line(&mut pieces, line, if is_cut { "cut" } else { "" });
    }
    pieces
}

/// Splits a name or a path, which stands on one line.
pub(super) fn split_name(name: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for c in name.chars() {
        take(&mut pieces, c, plain::is_invisible(c), "");
    }
    pieces
}

fn take_line(pieces: &mut Vec<Piece>, line: &str, class: &'static str) {
    for c in line.chars() {
        take(pieces, c, plain::is_invisible(c) && !matches!(c, '\n' | '\t'), class);
    }
}

fn take(pieces: &mut Vec<Piece>, c: char, is_unseen: bool, class: &'static str) {
    if is_unseen {
        push(pieces, "unseen", c.escape_unicode());
    } else {
        push(pieces, class, [c]);
    }
}

fn push(pieces: &mut Vec<Piece>, class: &'static str, text: impl IntoIterator<Item = char>) {
    match pieces.last_mut() {
        Some(last) if last.class == class => last.text.extend(text),
        _ => pieces.push(Piece { class, text: text.into_iter().collect() }),
    }
}
