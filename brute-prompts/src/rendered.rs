//! A prompt that was rendered: its sections in order, and how large they are.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{Family, Zone};

/// What stands between two sections.
pub(crate) const GAP: &str = "\n\n";

/// What one module said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The name of the module.
    pub name: Arc<str>,
    /// How long its bytes hold.
    pub zone: Zone,
    /// Where the words come from: a file, or `host` for text given in code.
    pub source: Arc<str>,
    /// The words, without line breaks at either end.
    pub text: Arc<str>,
}

impl Section {
    /// Returns the size in bytes.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Returns the estimated size in tokens.
    pub fn tokens(&self) -> usize {
        estimated_tokens(&self.text)
    }
}

/// A whole prompt: its sections in the order in which they are sent.
///
/// [`Display`](fmt::Display) joins them with one blank line.
///
/// # Example
///
/// ```
/// use brute_prompts::{PromptContext, SystemPrompt, Zone};
///
/// let rendered = SystemPrompt::new(["identity", "git_safety"]).prepare(&PromptContext::default())?;
/// let names: Vec<&str> = rendered.iter().map(|section| &*section.name).collect();
/// assert_eq!(names, ["identity", "git_safety"]);
/// assert!(rendered.iter().all(|section| section.zone == Zone::Static));
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendered {
    provider: Arc<str>,
    model: Arc<str>,
    family: Family,
    sections: Vec<Section>,
}

impl Rendered {
    /// Puts the sections in the order in which they are sent.
    ///
    /// Dynamic sections move behind all others. A static section that stands after a session one
    /// stays where it is and counts as session, because a cache ends before it.
    pub(crate) fn new(
        provider: Arc<str>,
        model: Arc<str>,
        family: Family,
        mut sections: Vec<Section>,
    ) -> Self {
        sections.sort_by_key(|section| section.zone == Zone::Dynamic);
        let mut zone = Zone::Static;
        for section in &mut sections {
            zone = zone.max(section.zone);
            section.zone = zone;
        }
        Self { provider, model, family, sections }
    }

    /// Returns a prompt for the same model with other sections, which are in order.
    pub(crate) fn with_sections(&self, sections: Vec<Section>) -> Self {
        let (provider, model) = (self.provider.clone(), self.model.clone());
        Self { provider, model, family: self.family.clone(), sections }
    }

    /// Returns the sections in order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Returns the sections, one after the other.
    pub fn iter(&self) -> std::slice::Iter<'_, Section> {
        self.sections.iter()
    }

    /// Returns the section of this name.
    pub fn get(&self, name: &str) -> Option<&Section> {
        self.iter().find(|section| &*section.name == name)
    }

    /// Returns true where no module had anything to say.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// Returns the provider for which this was rendered.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// Returns the model for which this was rendered.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Returns the family for which this was rendered.
    pub fn family(&self) -> &Family {
        &self.family
    }

    /// Returns the whole prompt as one string.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.bytes());
        for section in self {
            if !text.is_empty() {
                text.push_str(GAP);
            }
            text.push_str(&section.text);
        }
        text
    }

    /// Returns the size of the whole prompt in bytes.
    pub fn bytes(&self) -> usize {
        let gaps = self.sections.len().saturating_sub(1) * GAP.len();
        self.iter().map(Section::bytes).sum::<usize>() + gaps
    }

    /// Returns the estimated size of the whole prompt in tokens.
    pub fn tokens(&self) -> usize {
        let gaps = self.sections.len().saturating_sub(1) * GAP.len();
        let chars: usize = self.iter().map(|section| section.text.chars().count()).sum();
        (chars + gaps).div_ceil(4)
    }
}

/// Returns the estimated number of tokens of a text: a quarter of its characters, rounded up.
pub fn estimated_tokens(text: &str) -> usize {
    text.chars().count().div_ceil(4)
}

impl fmt::Display for Rendered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, section) in self.iter().enumerate() {
            if index > 0 {
                f.write_str(GAP)?;
            }
            f.write_str(&section.text)?;
        }
        Ok(())
    }
}

impl<'a> IntoIterator for &'a Rendered {
    type Item = &'a Section;
    type IntoIter = std::slice::Iter<'a, Section>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
