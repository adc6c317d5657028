//! Ties each line of a text to the tools that it names.

use std::{borrow::Cow, fmt::Write};

/// Returns the source with each line that prints a tool's name wrapped in a condition on it.
///
/// No line is added, so that the line numbers of errors stay true. A line with a tag of its own
/// is left to its author.
pub(crate) fn tie(source: &str) -> Cow<'_, str> {
    if !source.contains("tools.") {
        return Cow::Borrowed(source);
    }
    Cow::Owned(source.split_inclusive('\n').fold(Tied::default(), Tied::line).out)
}

#[derive(Default)]
struct Tied {
    out: String,
    raw: bool,
}

impl Tied {
    fn line(mut self, line: &str) -> Self {
        let has_tag = line.contains("{%");
        if has_tag {
            self.raw = is_raw_after(line, self.raw);
        }
        let tools = if has_tag || self.raw { Vec::new() } else { printed_tools(line) };
        if tools.is_empty() {
            self.out.push_str(line);
        } else {
            let condition = tools.join(" and tools.");
            let _ = write!(self.out, "{{% if tools.{condition} %}}{line}{{% endif %}}");
        }
        self
    }
}

/// Returns whether the text behind this line is raw, where template syntax means nothing.
fn is_raw_after(line: &str, before: bool) -> bool {
    let tags = line.split("{%").skip(1).filter_map(|tag| {
        let words = tag.trim_start_matches(['-', '+']).trim_start();
        words.split(|c: char| !c.is_ascii_alphabetic()).next()
    });
    tags.fold(before, |raw, tag| match tag {
        "raw" => true,
        "endraw" => false,
        _ => raw,
    })
}

/// Returns the tools that the line prints.
fn printed_tools(line: &str) -> Vec<&str> {
    let printed = line.split("{{").skip(1).filter_map(|rest| rest.split_once("}}"));
    printed.flat_map(|(expression, _)| named_tools(expression)).collect()
}

fn named_tools(expression: &str) -> impl Iterator<Item = &str> {
    let names = expression.split("tools.").skip(1);
    names.map(|rest| {
        rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("")
    })
}
