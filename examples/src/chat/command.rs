//! The commands of the conversation itself, which come before skills.

use std::io::{self, Write};

use brute_prompts::{
    plain,
    skill::{Commands, Skill},
};

use super::{BOLD, DIM};

/// A command of the conversation itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    Help,
    Plan,
    Build,
    Clear,
    Usage,
    Quit,
}

const OWN: [(Own, &str, &str); 6] = [
    (Own::Help, "help", "shows this"),
    (Own::Plan, "plan", "looks and plans from here on, and changes nothing"),
    (Own::Build, "build", "ends plan mode"),
    (Own::Clear, "clear", "forgets all that was said"),
    (Own::Usage, "usage", "shows tokens and cost so far"),
    (Own::Quit, "quit", "leaves"),
];

/// How many characters of a description are shown.
const SHOWN: usize = 70;

/// Finds the own command that a line calls, and what follows it.
pub(super) fn find(line: &str) -> Option<(Own, &str)> {
    let commands = Commands::new();
    let commands = OWN.iter().fold(commands, |commands, (own, name, _)| commands.on(name, *own));
    commands.find(line).map(|(own, command)| (*own, command.arguments))
}

/// Returns all commands, with their slash.
pub(super) fn names(skills: &[Skill]) -> Vec<String> {
    let own = OWN.iter().map(|(_, name, _)| format!("/{name}"));
    own.chain(typable(skills).map(|skill| format!("/{}", skill.name))).collect()
}

/// Shows all commands.
pub(super) fn write_help(out: &mut impl Write, skills: &[Skill]) -> io::Result<()> {
    for (_, name, what) in OWN {
        writeln!(out, "  {BOLD}/{name:<8}{BOLD:#} {what}")?;
    }
    if typable(skills).next().is_some() {
        writeln!(out, "\n{DIM}Skills, which take what follows{DIM:#}")?;
    }
    for skill in typable(skills) {
        writeln!(out, "  {BOLD}/{}{BOLD:#} {}", skill.name, shortened(&skill.description))?;
    }
    let keys = "/plan and /build ask what follows them; Ctrl-C stops a turn, Ctrl-D leaves";
    writeln!(out, "\n{DIM}{keys}{DIM:#}\n")
}

/// Returns the skills whose names are words that no own command has.
fn typable(skills: &[Skill]) -> impl Iterator<Item = &Skill> {
    let is_word = |name: &str| !name.contains(|c: char| c.is_whitespace() || c.is_control());
    let is_free = |name: &str| OWN.iter().all(|(_, own, _)| *own != name);
    skills.iter().filter(move |skill| is_word(&skill.name) && is_free(&skill.name))
}

fn shortened(description: &str) -> String {
    let text = plain::collapsed(description);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}
