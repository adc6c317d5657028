//! Changes to a list of modules, made in the order in which the host asked for them.

use std::{fmt, sync::Arc};

use crate::{
    Module, PromptContext, PromptError,
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

/// One change.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    Replace(Arc<str>, Module),
    Before(Arc<str>, Module),
    After(Arc<str>, Module),
    Without(Arc<str>),
    When(Arc<str>, Condition),
    Append(Module),
}

impl Edit {
    /// Returns the name that must be known for the change to make sense.
    fn target(&self) -> Option<&str> {
        match self {
            Self::Replace(name, _)
            | Self::Before(name, _)
            | Self::After(name, _)
            | Self::Without(name)
            | Self::When(name, _) => Some(name),
            Self::Append(_) => None,
        }
    }

    /// Returns the module that the change brings in.
    pub(crate) fn module(&self) -> Option<&Module> {
        match self {
            Self::Replace(_, module)
            | Self::Before(_, module)
            | Self::After(_, module)
            | Self::Append(module) => Some(module),
            Self::Without(_) | Self::When(..) => None,
        }
    }
}

/// A place in the list.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) module: Module,
    reminder: Option<Reminder>,
    conditions: Vec<Condition>,
}

impl Entry {
    pub(crate) fn new(module: Module) -> Self {
        let reminder = reminder(module.name());
        Self { module, reminder, conditions: Vec::new() }
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
}

/// Makes the changes in order; `ensure_known` is asked about each target that is not in the list.
pub(crate) fn apply(
    entries: &mut Vec<Entry>,
    edits: &[Edit],
    ensure_known: impl Fn(&str) -> Result<(), PromptError>,
) -> Result<(), PromptError> {
    for edit in edits {
        let target = edit.target();
        let at = target.and_then(|name| position(entries, name));
        if let (Some(name), None) = (target, at) {
            ensure_known(name)?;
        }
        edit.make(entries, at);
    }
    Ok(())
}

impl Edit {
    fn make(&self, entries: &mut Vec<Entry>, at: Option<usize>) {
        match (self, at) {
            (Self::Replace(name, module), Some(at)) => {
                entries[at].module = module.clone().named(name.clone());
            }
            (Self::Without(_), Some(at)) => drop(entries.remove(at)),
            (Self::When(_, condition), Some(at)) => entries[at].conditions.push(condition.clone()),
            (Self::Before(_, module), Some(at)) => insert(entries, at, module),
            (Self::After(_, module), Some(at)) => insert(entries, at + 1, module),
            (Self::Before(_, module) | Self::After(_, module) | Self::Append(module), _) => {
                insert(entries, entries.len(), module);
            }
            (Self::Replace(..) | Self::Without(_) | Self::When(..), None) => {}
        }
    }
}

/// Inserts the module; a reminder that is in the list already moves instead of standing twice.
fn insert(entries: &mut Vec<Entry>, at: usize, module: &Module) {
    let entry = Entry::new(module.clone());
    let twin = position(entries, module.name()).filter(|_| entry.is_reminder());
    entries.insert(at, entry);
    if let Some(twin) = twin {
        entries.remove(if twin < at { twin } else { twin + 1 });
    }
}

fn position(entries: &[Entry], name: &str) -> Option<usize> {
    entries.iter().position(|entry| entry.module.name() == name)
}
