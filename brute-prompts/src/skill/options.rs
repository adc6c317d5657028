//! How to look for skills, and which of them to offer.

use std::{collections::BTreeSet, sync::Arc};

use super::{DuplicatePolicy, MAX_FILE_BYTES, Machine, Skill, ThisMachine, Validation};

/// How to look for skills, and which of them to offer.
#[derive(Clone, Debug)]
pub struct DiscoverOptions {
    /// How many levels of folders are entered below a root; 1 means direct children only.
    pub max_depth: usize,
    /// How many folders are entered at most, all roots together.
    pub max_folders: usize,
    /// The largest file that is read, in bytes.
    pub max_file_bytes: u64,
    /// Which of several skills of one name is kept.
    pub duplicates: DuplicatePolicy,
    /// How much a file may deviate from the format.
    pub validation: Validation,
    /// The names on offer; `None` means all, an empty set none.
    pub allowed: Option<BTreeSet<String>>,
    /// Names that are switched off.
    pub disabled: BTreeSet<String>,
    /// What answers the questions of the gates; `None` lets every gate pass.
    pub machine: Option<Arc<dyn Machine>>,
}

impl Default for DiscoverOptions {
    fn default() -> Self {
        Self {
            max_depth: 6,
            max_folders: 50_000,
            max_file_bytes: MAX_FILE_BYTES,
            duplicates: DuplicatePolicy::default(),
            validation: Validation::default(),
            allowed: None,
            disabled: BTreeSet::new(),
            machine: Some(Arc::new(ThisMachine::default())),
        }
    }
}

impl DiscoverOptions {
    /// Sets how many levels are entered.
    #[must_use]
    pub fn max_depth(mut self, levels: usize) -> Self {
        self.max_depth = levels;
        self
    }

    /// Sets how many folders are entered at most.
    #[must_use]
    pub fn max_folders(mut self, folders: usize) -> Self {
        self.max_folders = folders;
        self
    }

    /// Sets what happens to skills of one name.
    #[must_use]
    pub fn duplicates(mut self, policy: DuplicatePolicy) -> Self {
        self.duplicates = policy;
        self
    }

    /// Sets how much a file may deviate from the format.
    #[must_use]
    pub fn validation(mut self, validation: Validation) -> Self {
        self.validation = validation;
        self
    }

    /// Offers skills of these names only; none given means none offered.
    #[must_use]
    pub fn allow<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.allowed = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Switches skills of these names off.
    #[must_use]
    pub fn disable<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.disabled.extend(names.into_iter().map(Into::into));
        self
    }

    /// Sets what answers the questions of the gates.
    #[must_use]
    pub fn machine(mut self, machine: impl Machine + 'static) -> Self {
        self.machine = Some(Arc::new(machine));
        self
    }

    /// Returns why a skill is not on offer.
    pub(crate) fn objection(&self, skill: &Skill) -> Option<String> {
        if self.disabled.contains(&skill.name) {
            return Some("it is switched off".into());
        }
        if self.allowed.as_ref().is_some_and(|allowed| !allowed.contains(&skill.name)) {
            return Some("it is not among the skills that are allowed".into());
        }
        skill.gates.unmet(self.machine.as_deref()?)
    }
}
