//! Says which part of a path is missing and which names there are like it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use brute_core::Error;

use super::{Place, tool_error};

/// How many similar names are given.
const SUGGESTIONS: usize = 3;

/// How many letters a similar name may differ in.
const DISTANCE: usize = 3;

/// How many names of a directory are compared.
const COMPARED: usize = 10_000;

impl Place {
    /// Says that a path is missing, from which part on, and what is there instead.
    pub(super) fn missing(&self, path: &Path) -> Error {
        if fs::symlink_metadata(path).is_ok() {
            return tool_error(format!("{} is a link to nothing", self.show(path)));
        }
        let gap = first_missing(path);
        let mut parts = vec![format!("{} does not exist", self.show(path))];
        if gap != path {
            parts.push(format!("there is no {}", self.show(gap)));
        }
        let similar: Vec<_> = similar(gap).iter().map(|name| self.show(name)).collect();
        if !similar.is_empty() {
            parts.push(format!("similar names: {}", similar.join(", ")));
        }
        tool_error(parts.join("; "))
    }
}

/// Returns the uppermost part of a missing path that is itself missing.
fn first_missing(path: &Path) -> &Path {
    let is_missing = |part: &&Path| fs::symlink_metadata(part).is_err();
    path.ancestors().take_while(is_missing).last().unwrap_or(path)
}

/// Returns the paths beside a missing one whose names are most like its name.
fn similar(missing: &Path) -> Vec<PathBuf> {
    let Some((directory, name)) = missing.parent().zip(missing.file_name()) else {
        return Vec::new();
    };
    let name = name.to_string_lossy().to_lowercase();
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut similar: Vec<_> = entries
        .take(COMPARED)
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            Some((distance(&name, &path.file_name()?.to_string_lossy())?, path))
        })
        .collect();
    similar.sort();
    similar.into_iter().take(SUGGESTIONS).map(|(_, path)| path).collect()
}

/// Counts the letters in which two names differ, unless they have too little in common.
fn distance(wanted: &str, name: &str) -> Option<usize> {
    let longer = wanted.chars().count().max(name.chars().count());
    let distance = strsim::levenshtein(wanted, &name.to_lowercase());
    (distance <= DISTANCE && distance < longer).then_some(distance)
}
