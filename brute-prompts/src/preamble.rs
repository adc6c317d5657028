//! What earlier stages of a run did, as a text above the prompt of the next one.
//!
//! ```
//! use brute_prompts::preamble::{Outcome, Preamble, PreambleMode, Run, Stage};
//!
//! let run = Run {
//!     goal: "Ship the cart".into(),
//!     stages: vec![Stage { outcome: Some(Outcome::Success), ..Stage::new("plan") }],
//!     ..Run::default()
//! };
//! let preamble = Preamble::new(PreambleMode::Compact).render(&run)?;
//! assert!(preamble.is_some_and(|text| text.contains("- **plan**: success")));
//! # Ok::<(), brute_prompts::PromptError>(())
//! ```

mod block;
mod mode;
mod numbers;
mod outcome;
mod run;
mod thread;
mod values;
mod view;

use std::collections::BTreeMap;

use self::{mode::Layout, view::RunView};
pub use self::{
    mode::PreambleMode,
    numbers::short_count,
    outcome::Outcome,
    run::{LARGE_VALUE, Run, Stage, StageUsage},
    thread::ThreadNames,
};
use crate::{Family, PromptContext, PromptError, Texts, variables::Variables};

/// Puts what a run did so far into words, as briefly or fully as its mode says.
///
/// The words lie in the texts under `preamble_<mode>`, such as `preamble_summary_low`, and
/// `preamble_nested`. Everything that a run holds is data.
#[derive(Clone, Debug)]
pub struct Preamble {
    mode: PreambleMode,
    texts: Texts,
    family: Family,
}

impl Preamble {
    /// Speaks in this mode.
    pub fn new(mode: PreambleMode) -> Self {
        Self { mode, texts: Texts::shipped(), family: Family::DEFAULT }
    }

    /// Takes the words from these texts.
    #[must_use]
    pub fn texts(mut self, texts: Texts) -> Self {
        self.texts = texts;
        self
    }

    /// Takes the words that the texts have for this family.
    #[must_use]
    pub fn family(mut self, family: Family) -> Self {
        self.family = family;
        self
    }

    /// Returns the mode.
    pub fn mode(&self) -> PreambleMode {
        self.mode
    }

    /// Returns the preamble, which ends in a line break, or nothing where there is nothing to tell.
    ///
    /// A preamble of the run around this one goes in front of it, under headings for both.
    ///
    /// # Errors
    ///
    /// Fails where the words of a host are no valid template, and for a run so large that the
    /// text would go beyond what a template may write.
    pub fn render(&self, run: &Run) -> Result<Option<String>, PromptError> {
        let Some((module, layout)) = self.mode.layout() else { return Ok(None) };
        let own = self.say(module, &RunView::new(run, &layout))?;
        let text = match (own, run.parent.as_deref().map(str::trim)) {
            (Some(own), Some(parent)) if !parent.is_empty() => {
                self.say("preamble_nested", &RunView::nested(parent, own))?
            }
            (own, _) => own,
        };
        Ok(text.map(|text| text + "\n"))
    }

    fn say(&self, module: &str, view: &RunView) -> Result<Option<String>, PromptError> {
        let extra = BTreeMap::from([("run".to_owned(), view.to_value())]);
        let ctx = PromptContext { extra, ..PromptContext::default() };
        let text = self.texts.render_once(module, &Variables::new(&ctx, &self.family));
        let text = text.map_err(|error| error.in_section(module))?;
        Ok(text.map(|text| text.to_string()))
    }
}

/// Returns the prompt with the preamble above it, and one blank line between them.
///
/// # Example
///
/// ```
/// use brute_prompts::preamble::above;
///
/// assert_eq!(above(Some("Goal: x\n"), "Go on."), "Goal: x\n\nGo on.");
/// assert_eq!(above(None, "Go on."), "Go on.");
/// ```
pub fn above(preamble: Option<&str>, prompt: &str) -> String {
    match preamble.map(str::trim_end).filter(|preamble| !preamble.is_empty()) {
        Some(preamble) => format!("{preamble}\n\n{prompt}"),
        None => prompt.to_owned(),
    }
}

/// The layout of a mode, and the module with its words.
type Words = (&'static str, Layout);
