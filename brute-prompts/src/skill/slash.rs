//! Slash commands in what a user wrote.

use std::borrow::Cow;

use regex::NoExpand;
use serde::{Deserialize, Serialize};

use super::Skill;
use crate::{Diagnostic, pattern::Pattern};

/// What stands at the start of an input: the name behind the slash, and the rest, trimmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlashCommand<'a> {
    /// The name, without the slash.
    pub name: &'a str,
    /// Everything after the name, over as many lines as there are.
    pub arguments: &'a str,
}

/// How commands are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExpandOptions {
    /// Whether arguments are put behind a text that has no place for them; else they are dropped.
    pub append_arguments: bool,
    /// What a name means that no skill has.
    pub unknown: UnknownCommand,
}

/// What happens to input that has the form of a command and names no skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownCommand {
    /// It stays as it is, and the caller is told.
    #[default]
    Literal,
    /// It is an error, provided that there are skills at all.
    Error,
}

/// Why an input could not be expanded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExpandError {
    /// No skill has the name, and that was to be an error.
    #[error("unknown skill {name:?}; known skills: {}", known.join(", "))]
    Unknown {
        /// The name that was called.
        name: String,
        /// The names that can be called.
        known: Vec<String>,
    },
    /// The text of the skill could not be read.
    #[error("{0}")]
    Body(Diagnostic),
}

/// What became of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// It begins with no command and stays as it is.
    Plain,
    /// It calls a skill, whose text takes its place.
    Expanded {
        /// The name of the skill.
        skill: String,
        /// The text of the skill, with the arguments in it.
        text: String,
    },
    /// It has the form of a command, but no skill has the name; it may be a path of one part.
    Unknown {
        /// The name that was called.
        name: String,
    },
}

static COMMAND: Pattern = Pattern::new(r"^\s*/([a-z][a-z0-9_-]*)(?:\s|$)");

static PLACEHOLDER: Pattern = Pattern::new(r"\{\{[ \t]*user_input[ \t]*\}\}");

/// Returns the command at the start of an input, if there is one.
///
/// The name begins with a lower-case letter and ends at white space or at the end; so paths,
/// comments and `/name, please` are no commands.
pub fn parse(input: &str) -> Option<SlashCommand<'_>> {
    let found = COMMAND.regex()?.captures(input)?.get(1)?;
    Some(SlashCommand { name: found.as_str(), arguments: input[found.end()..].trim() })
}

/// Expands an input that begins with the name of a skill, whose text is read from its file.
///
/// Skills that people may not call are unknown here.
///
/// # Errors
///
/// A name that no skill has, where the options make that an error, and a file that cannot be read.
pub fn expand(
    input: &str,
    skills: &[Skill],
    options: ExpandOptions,
) -> Result<Expansion, ExpandError> {
    let known = || skills.iter().filter(|skill| skill.user_invocable);
    let Some(command) = parse(input) else { return Ok(Expansion::Plain) };
    if let Some(skill) = known().find(|skill| skill.name == command.name) {
        let body = skill.load_body().map_err(ExpandError::Body)?;
        let text = fill(&body, command.arguments, options);
        return Ok(Expansion::Expanded { skill: skill.name.clone(), text });
    }
    let name = command.name.to_owned();
    let known: Vec<_> = known().map(|skill| skill.name.clone()).collect();
    if options.unknown == UnknownCommand::Error && !known.is_empty() {
        return Err(ExpandError::Unknown { name, known });
    }
    Ok(Expansion::Unknown { name })
}

/// Puts arguments in every place that a text has for them.
///
/// They go in as they are and are not looked at again; nothing else in the text is touched.
///
/// ```
/// use brute_prompts::skill::{ExpandOptions, fill};
///
/// let text = fill("For {{user_input}}: ${{ matrix.os }}", "cost {{user_input}}", ExpandOptions::default());
/// assert_eq!(text, "For cost {{user_input}}: ${{ matrix.os }}");
/// ```
pub fn fill(body: &str, arguments: &str, options: ExpandOptions) -> String {
    let place = PLACEHOLDER.regex();
    let filled = place.map(|place| place.replace_all(body, NoExpand(arguments)));
    match filled.unwrap_or(Cow::Borrowed(body)) {
        Cow::Owned(filled) => filled,
        Cow::Borrowed(body) if arguments.is_empty() || !options.append_arguments => body.to_owned(),
        Cow::Borrowed(body) => format!("{}\n\n{arguments}", body.trim_end()),
    }
}
