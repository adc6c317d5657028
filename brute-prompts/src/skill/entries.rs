//! What lies in a folder, and what of it matters to a search.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, FileType},
    io,
    path::Path,
};

/// The name that a skill file should have.
pub(crate) const FILE_NAME: &str = "SKILL.md";

/// One entry of a folder.
pub(crate) struct Entry {
    pub(crate) name: OsString,
    pub(crate) kind: FileType,
}

impl Entry {
    pub(crate) fn is_skill_file(&self) -> bool {
        !self.kind.is_dir() && is_skill_file(&self.name)
    }

    /// Tells whether skills may lie below: not in hidden folders, not in installed packages.
    pub(crate) fn may_lead_on(&self) -> bool {
        let skipped = self.name.as_encoded_bytes().starts_with(b".") || self.name == "node_modules";
        !skipped && (self.kind.is_dir() || self.kind.is_symlink())
    }
}

/// Lists a folder by name, so that the order of the disk does not matter.
pub(crate) fn entries(folder: &Path) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        entries.push(Entry { kind: entry.file_type()?, name: entry.file_name() });
    }
    entries.sort_unstable_by(|left, right| left.name.cmp(&right.name));
    Ok(entries)
}

/// Tells whether a name is that of a skill file, in whatever case.
pub(crate) fn is_skill_file(name: &OsStr) -> bool {
    name.eq_ignore_ascii_case(FILE_NAME)
}
