//! Reads the pattern and the glob of a search.

use std::path::Path;

use brute_core::Error;
use globset::{GlobBuilder, GlobMatcher};
use grep::regex::{RegexMatcher, RegexMatcherBuilder};

use crate::tools::place::tool_error;

/// The most memory that a compiled expression may take.
const COMPILED: usize = 8 * 1024 * 1024;

/// How deep an expression may nest.
const NESTED: u32 = 100;

/// Compiles a regular expression within bounds.
pub(super) fn matcher(pattern: &str, ignore_case: bool) -> Result<RegexMatcher, Error> {
    if pattern.is_empty() {
        return Err(tool_error("the pattern is empty: every line would match".into()));
    }
    RegexMatcherBuilder::new()
        .case_insensitive(ignore_case)
        // The searcher matches many lines at once, so line anchors must not mean the whole text.
        .multi_line(true)
        .crlf(true)
        .size_limit(COMPILED)
        .dfa_size_limit(COMPILED)
        .nest_limit(NESTED)
        .build(pattern)
        .map_err(|error| {
            tool_error(format!(
                "the pattern cannot be searched for: {error}; a character such as ( or [ that is \
                 meant literally needs a backslash before it"
            ))
        })
}

/// Which files a search looks into.
#[derive(Debug)]
pub(super) struct Chosen {
    glob: GlobMatcher,
    is_excluding: bool,
    is_of_names: bool,
}

/// Reads a glob; without a slash it is about names, wherever the file is.
pub(super) fn glob(text: &str) -> Result<Chosen, Error> {
    let (is_excluding, glob) = match text.strip_prefix('!') {
        Some(glob) => (true, glob),
        None => (false, text),
    };
    let glob = glob.strip_prefix("./").unwrap_or(glob);
    let is_of_names = !glob.contains('/');
    let compiled = GlobBuilder::new(glob.trim_start_matches('/')).literal_separator(true).build();
    let glob = compiled
        .map_err(|error| tool_error(format!("the glob cannot be used: {error}")))?
        .compile_matcher();
    Ok(Chosen { glob, is_excluding, is_of_names })
}

impl Chosen {
    /// Tells whether a file is to be searched, by its path below the root of the search.
    pub(super) fn includes(&self, path: &Path) -> bool {
        let path = if self.is_of_names { path.file_name().map_or(path, Path::new) } else { path };
        self.glob.is_match(path) != self.is_excluding
    }
}
