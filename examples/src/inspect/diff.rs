//! Compares two prompts, section by section.

use std::{
    io::{self, Write},
    path::{self, Path},
};

use brute_prompts::{Rendered, Section, plain};
use similar::{Algorithm, ChangeTag, DiffOp, TextDiff, capture_diff_slices};
use tower::BoxError;

use super::{Seen, sources::grouped};
use crate::{arguments::Prompt, folder, screen::readable};

/// How many equal lines stand around a change.
const AROUND: usize = 2;

/// What is said of one section.
enum Finding<'a> {
    Pair(&'a Section, &'a Section),
    OnlyOne(&'a Section),
    OnlyOther(&'a Section),
}

/// Prints how the prompts of two providers or directories differ.
///
/// # Errors
/// Fails where one of them cannot be rendered, and where `out` is closed.
pub(super) fn diff(out: &mut impl Write, prompt: &Prompt) -> Result<(), BoxError> {
    let (one, other) = sides(prompt);
    let (first, second) = (Seen::of(&one)?, Seen::of(&other)?);
    let place = |prompt: &Prompt| folder::shown(&prompt.cwd);
    writeln!(out, "--- {}, {}", name(&first.rendered), place(&one))?;
    writeln!(out, "+++ {}, {}\n", name(&second.rendered), place(&other))?;
    for finding in findings(&first.rendered, &second.rendered) {
        write(out, &finding)?;
    }
    Ok(())
}

/// Returns what is compared: two that are named, or what the other options say with one.
fn sides(prompt: &Prompt) -> (Prompt, Prompt) {
    let mut sides = prompt.view.diff.iter().map(|name| turned(prompt, name));
    match (sides.next(), sides.next()) {
        (Some(one), Some(other)) => (one, other),
        (Some(other), None) => (prompt.clone(), other),
        _ => (prompt.clone(), prompt.clone()),
    }
}

/// Returns the prompt for another directory, which has a `/` in its name, or another provider.
fn turned(prompt: &Prompt, name: &str) -> Prompt {
    let mut turned = prompt.clone();
    if name.contains(path::is_separator) || matches!(name, "." | "..") {
        turned.cwd = name.into();
    } else {
        hint(name);
        name.clone_into(&mut turned.provider);
    }
    turned
}

/// Says how to name a directory that was taken as a provider.
fn hint(name: &str) {
    if Path::new(name).is_dir() {
        let name = plain::visible(name);
        let note = format!("note: {name} is taken as a provider; ./{name} is the directory");
        // Without standard error there is nobody left to tell.
        drop(writeln!(io::stderr(), "{note}"));
    }
}

fn name(rendered: &Rendered) -> String {
    let (provider, family) = (rendered.provider(), rendered.family().name());
    let provider = if provider.is_empty() { "no provider" } else { provider };
    readable(&format!("{provider} (family {family})"))
}

/// Pairs the sections by name; those of one side stand where they stand there.
fn findings<'a>(one: &'a Rendered, other: &'a Rendered) -> Vec<Finding<'a>> {
    let (old, new) = (names(one), names(other));
    let mut findings = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        for section in &one.sections()[op.old_range()] {
            let pair = other.get(&section.name).map(|new| Finding::Pair(section, new));
            findings.push(pair.unwrap_or(Finding::OnlyOne(section)));
        }
        if !matches!(op, DiffOp::Equal { .. }) {
            let sections = other.sections()[op.new_range()].iter();
            let strangers = sections.filter(|section| one.get(&section.name).is_none());
            findings.extend(strangers.map(Finding::OnlyOther));
        }
    }
    findings
}

fn names(rendered: &Rendered) -> Vec<&str> {
    rendered.iter().map(|section| &*section.name).collect()
}

fn write(out: &mut impl Write, finding: &Finding<'_>) -> io::Result<()> {
    match finding {
        Finding::Pair(one, other) if one.text == other.text => {
            head(out, "=", &one.name, &format!("same, {} bytes", grouped(one.bytes())))
        }
        Finding::Pair(one, other) => changed(out, one, other),
        Finding::OnlyOne(section) => alone(out, "-", section, "first"),
        Finding::OnlyOther(section) => alone(out, "+", section, "second"),
    }
}

fn changed(out: &mut impl Write, one: &Section, other: &Section) -> io::Result<()> {
    let sizes = format!("{} to {} bytes", grouped(one.bytes()), grouped(other.bytes()));
    head(out, "~", &one.name, &format!("changed, {sizes}"))?;
    let diff = TextDiff::from_lines(&*one.text, &*other.text);
    for group in diff.grouped_ops(AROUND) {
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Delete => "-",
                ChangeTag::Insert => "+",
                ChangeTag::Equal => " ",
            };
            line(out, sign, change.value())?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn alone(out: &mut impl Write, sign: &str, section: &Section, side: &str) -> io::Result<()> {
    head(
        out,
        sign,
        &section.name,
        &format!("only in the {side}, {} bytes", grouped(section.bytes())),
    )?;
    for text in section.text.lines() {
        line(out, sign, text)?;
    }
    writeln!(out)
}

fn head(out: &mut impl Write, sign: &str, name: &str, what: &str) -> io::Result<()> {
    writeln!(out, "{sign} {}: {what}", readable(name))
}

fn line(out: &mut impl Write, sign: &str, text: &str) -> io::Result<()> {
    writeln!(out, "    {sign} {}", readable(text.trim_end_matches('\n')))
}
