//! The daily notes of an agent, told once when a conversation begins.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{PromptContext, PromptError, Section, SystemPrompt, plain};

/// A note of one day: where it lies and what it says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecentNote {
    /// The path of the file.
    pub path: Arc<str>,
    /// The day, such as `2026-03-05`.
    pub day: Arc<str>,
    /// What it says; cut, with a marker, where the budget ended.
    pub text: Arc<str>,
}

impl RecentNote {
    /// Returns the note as texts see it.
    fn value(&self) -> Value {
        let line = |text| plain::visible(text);
        json!({ "path": line(&self.path), "day": line(&self.day), "text": &*self.text })
    }
}

impl SystemPrompt {
    /// Renders the notes in the order in which they are given; nothing where there are none.
    ///
    /// The words lie in `recent_notes`. They are no part of the system message, and the same in
    /// every [`PromptMode`](crate::PromptMode). [`gather::recent_notes`](crate::gather::recent_notes)
    /// reads the notes.
    ///
    /// # Errors
    ///
    /// Fails where the template fails.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{PromptContext, RecentNote, SystemPrompt};
    ///
    /// let note = RecentNote {
    ///     path: "/srv/agent/memory/2026-03-05.md".into(),
    ///     day: "2026-03-05".into(),
    ///     text: "The cart is done.".into(),
    /// };
    /// let section = SystemPrompt::default().recent_notes(&[note], &PromptContext::default())?;
    /// assert!(section.is_some_and(|section| section.text.contains("\nThe cart is done.\n")));
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn recent_notes(
        &self,
        notes: &[RecentNote],
        ctx: &PromptContext,
    ) -> Result<Option<Section>, PromptError> {
        let said = notes.iter().filter(|note| !note.text.trim().is_empty());
        let notes: Vec<Value> = said.map(RecentNote::value).collect();
        if notes.is_empty() {
            return Ok(None);
        }
        let facts = BTreeMap::from([("recent_notes".to_owned(), notes.into())]);
        self.message("recent_notes", ctx, facts)
    }
}
