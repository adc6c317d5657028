//! Changes to a list of modules, made in the order in which the host asked for them.

use std::sync::Arc;

use crate::{
    Module, PromptError,
    entry::{Condition, Entry, position},
};

/// One change.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    Replace(Arc<str>, Module),
    Before(Arc<str>, Module),
    After(Arc<str>, Module),
    Without(Arc<str>),
    When(Arc<str>, Condition),
    Keep(Arc<str>),
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
            | Self::When(name, _)
            | Self::Keep(name) => Some(name),
            Self::Append(_) => None,
        }
    }

    /// Returns true where the change adds a module of this name to the list.
    pub(crate) fn adds(&self, name: &str) -> bool {
        match self {
            Self::Before(_, module) | Self::After(_, module) | Self::Append(module) => {
                module.name() == name
            }
            _ => false,
        }
    }

    /// Returns the module that the change brings in.
    pub(crate) fn module(&self) -> Option<&Module> {
        match self {
            Self::Replace(_, module)
            | Self::Before(_, module)
            | Self::After(_, module)
            | Self::Append(module) => Some(module),
            Self::Without(_) | Self::When(..) | Self::Keep(_) => None,
        }
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
            (Self::Keep(_), Some(at)) => entries[at].is_kept = true,
            (Self::Before(_, module), Some(at)) => insert(entries, at, module),
            (Self::After(_, module), Some(at)) => insert(entries, at + 1, module),
            (Self::Before(_, module) | Self::After(_, module) | Self::Append(module), _) => {
                insert(entries, entries.len(), module);
            }
            (Self::Replace(..) | Self::Without(_) | Self::When(..) | Self::Keep(_), None) => {}
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
