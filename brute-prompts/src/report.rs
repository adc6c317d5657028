//! What an inspector prints about a prompt.

use serde::Serialize;

use crate::{Rendered, Section, Zone};

/// Describes a rendered prompt, section by section, ready to be written as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report<'a> {
    /// The provider.
    pub provider: &'a str,
    /// The model.
    pub model: &'a str,
    /// The family that was chosen for both.
    pub family: &'a str,
    /// The sections in the order in which they are sent.
    pub sections: Vec<SectionReport<'a>>,
    /// The whole prompt.
    pub text: String,
    /// The size of the whole prompt in bytes.
    pub bytes: usize,
    /// The estimated size of the whole prompt in tokens.
    pub tokens: usize,
}

/// Describes one section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SectionReport<'a> {
    /// The name of the module.
    pub name: &'a str,
    /// How long its bytes hold.
    pub zone: Zone,
    /// Where the words come from.
    pub source: &'a str,
    /// The size in bytes.
    pub bytes: usize,
    /// The estimated size in tokens.
    pub tokens: usize,
    /// The words.
    pub text: &'a str,
}

impl Rendered {
    /// Returns what an inspector shows.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{PromptContext, SystemPrompt};
    ///
    /// let rendered = SystemPrompt::default().prepare(&PromptContext::new("gemini", ""))?;
    /// let report = rendered.report();
    /// assert_eq!(report.family, "google");
    /// assert_eq!(report.sections[0].name, "identity");
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn report(&self) -> Report<'_> {
        Report {
            provider: self.provider(),
            model: self.model(),
            family: self.family().name(),
            sections: self.iter().map(SectionReport::of).collect(),
            text: self.text(),
            bytes: self.bytes(),
            tokens: self.tokens(),
        }
    }
}

impl<'a> SectionReport<'a> {
    fn of(section: &'a Section) -> Self {
        Self {
            name: &section.name,
            zone: section.zone,
            source: &section.source,
            bytes: section.bytes(),
            tokens: section.tokens(),
            text: &section.text,
        }
    }
}
