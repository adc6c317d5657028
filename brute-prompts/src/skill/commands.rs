//! Commands of the host, which come before skills.

use std::{fmt, sync::Arc};

use regex::Regex;

use super::slash::{SlashCommand, parse};

type Condition = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// A registry: the first command whose condition holds for the input is the one.
///
/// `H` is what the host does with it, such as a function.
///
/// ```
/// use brute_prompts::skill::Commands;
///
/// let commands = Commands::new().on("clear", "empties the log").on("model", "changes the model");
/// let (action, command) = commands.find("/model small").unwrap();
/// assert_eq!((*action, command.arguments), ("changes the model", "small"));
/// assert!(commands.find("/modelling").is_none());
/// ```
#[derive(Clone)]
pub struct Commands<H> {
    entries: Vec<(Match, H)>,
}

#[derive(Clone)]
enum Match {
    Name(String),
    Pattern(Regex),
    Condition(Condition),
}

impl<H> Default for Commands<H> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<H> Commands<H> {
    /// Returns a registry without commands.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a command by its name, with or without the slash.
    #[must_use]
    pub fn on(self, name: &str, handler: H) -> Self {
        self.add(Match::Name(name.trim_start_matches('/').to_owned()), handler)
    }

    /// Adds a command for every input that matches a pattern.
    #[must_use]
    pub fn on_match(self, pattern: Regex, handler: H) -> Self {
        self.add(Match::Pattern(pattern), handler)
    }

    /// Adds a command for every input for which the condition holds.
    #[must_use]
    pub fn when(
        self,
        condition: impl Fn(&str) -> bool + Send + Sync + 'static,
        handler: H,
    ) -> Self {
        self.add(Match::Condition(Arc::new(condition)), handler)
    }

    /// Returns the first command that the input calls.
    ///
    /// Input that does not have the form of a command, and matches by pattern or condition, is all
    /// arguments.
    pub fn find<'a>(&self, input: &'a str) -> Option<(&H, SlashCommand<'a>)> {
        let command = leading(input);
        let (_, handler) = self.entries.iter().find(|(matches, _)| match matches {
            Match::Name(name) => command.is_some_and(|command| command.name == name),
            Match::Pattern(pattern) => pattern.is_match(input),
            Match::Condition(condition) => condition(input),
        })?;
        let all = SlashCommand { name: "", arguments: input.trim() };
        Some((handler, parse(input).or(command).unwrap_or(all)))
    }

    /// Returns the names of the commands that have one.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().filter_map(|(matches, _)| match matches {
            Match::Name(name) => Some(name.as_str()),
            Match::Pattern(_) | Match::Condition(_) => None,
        })
    }

    fn add(mut self, matches: Match, handler: H) -> Self {
        self.entries.push((matches, handler));
        self
    }
}

impl<H> fmt::Debug for Commands<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Commands")
            .field("names", &self.names().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// Splits at the first white space, without the rules that a skill's name must follow.
fn leading(input: &str) -> Option<SlashCommand<'_>> {
    let rest = input.trim_start().strip_prefix('/')?;
    let (name, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    Some(SlashCommand { name, arguments: arguments.trim() })
}
