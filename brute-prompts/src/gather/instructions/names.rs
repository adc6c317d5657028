//! What instruction files are called, for which family.

use std::collections::BTreeMap;

use crate::Family;

/// Which names instruction files have: one for all families, and each family's own.
///
/// # Example
///
/// ```
/// use brute_prompts::{Family, gather::InstructionNames};
///
/// let mistral: Family = "mistral".parse()?;
/// let names = InstructionNames::default().family(&mistral, ["MISTRAL.md"]);
/// assert_eq!(names.of(&mistral), ["AGENTS.md", "MISTRAL.md"]);
/// assert_eq!(names.of(&Family::ANTHROPIC), ["AGENTS.md", "CLAUDE.md"]);
/// assert_eq!(names.of(&Family::DEFAULT), ["AGENTS.md"]);
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstructionNames {
    common: Vec<String>,
    own: BTreeMap<Family, Vec<String>>,
}

impl InstructionNames {
    /// Returns these names for every family.
    pub fn new<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        let common = names.into_iter().map(Into::into).collect();
        Self { common, own: BTreeMap::new() }
    }

    /// Gives a family these names besides the common ones.
    #[must_use]
    pub fn family<N>(mut self, family: &Family, names: impl IntoIterator<Item = N>) -> Self
    where
        N: Into<String>,
    {
        self.own.insert(family.clone(), names.into_iter().map(Into::into).collect());
        self
    }

    /// Returns the names for a family, in the order in which they are looked for in a folder.
    pub fn of(&self, family: &Family) -> Vec<&str> {
        let own = self.own.get(family).into_iter().flatten();
        self.common.iter().chain(own).map(String::as_str).collect()
    }
}

impl Default for InstructionNames {
    fn default() -> Self {
        Self::new(["AGENTS.md"])
            .family(&Family::ANTHROPIC, ["CLAUDE.md"])
            .family(&Family::OPENAI, [".codex/instructions.md"])
            .family(&Family::GOOGLE, ["GEMINI.md"])
    }
}
