//! A regular expression that stands in the code.

use std::sync::OnceLock;

use regex::Regex;

/// A regular expression that is compiled when it is first asked for.
///
/// One that is not well formed matches nothing, which the tests of its user notice: a library
/// does not panic for it.
pub(crate) struct Pattern {
    source: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    pub(crate) const fn new(source: &'static str) -> Self {
        Self { source, compiled: OnceLock::new() }
    }

    /// Returns the expression, unless it is not well formed.
    pub(crate) fn regex(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| Regex::new(self.source).ok()).as_ref()
    }

    /// Returns true where the expression occurs in the text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.regex().is_some_and(|regex| regex.is_match(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_that_is_not_well_formed_matches_nothing() {
        assert!(Pattern::new("^a+$").is_match("aa"));
        assert!(!Pattern::new("^a+$").is_match("ab"));
        assert!(!Pattern::new("(").is_match("("));
    }
}
