//! Short texts that stand for something: a file that was cut, or one that is not there.

use std::{collections::BTreeMap, path::PathBuf};

use serde_json::Value;

use crate::{
    Diagnostic, Family, PromptContext, PromptError, Severity, Texts, variables::Variables,
};

/// The texts that phrases come from, and what was wrong with them.
#[derive(Debug)]
pub(crate) struct Phrases<'a> {
    texts: &'a Texts,
    failures: std::cell::RefCell<Vec<Diagnostic>>,
}

impl<'a> Phrases<'a> {
    pub(crate) fn new(texts: &'a Texts) -> Self {
        Self { texts, failures: std::cell::RefCell::default() }
    }

    /// Returns the phrase; where a host's own words fail, those that ship stand in for them.
    pub(crate) fn say<const N: usize>(&self, name: &str, facts: [(&str, Value); N]) -> String {
        let facts = facts.map(|(name, value)| (name.to_owned(), value));
        let ctx = PromptContext { extra: BTreeMap::from(facts), ..PromptContext::default() };
        render(self.texts, name, &ctx).unwrap_or_else(|error| {
            self.failures.borrow_mut().push(failure(name, &error));
            render(&Texts::shipped(), name, &ctx).unwrap_or_default()
        })
    }

    /// Returns what was wrong, once for each fault.
    pub(crate) fn into_failures(self) -> Vec<Diagnostic> {
        let mut failures = self.failures.into_inner();
        failures.dedup();
        failures
    }
}

fn render(texts: &Texts, name: &str, ctx: &PromptContext) -> Result<String, PromptError> {
    let words = texts.render(name, &Variables::new(ctx, &Family::DEFAULT))?;
    Ok(words.map(|words| words.text.to_string()).unwrap_or_default())
}

fn failure(name: &str, error: &PromptError) -> Diagnostic {
    Diagnostic {
        path: PathBuf::from(error.file().unwrap_or(name)),
        kind: "words_invalid",
        severity: Severity::Warning,
        message: format!("{error}; the words that ship were used"),
    }
}
