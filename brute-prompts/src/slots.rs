//! What the words of a module must have a place for.

use std::collections::HashSet;

use crate::{PromptError, PromptErrorKind};

/// The modules that are there to say something that is given, and the names it goes by.
const SLOTS: [(&str, &[&str]); 6] = [
    ("git_status", &["git"]),
    ("instructions", &["custom_rules", "instructions"]),
    ("recent_notes", &["recent_notes"]),
    ("skills", &["skills"]),
    ("skills_bullets", &["skills"]),
    ("workspace_files", &["workspace_files"]),
];

/// Refuses words that would lose what their module is there to say; blank ones mean to.
pub(crate) fn check(
    module: &str,
    label: &str,
    template: &minijinja::Template<'_, '_>,
) -> Result<(), PromptError> {
    let source = template.source();
    let Some((_, slots)) = SLOTS.iter().find(|(name, _)| *name == module) else { return Ok(()) };
    // What an included text has a place for is not told here.
    if source.trim().is_empty() || source.contains("{% include") {
        return Ok(());
    }
    let named: HashSet<String> = template.undeclared_variables(false);
    if slots.iter().any(|slot| named.contains(*slot)) {
        return Ok(());
    }
    let slots = slots.join(" or ");
    let message = format!(
        "the text has no place for {slots}, which would be lost: use it, or leave the file empty"
    );
    Err(PromptError::new(PromptErrorKind::MissingSlot, message).in_section(module).in_file(label))
}
