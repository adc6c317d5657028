//! What prompts add for the models of one series, as an example of a contribution that ships.

use serde::{Deserialize, Serialize};

use crate::{
    Contributed, Contribution, Family, PromptContext, contribution::INTERACTION, pattern::Pattern,
};

/// The names of the models: as a whole word behind a slash or colon, or at the start.
static MODELS: Pattern = Pattern::new(r"(?i)(?:^|[/:])gpt-5(?:[.-]|$)");

/// How an agent talks with the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Personality {
    /// Warm and plain.
    #[default]
    #[serde(alias = "on")]
    Friendly,
    /// As the rest of the prompt says.
    Off,
}

/// Adds to the prompts of GPT-5 models how they persist, check and use tools, and how they talk.
///
/// # Example
///
/// ```
/// use brute_prompts::{Gpt5Overlay, Personality, PromptContext, SystemPrompt};
///
/// let prompt = SystemPrompt::default().contribution(Gpt5Overlay::new(Personality::Off));
/// let rendered = prompt.prepare(&PromptContext::new("openrouter", "openai/gpt-5.1-codex"))?;
/// assert!(rendered.get("gpt5_conduct").is_some());
/// assert!(rendered.get("interaction_style").is_none());
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gpt5Overlay {
    personality: Personality,
}

impl Gpt5Overlay {
    /// Returns an overlay with this personality.
    pub fn new(personality: Personality) -> Self {
        Self { personality }
    }

    /// Returns true for the models that the overlay is for.
    pub fn is_for(model: &str) -> bool {
        MODELS.is_match(model.trim())
    }
}

impl Contribution for Gpt5Overlay {
    fn contribute(&self, ctx: &PromptContext, _: &Family) -> Option<Contributed> {
        if !Self::is_for(&ctx.model) {
            return None;
        }
        let contributed = Contributed::new().prefix("gpt5_conduct");
        Some(match self.personality {
            Personality::Friendly => contributed.section(INTERACTION, "gpt5_interaction"),
            Personality::Off => contributed,
        })
    }
}
