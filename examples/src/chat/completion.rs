//! Completes the commands that a line may begin with.

use rustyline::{
    Context, Helper, Result, completion::Completer, highlight::Highlighter, hint::Hinter,
    validate::Validator,
};

/// The commands that can be typed, with their slash.
pub(super) struct Commands(Vec<String>);

impl Commands {
    pub(super) fn new(names: &[String]) -> Self {
        Self(names.to_vec())
    }
}

impl Completer for Commands {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> Result<(usize, Vec<String>)> {
        Ok(candidates(&self.0, line.get(..position).unwrap_or_default()))
    }
}

/// Returns where the command begins, and those that begin like it.
fn candidates(names: &[String], typed: &str) -> (usize, Vec<String>) {
    let word = typed.trim_start();
    let is_command = word.starts_with('/') && !word.contains(char::is_whitespace);
    let fitting = names.iter().filter(|name| is_command && name.starts_with(word));
    (typed.len() - word.len(), fitting.map(|name| format!("{name} ")).collect())
}

impl Helper for Commands {}
impl Highlighter for Commands {}
impl Validator for Commands {}

impl Hinter for Commands {
    type Hint = String;
}
