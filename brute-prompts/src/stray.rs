//! Words laid over a module that nobody names: most often a typo, which would do nothing.

use std::collections::BTreeSet;

use crate::{
    Contributed, Family, Module, PromptContext, PromptError, PromptErrorKind, Texts,
    edit::Edit,
    plan::{Base, Plan},
};

/// The beginning of the names of agent prompts, which are asked for by name.
const AGENT: &str = "agent_";

impl Plan {
    /// Fails where a host brought words for a module that neither ships nor is named.
    pub(crate) fn ensure_no_strays(&self) -> Result<(), PromptError> {
        let Some(named) = self.named() else { return Ok(()) };
        let shipped = Texts::shipped();
        let is_stray = |module: &&str| {
            let is_named = named.contains(*module) || module.starts_with(AGENT);
            !shipped.contains(module) && !is_named && !self.texts.is_taken_in(module)
        };
        match self.texts.modules().find(is_stray) {
            Some(module) => Err(self.stray(module, &named)),
            None => Ok(()),
        }
    }

    fn stray(&self, module: &str, named: &BTreeSet<String>) -> PromptError {
        let message = format!("there are words for `{module}`, but no module of that name");
        let shipped = Texts::shipped();
        let known: BTreeSet<&str> =
            shipped.modules().chain(named.iter().map(String::as_str)).collect();
        let error = PromptError::new(PromptErrorKind::UnknownModule, message).with_known(known);
        match self.texts.any_file(module) {
            Some(file) => error.in_file(file),
            None => error,
        }
    }

    /// Returns the names that the host's own modules go by, and those of their words; nothing
    /// where a closure or a contribution has not said yet which they are.
    fn named(&self) -> Option<BTreeSet<String>> {
        let base = match &self.base {
            Base::Built(_) => return None,
            Base::Modules(modules) => modules.as_slice(),
            Base::Stacks(_) => &[],
        };
        let stacks = self.stacks.values().flatten();
        let edits = self.edits.iter().filter_map(Edit::module);
        let mut names: BTreeSet<String> =
            base.iter().chain(stacks).chain(edits).flat_map(names_of).collect();
        for contributed in self.contributed()? {
            let modules = [contributed.sections, contributed.prefix, contributed.suffix].concat();
            names.extend(modules.iter().flat_map(names_of));
        }
        Some(names)
    }

    /// Returns what the contributions add where nothing is known but the family.
    fn contributed(&self) -> Option<Vec<Contributed>> {
        let families: Vec<_> = Family::ALL.into_iter().chain(self.stacks.keys().cloned()).collect();
        self.contributions.foreseen(&PromptContext::default(), &families)
    }
}

fn names_of(module: &Module) -> [String; 2] {
    [module.name().to_owned(), module.words_name().to_owned()]
}
