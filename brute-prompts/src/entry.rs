//! A place in the list of modules.

use std::{fmt, sync::Arc};

use crate::{
    Module, PromptContext, Zone,
    contribution::{Contributed, INTERACTION, PREFIX, SUFFIX},
    mode::is_minimal,
    stacks::{Reminder, reminder},
};

/// A question about the context.
#[derive(Clone)]
pub(crate) struct Condition(Arc<dyn Fn(&PromptContext) -> bool + Send + Sync>);

impl Condition {
    pub(crate) fn new<C>(condition: C) -> Self
    where
        C: Fn(&PromptContext) -> bool + Send + Sync + 'static,
    {
        Self(Arc::new(condition))
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Condition")
    }
}

/// A place in the list, and what stands there.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) module: Module,
    /// What stands in the place of the module, where it says something.
    pub(crate) over: Option<Module>,
    /// Whether the words come from a contribution, which may be unclean.
    pub(crate) is_contributed: bool,
    /// The zone in which the words stand, even if they hold for longer.
    pub(crate) least: Zone,
    /// Whether a host wants it in a minimal prompt.
    pub(crate) is_kept: bool,
    reminder: Option<Reminder>,
    pub(crate) conditions: Vec<Condition>,
}

impl Entry {
    pub(crate) fn new(module: Module) -> Self {
        let reminder = reminder(module.name());
        Self {
            module,
            over: None,
            is_contributed: false,
            least: Zone::Static,
            is_kept: false,
            reminder,
            conditions: Vec::new(),
        }
    }

    fn contributed(module: Module, least: Zone) -> Self {
        Self { is_contributed: true, least, is_kept: true, ..Self::new(module) }
    }

    /// Returns true where the entry stands behind all others and waits for its fact.
    pub(crate) fn is_reminder(&self) -> bool {
        self.reminder.is_some()
    }

    /// Returns true where every condition on the entry holds.
    pub(crate) fn holds(&self, ctx: &PromptContext) -> bool {
        self.reminder.is_none_or(|reminder| (reminder.holds)(ctx))
            && self.conditions.iter().all(|condition| (condition.0)(ctx))
    }

    fn stands_in_minimal(&self) -> bool {
        self.is_kept
            || self.is_reminder()
            || is_minimal(self.module.name())
            || self.module.stands_in_minimal()
    }
}

/// Returns where the module of this name stands.
pub(crate) fn position(entries: &[Entry], name: &str) -> Option<usize> {
    entries.iter().position(|entry| entry.module.name() == name)
}

/// Leaves what stands in a minimal prompt; the first entry says who the agent is.
pub(crate) fn retain_minimal(entries: &mut Vec<Entry>) {
    let mut is_first = true;
    entries.retain(|entry| std::mem::take(&mut is_first) || entry.stands_in_minimal());
}

/// Puts in what a provider or a model adds.
pub(crate) fn contribute(entries: &mut Vec<Entry>, contributed: Contributed) {
    let prefix = contributed.prefix.into_iter();
    let mut behind_first: Vec<Entry> =
        prefix.map(|module| Entry::contributed(module, Zone::Static)).collect();
    for module in contributed.sections {
        match position(entries, module.name()) {
            Some(at) => entries[at].over = Some(module),
            None if module.name() == INTERACTION => {
                let entry = Entry { is_kept: false, ..Entry::contributed(module, Zone::Static) };
                behind_first.insert(0, entry);
            }
            None => {}
        }
    }
    let suffix = contributed.suffix.into_iter();
    let suffix = suffix.map(|module| Entry::contributed(module, Zone::Dynamic));
    let at = position(entries, SUFFIX).unwrap_or(entries.len());
    entries.splice(at..at, suffix);
    let at = position(entries, PREFIX).unwrap_or(entries.len().min(1));
    entries.splice(at..at, behind_first);
}
