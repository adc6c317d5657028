//! What of a prompt stands in messages beside the system message.

use std::{collections::BTreeSet, sync::Arc};

use crate::{InstructionPlacement, stacks::reminder};

/// The section that holds instruction files; they move one by one, and never as one section.
const INSTRUCTIONS: &str = "instructions";

/// The messages in front of all others, in this order.
const FIRST: [&str; 2] = ["environment", "skills"];

/// What stands beside the system message.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beside {
    /// Where the instruction files stand.
    pub(crate) instructions: InstructionPlacement,
    /// The other sections that are messages of their own.
    sections: BTreeSet<Arc<str>>,
}

impl Beside {
    /// Lets the section of this name be a developer message.
    pub(crate) fn add(&mut self, name: &str) {
        if name == INSTRUCTIONS {
            self.instructions = InstructionPlacement::Developer;
        } else {
            self.sections.insert(name.into());
        }
    }

    /// Returns the names of the sections, besides that of the instruction files.
    pub(crate) fn sections(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(|name| &**name)
    }

    /// Returns true where the whole section is a message; a reminder has a place of its own.
    pub(crate) fn takes(&self, section: &str) -> bool {
        self.sections.contains(section) && reminder(section).is_none()
    }
}

/// Returns where the message of a section stands among those of others.
pub(crate) fn rank(section: &str) -> usize {
    FIRST.iter().position(|first| *first == section).unwrap_or(FIRST.len())
}
