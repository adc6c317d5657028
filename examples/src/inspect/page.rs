//! Shows a prompt as a page for the browser, which loads nothing from elsewhere.

use std::{fs, path::Path};

use brute_prompts::{FileStatus, Rendered, Section, SourceReport, Zone, estimated_tokens, plain};
use minijinja::{Environment, context, value::Serde};
use serde::Serialize;
use tower::BoxError;

use super::{
    Seen,
    pieces::{Markers, Piece, split, split_name},
    schemas,
    sources::{grouped, halves, kind, sent, shown, status, tokens},
};
use crate::folder;

/// The page; its name ends in `.html`, so that all that is put in is escaped.
const PAGE: (&str, &str) = ("page.html", include_str!("page.html"));

/// The sections of one zone.
#[derive(Serialize)]
struct Block {
    zone: &'static str,
    holds: &'static str,
    bytes: String,
    tokens: String,
    share: String,
    sections: Vec<Shown>,
    /// How many bytes stand up to the end of the block; nothing where no cache can end there.
    boundary: Option<String>,
}

/// A section.
#[derive(Serialize)]
struct Shown {
    name: Vec<Piece>,
    source: Vec<Piece>,
    bytes: String,
    tokens: String,
    parts: Vec<Part>,
}

/// A part of a section: the words of the section, or a file in them.
#[derive(Serialize)]
struct Part {
    file: Option<Line>,
    pieces: Vec<Piece>,
}

/// A source.
#[derive(Serialize)]
struct Line {
    name: String,
    kind: &'static str,
    raw: String,
    injected: String,
    tokens: String,
    share: String,
    status: &'static str,
}

/// Writes the page into the file.
///
/// # Errors
/// Fails where the file cannot be written, and names it.
pub(super) fn keep(file: &Path, seen: &Seen) -> Result<(), BoxError> {
    let page = page(seen)?;
    fs::write(file, page)
        .map_err(|error| format!("cannot write the page {}: {error}", folder::shown(file)).into())
}

fn page(seen: &Seen) -> Result<String, minijinja::Error> {
    let sources = seen.sources();
    let (inside, beside) = halves(&sources);
    let lines = |sources: &[SourceReport]| -> Vec<Line> {
        sources.iter().map(|source| line(seen, source)).collect()
    };
    let rendered = &seen.rendered;
    let beside_bytes = beside.iter().map(sent).sum();
    let mut environment = Environment::new();
    environment.add_template(PAGE.0, PAGE.1)?;
    environment.get_template(PAGE.0)?.render(context! {
        title => title(rendered),
        family => rendered.family().name(),
        mode => seen.ctx.prompt_mode.name(),
        cwd => Serde(seen.ctx.cwd.as_deref().map(split_name)),
        bytes => grouped(rendered.bytes()),
        tokens => grouped(rendered.tokens()),
        skills => seen.ctx.skills.as_ref().map_or(0, |skills| skills.len()),
        blocks => Serde(blocks(seen, inside)),
        inside => Serde(lines(inside)),
        beside => Serde(lines(beside)),
        beside_bytes => grouped(beside_bytes),
        beside_tokens => grouped(tokens(beside_bytes)),
        unknown => Serde(split_name(&schemas::unknown(&seen.ctx.tools).join(", "))),
    })
}

/// Says whose prompt it is, in a place where nothing can be marked.
fn title(rendered: &Rendered) -> String {
    let provider = Some(rendered.provider()).filter(|provider| !provider.is_empty());
    let title = format!("Prompt for {} {}", provider.unwrap_or("any provider"), rendered.model());
    plain::visible(&title).into_owned()
}

/// Puts the sections into one block a zone.
fn blocks(seen: &Seen, sources: &[SourceReport]) -> Vec<Block> {
    let rendered = &seen.rendered;
    let markers = Markers::of(&seen.ctx);
    let mut shown = shown_sections(seen, sources, &markers).into_iter();
    let mut end = 0;
    let mut blocks = Vec::new();
    for block in rendered.blocks() {
        end += block.text.len();
        let count = rendered.iter().filter(|section| section.zone == block.zone).count();
        let (zone, holds) = words(block.zone);
        blocks.push(Block {
            zone,
            holds,
            bytes: grouped(block.text.len()),
            tokens: grouped(estimated_tokens(&block.text)),
            share: share(block.text.len(), rendered),
            sections: shown.by_ref().take(count).collect(),
            boundary: block.is_cacheable().then(|| grouped(end)),
        });
    }
    blocks
}

fn words(zone: Zone) -> (&'static str, &'static str) {
    match zone {
        Zone::Static => ("static", "the same for everybody with this stack and these tools"),
        Zone::Session => ("session", "the same within a session"),
        Zone::Dynamic => ("dynamic", "may change with each call"),
    }
}

fn shown_sections(seen: &Seen, sources: &[SourceReport], markers: &Markers) -> Vec<Shown> {
    let mut start = 0;
    let mut shown = Vec::new();
    for section in &seen.rendered {
        let parts = parts(seen, section, start, sources, markers);
        start += section.bytes() + GAP;
        shown.push(Shown {
            name: split_name(&section.name),
            source: split_name(&section.source),
            bytes: grouped(section.bytes()),
            tokens: grouped(section.tokens()),
            parts,
        });
    }
    shown
}

/// The size of the blank line between two sections.
const GAP: usize = 2;

/// Splits a section, which begins at `start`, where its files begin and end.
fn parts(
    seen: &Seen,
    section: &Section,
    start: usize,
    sources: &[SourceReport],
    markers: &Markers,
) -> Vec<Part> {
    let text = &*section.text;
    let mut parts = Vec::new();
    let mut done = 0;
    for source in sources {
        let begin = source.at.and_then(|at| at.checked_sub(start));
        let Some(begin) = begin.filter(|&begin| begin < text.len()) else {
            continue;
        };
        // The line break behind a file ends its last line, and shows no line of its own.
        let end = begin + source.injected_bytes;
        let end = end + usize::from(text[end..].starts_with('\n'));
        parts.extend(own_words(&text[done..begin]));
        parts.push(file(seen, source, &text[begin..end], markers));
        done = end;
    }
    parts.extend(own_words(&text[done..]));
    parts
}

fn own_words(text: &str) -> Option<Part> {
    (!text.is_empty()).then(|| Part { file: None, pieces: split(text, None) })
}

fn file(seen: &Seen, source: &SourceReport, text: &str, markers: &Markers) -> Part {
    let markers = (source.status == FileStatus::Truncated).then_some(markers);
    Part { file: Some(line(seen, source)), pieces: split(text, markers) }
}

fn line(seen: &Seen, source: &SourceReport) -> Line {
    Line {
        name: shown(seen, source),
        kind: kind(source),
        raw: grouped(source.raw_bytes),
        injected: grouped(source.injected_bytes),
        tokens: grouped(tokens(sent(source))),
        share: share(source.injected_bytes, &seen.rendered),
        status: status(source),
    }
}

/// Returns the share of the prompt in percent, for a width.
fn share(bytes: usize, rendered: &Rendered) -> String {
    let tenths = bytes * 1000 / rendered.bytes().max(1);
    format!("{}.{}", tenths / 10, tenths % 10)
}
