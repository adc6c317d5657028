//! What a provider or a model adds to every prompt.

use std::{fmt, sync::Arc};

use crate::{Family, Module, PromptContext};

/// Where a contribution puts the section on how to talk with the user, which no stack has.
pub(crate) const INTERACTION: &str = "interaction_style";

/// Where the stable words of a contribution stand, in a stack that has a place for them.
pub(crate) const PREFIX: &str = "provider_prefix";

/// Where the changing words of a contribution stand, in a stack that has a place for them.
pub(crate) const SUFFIX: &str = "provider_suffix";

/// Adds to the prompt of some providers or models.
///
/// # Example
///
/// ```
/// use brute_prompts::{
///     Contributed, Contribution, Family, Module, PromptContext, SystemPrompt,
/// };
///
/// struct Quota;
///
/// impl Contribution for Quota {
///     fn contribute(&self, ctx: &PromptContext, _: &Family) -> Option<Contributed> {
///         let acme = &*ctx.provider == "acme";
///         acme.then(|| Contributed::new().suffix(Module::text("quota", "Requests left: 12.")))
///     }
/// }
///
/// let prompt = SystemPrompt::default().contribution(Quota);
/// assert!(prompt.prepare(&PromptContext::new("acme", "x"))?.get("quota").is_some());
/// assert!(prompt.prepare(&PromptContext::new("other", "x"))?.get("quota").is_none());
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
pub trait Contribution: Send + Sync + 'static {
    /// Returns what is added to the prompt of this context, or nothing.
    fn contribute(&self, ctx: &PromptContext, family: &Family) -> Option<Contributed>;
}

/// What a [`Contribution`] adds to one prompt. Words of it that are blank change nothing.
#[derive(Clone, Debug, Default)]
pub struct Contributed {
    pub(crate) sections: Vec<Module>,
    pub(crate) prefix: Vec<Module>,
    pub(crate) suffix: Vec<Module>,
}

impl Contributed {
    /// Returns a contribution without words.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the section of this name, heading and all. A name that the stack lacks changes
    /// nothing, except for `interaction_style`, which is added behind the first section;
    /// [`SystemPrompt::check`](crate::SystemPrompt::check) finds one that no stack has.
    #[must_use]
    pub fn section(mut self, name: impl Into<Arc<str>>, module: impl Into<Module>) -> Self {
        self.sections.push(module.into().named(name));
        self
    }

    /// Adds words that hold for long, behind the first section.
    #[must_use]
    pub fn prefix(mut self, module: impl Into<Module>) -> Self {
        self.prefix.push(module.into());
        self
    }

    /// Adds words that may change with each call, behind everything that is cached.
    #[must_use]
    pub fn suffix(mut self, module: impl Into<Module>) -> Self {
        self.suffix.push(module.into());
        self
    }
}

/// The contributions of a prompt, in the order in which they were added.
#[derive(Clone, Default)]
pub(crate) struct Contributions(Vec<Arc<dyn Contribution>>);

impl Contributions {
    pub(crate) fn push(&mut self, contribution: impl Contribution) {
        self.0.push(Arc::new(contribution));
    }

    pub(crate) fn of(&self, ctx: &PromptContext, family: &Family) -> Vec<Contributed> {
        self.0.iter().filter_map(|own| own.contribute(ctx, family)).collect()
    }

    /// Returns what they add for each of the families; nothing where one of them never speaks,
    /// because it waits for another context.
    pub(crate) fn foreseen(
        &self,
        ctx: &PromptContext,
        families: &[Family],
    ) -> Option<Vec<Contributed>> {
        let mut all = Vec::new();
        for own in &self.0 {
            let said = families.iter().filter_map(|family| own.contribute(ctx, family));
            let before = all.len();
            all.extend(said);
            if all.len() == before {
                return None;
            }
        }
        Some(all)
    }
}

impl fmt::Debug for Contributions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Contributions").field(&self.0.len()).finish()
    }
}
