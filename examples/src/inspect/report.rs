//! Where the bytes of a prompt come from, as a table or as JSON.

use std::io::{self, Write};

use brute_prompts::{FileStatus, Report, Section, SourceReport, plain};
use serde::Serialize;
use tower::BoxError;

use super::{
    Seen, schemas,
    sources::{grouped, halves, kind, sent, shown, status, tokens},
};

/// The most characters of a source in the table.
const WIDTH: usize = 40;

/// What is known of a prompt, and where its bytes come from if that is wanted.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    prompt: Report<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Vec<SourceReport>>,
}

/// Writes a prompt and what is known of it as one object.
pub(super) fn json(out: &mut impl Write, seen: &Seen, with_report: bool) -> Result<(), BoxError> {
    let report = with_report.then(|| seen.sources());
    serde_json::to_writer_pretty(&mut *out, &Whole { prompt: seen.rendered.report(), report })?;
    writeln!(out)?;
    Ok(())
}

/// Writes a line for each source, and what a reader should know at a glance.
pub(super) fn table(out: &mut impl Write, seen: &Seen) -> io::Result<()> {
    let sources = seen.sources();
    let (inside, beside) = halves(&sources);
    line(out, "source", "kind", ["raw", "injected", "~tokens"].map(str::to_owned), "status")?;
    for source in inside {
        row(out, seen, source)?;
    }
    let rendered = &seen.rendered;
    let raw = inside.iter().map(|source| source.raw_bytes).sum();
    let sizes = [raw, rendered.bytes(), rendered.tokens()].map(grouped);
    line(out, "total", "", sizes, "")?;
    tools(out, seen, beside)?;
    skills(out, seen)?;
    remarks(out, seen, inside)
}

fn row(out: &mut impl Write, seen: &Seen, source: &SourceReport) -> io::Result<()> {
    let tokens = tokens(source.injected_bytes);
    let sizes = [source.raw_bytes, source.injected_bytes, tokens].map(grouped);
    line(out, &shown(seen, source), kind(source), sizes, status(source))
}

fn line(
    out: &mut impl Write,
    name: &str,
    kind: &str,
    sizes: [String; 3],
    status: &str,
) -> io::Result<()> {
    let name = clipped(name);
    let [raw, injected, tokens] = sizes;
    let text = format!("{name:WIDTH$}  {kind:12}  {raw:>9}  {injected:>8}  {tokens:>7}  {status}");
    writeln!(out, "{}", text.trim_end())
}

/// Returns the end of a name that is too long: the file says more than the folders above it.
fn clipped(name: &str) -> String {
    let length = name.chars().count();
    if length <= WIDTH {
        return name.to_owned();
    }
    let end: String = name.chars().skip(length - WIDTH + 1).collect();
    format!("…{end}")
}

/// Says what the definitions of the tools add to each call.
fn tools(out: &mut impl Write, seen: &Seen, beside: &[SourceReport]) -> io::Result<()> {
    let bytes: usize = beside.iter().map(sent).sum();
    let (size, about) = (grouped(bytes), grouped(tokens(bytes)));
    writeln!(out, "\ntool schemas, beside the prompt: {size} bytes, ~{about} tokens")?;
    for tool in beside {
        writeln!(out, "  {}: {}", shown(seen, tool), grouped(tool.raw_bytes))?;
    }
    let unknown = schemas::unknown(&seen.ctx.tools);
    if !unknown.is_empty() {
        let names = unknown.join(", ");
        writeln!(out, "  not known to this program: {}", plain::visible(&names))?;
    }
    Ok(())
}

fn skills(out: &mut impl Write, seen: &Seen) -> io::Result<()> {
    let count = seen.ctx.skills.as_ref().map_or(0, |skills| skills.len());
    let bytes = seen.rendered.get("skills").map_or(0, Section::bytes);
    let omitted = seen.ctx.skills_omitted;
    writeln!(out, "skills: {count} found, {} bytes, {omitted} left out", grouped(bytes))
}

/// Names the sources that do not stand in the prompt whole.
fn remarks(out: &mut impl Write, seen: &Seen, sources: &[SourceReport]) -> io::Result<()> {
    for wanted in [FileStatus::Truncated, FileStatus::Missing, FileStatus::Dropped] {
        let found: Vec<_> = sources.iter().filter(|source| source.status == wanted).collect();
        let names: Vec<_> = found.iter().map(|source| shown(seen, source)).collect();
        if let Some(first) = found.first() {
            writeln!(out, "{}: {}", status(first), names.join(", "))?;
        }
    }
    Ok(())
}
