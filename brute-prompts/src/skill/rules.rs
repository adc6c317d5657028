//! The rules of the format for names, descriptions and compatibility notes.

use unicode_normalization::UnicodeNormalization;

use super::fault::Fault;
use crate::pattern::Pattern;

/// The longest name, in characters.
pub const MAX_NAME_CHARS: usize = 64;
/// The longest description, in characters.
pub const MAX_DESCRIPTION_CHARS: usize = 1024;
/// The longest compatibility note, in characters.
pub const MAX_COMPATIBILITY_CHARS: usize = 500;

/// The characters of a name. General categories, because the reference reads "letters and digits"
/// that way: a vowel sign is no letter.
static NAME: Pattern = Pattern::new(r"^[\p{L}\p{N}-]+$");

/// Checks a name against the format and against the name of its folder.
pub(crate) fn name_faults(name: &str, folder: &str) -> Vec<Fault> {
    let name: String = name.trim().nfkc().collect();
    if name.is_empty() {
        return vec![Fault::new(
            "name_missing",
            "the name is missing; add `name: ` and the name of the folder",
        )];
    }
    let folder: String = folder.nfkc().collect();
    let faults = [name_length(&name), name_form(&name), name_place(&name, &folder)];
    faults.into_iter().flatten().collect()
}

/// Checks a description as written.
pub(crate) fn description_fault(description: &str) -> Option<Fault> {
    if description.trim().is_empty() {
        let message = "the description is missing; say what the skill does and when to use it";
        return Some(Fault::new("description_missing", message));
    }
    too_long("description", description, MAX_DESCRIPTION_CHARS)
}

/// Checks a compatibility note as written.
pub(crate) fn compatibility_fault(compatibility: &str) -> Option<Fault> {
    too_long("compatibility", compatibility, MAX_COMPATIBILITY_CHARS)
}

fn name_length(name: &str) -> Option<Fault> {
    too_long("name", name, MAX_NAME_CHARS)
}

fn name_form(name: &str) -> Option<Fault> {
    let lower = name.to_lowercase() == name;
    let edges = !name.starts_with('-') && !name.ends_with('-');
    if lower && edges && !name.contains("--") && NAME.is_match(name) {
        return None;
    }
    let message = format!(
        "the name {name:?} may hold lower-case letters, digits and single hyphens inside it, nothing else"
    );
    Some(Fault::new("name_invalid", message))
}

fn name_place(name: &str, folder: &str) -> Option<Fault> {
    let message =
        format!("the name {name:?} differs from its folder {folder:?}; rename one of them");
    (name != folder).then(|| Fault::new("name_mismatch", message))
}

fn too_long(field: &str, text: &str, limit: usize) -> Option<Fault> {
    let kind = match field {
        "name" => "name_too_long",
        "description" => "description_too_long",
        _ => "compatibility_too_long",
    };
    let chars = text.chars().count();
    let message = format!("the {field} has {chars} characters; the format allows {limit}");
    (chars > limit).then(|| Fault::new(kind, message))
}
