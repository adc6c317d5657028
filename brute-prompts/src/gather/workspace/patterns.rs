//! Finds files of a workspace by pattern.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use globset::{GlobBuilder, GlobMatcher};

use super::candidates::{WORKSPACE_FILES, file_name};
use crate::{Diagnostic, Severity, gather::read::is_missing};

/// How many entries of folders are looked at for one pattern.
const MAX_ENTRIES: usize = 10_000;

/// How deep a pattern with `**` goes.
const MAX_DEPTH: usize = 8;

/// Returns the files that match the pattern, sorted by path.
pub(super) fn matching(
    root: &Path,
    pattern: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<PathBuf> {
    let mut report = |kind, message: String| {
        let (path, severity) = (root.join(pattern), Severity::Warning);
        diagnostics.push(Diagnostic { path, kind, severity, message });
    };
    let matcher = match matcher(pattern) {
        Ok(matcher) => matcher,
        Err((kind, message)) => {
            report(kind, message);
            return Vec::new();
        }
    };
    let base = literal_base(pattern);
    let mut search = Search { root, matcher, left: MAX_ENTRIES, found: Vec::new() };
    if let Err(error) = search.folder(&root.join(base), depth(pattern, base)) {
        report("io", format!("a folder cannot be read: {error}"));
    }
    let (mut known, others): (Vec<_>, Vec<_>) =
        search.found.into_iter().partition(|path| is_known(&file_name(path)));
    known.sort();
    if !others.is_empty() {
        let message = format!("{} files match that are not called so: {}", others.len(), names());
        report("invalid-name", message);
    } else if known.is_empty() {
        report("missing", "no file matches the pattern".to_owned());
    }
    known
}

fn names() -> String {
    WORKSPACE_FILES.join(", ")
}

fn is_known(name: &str) -> bool {
    WORKSPACE_FILES.contains(&name)
}

fn matcher(pattern: &str) -> Result<GlobMatcher, (&'static str, String)> {
    let is_inside = Path::new(pattern)
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !is_inside {
        return Err(("security", "the pattern leads out of the workspace".to_owned()));
    }
    let name = pattern.rsplit('/').next().unwrap_or(pattern);
    if !name.contains(['*', '?', '{']) && !is_known(name) {
        return Err(("invalid-name", format!("the pattern must end in one of {}", names())));
    }
    let literal = pattern.trim_start_matches("./").replace('[', "\\[").replace(']', "\\]");
    let glob = GlobBuilder::new(&literal).literal_separator(true).backslash_escape(true).build();
    glob.map(|glob| glob.compile_matcher())
        .map_err(|error| ("invalid-name", format!("the pattern is not valid: {error}")))
}

/// Returns the folders in front of the first part with a wildcard.
fn literal_base(pattern: &str) -> &str {
    let wild = pattern.find(['*', '?', '{']).unwrap_or(pattern.len());
    &pattern[..pattern[..wild].rfind('/').unwrap_or(0)]
}

/// Returns how many folders deep below its base a pattern reaches.
fn depth(pattern: &str, base: &str) -> usize {
    if pattern.contains("**") {
        return MAX_DEPTH;
    }
    pattern[base.len()..].trim_start_matches('/').matches('/').count()
}

struct Search<'a> {
    root: &'a Path,
    matcher: GlobMatcher,
    left: usize,
    found: Vec<PathBuf>,
}

impl Search<'_> {
    fn folder(&mut self, folder: &Path, depth: usize) -> io::Result<()> {
        let mut entries = match fs::read_dir(folder) {
            Ok(entries) => entries.filter_map(Result::ok).collect::<Vec<_>>(),
            Err(error) if is_missing(&error) => return Ok(()),
            Err(error) => return Err(error),
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            if self.left == 0 {
                return Err(io::Error::other("the pattern reaches too many files"));
            }
            self.left -= 1;
            self.entry(&entry, depth)?;
        }
        Ok(())
    }

    /// Links to folders are not followed, so that the search ends and stays inside.
    fn entry(&mut self, entry: &fs::DirEntry, depth: usize) -> io::Result<()> {
        let path = entry.path();
        let is_folder = entry.file_type()?.is_dir();
        if is_folder && depth > 0 && !is_skipped(&file_name(&path)) {
            return self.folder(&path, depth - 1);
        }
        let relative = path.strip_prefix(self.root).unwrap_or(&path);
        if !is_folder && self.matcher.is_match(relative) {
            self.found.push(path);
        }
        Ok(())
    }
}

fn is_skipped(folder: &str) -> bool {
    matches!(folder, ".git" | "node_modules")
}
