//! The sections of a prompt as a table.

use std::{
    io::{self, Write},
    sync::Arc,
};

use anstyle::Style;
use brute_core::{Message, Role, Section, Zone};
use brute_prompts::estimated_tokens;

const DIM: Style = Style::new().dimmed();

/// Writes a line for each section, and one for all of them.
pub(crate) fn write(out: &mut impl Write, messages: &[Arc<Message>]) -> io::Result<()> {
    let rows = || {
        messages
            .iter()
            .flat_map(|message| message.sections().map(|section| (message.role, section)))
    };
    let width = rows().map(|(_, section)| section.name.chars().count()).max().unwrap_or(0).max(7);
    writeln!(out, "{DIM}{:width$}  zone       bytes  ~tokens{DIM:#}", "section")?;
    for (role, section) in rows() {
        row(out, width, &section.name, place(role, section), &section.text)?;
    }
    let whole: Vec<_> = messages.iter().map(|message| message.text()).collect();
    write!(out, "{DIM}")?;
    row(out, width, "total", "", &whole.join("\n\n"))?;
    write!(out, "{DIM:#}")
}

fn row(out: &mut impl Write, width: usize, name: &str, zone: &str, text: &str) -> io::Result<()> {
    let (bytes, tokens) = (text.len(), estimated_tokens(text));
    writeln!(out, "{name:width$}  {zone:8}  {bytes:6}  {tokens:7}")
}

/// Says how long a section stays as it is; a reminder goes with its call.
fn place(role: Role, section: &Section) -> &'static str {
    match (role, section.zone) {
        (Role::System, Zone::Static) => "static",
        (Role::System, Zone::Session) => "session",
        (Role::System, Zone::Dynamic) => "dynamic",
        _ => "one call",
    }
}
