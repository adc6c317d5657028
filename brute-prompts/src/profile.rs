//! Whole prompts in the manner of different agents.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{EnvironmentStyle, Family, PromptError, PromptErrorKind, ToolNames, stack_of};

mod stacks;
mod tools;

/// In whose manner a whole prompt is put together: its modules, its order and the names of tools.
///
/// A module of a profile stands in the section that it takes the place of: `identity_fabro` in
/// `identity`, so that changes by name work in every profile.
///
/// # Example
///
/// ```
/// use brute_prompts::{Family, Profile, PromptContext, SystemPrompt};
///
/// let profile: Profile = "fabro".parse()?;
/// let ctx = PromptContext {
///     tools: profile.tools(&Family::OPENAI),
///     ..PromptContext::new("openai", "a-model")
/// };
/// let rendered = SystemPrompt::profile(profile).prepare(&ctx)?;
/// assert!(rendered.get("tool_patch").is_some_and(|section| section.text.starts_with("# apply_patch")));
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// A stack for each family.
    #[default]
    Brute,
    /// A stack for each family, with a section for each tool on offer.
    Fabro,
    /// A personal assistant in a program that brings channels, a workspace and a schedule.
    Fluffbuzz,
    /// An engineer that works alone for long: five sections for every family.
    Builder,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 4] = [Self::Brute, Self::Fabro, Self::Fluffbuzz, Self::Builder];

    /// Returns the name, as it is written in a configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Brute => "brute",
            Self::Fabro => "fabro",
            Self::Fluffbuzz => "fluffbuzz",
            Self::Builder => "builder",
        }
    }

    /// Returns the names of the modules for this family, in order.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{Family, Profile};
    ///
    /// assert_eq!(Profile::Builder.stack(&Family::GOOGLE)[0], "identity_builder");
    /// ```
    pub fn stack(self, family: &Family) -> &'static [&'static str] {
        match self {
            Self::Brute => stack_of(family),
            Self::Fabro => stacks::fabro(family),
            Self::Fluffbuzz => &stacks::FLUFFBUZZ,
            Self::Builder => &stacks::BUILDER,
        }
    }

    /// Returns in which form the profile says where the agent works.
    ///
    /// The stack of [`Fluffbuzz`](Self::Fluffbuzz) has no section for it: workspace, time zone
    /// and run stand in sections of their own there.
    pub fn environment(self) -> EnvironmentStyle {
        match self {
            Self::Brute => EnvironmentStyle::Brute,
            Self::Fabro => EnvironmentStyle::Fabro,
            Self::Fluffbuzz => EnvironmentStyle::Fluffbuzz,
            Self::Builder => EnvironmentStyle::Builder,
        }
    }

    /// Returns the tools that the profile counts on, under the names that it has for them.
    ///
    /// Where tools are at hand, they decide: these are for a prompt that is rendered without them.
    pub fn tools(self, family: &Family) -> ToolNames {
        match self {
            Self::Brute | Self::Builder => ToolNames::all(),
            Self::Fabro => tools::fabro(family),
            Self::Fluffbuzz => ToolNames::of(tools::FLUFFBUZZ),
        }
    }

    /// Returns the section in which a module of a profile stands.
    pub(crate) fn section(module: &str) -> &str {
        let suffix = |profile: &Self| module.strip_suffix(profile.name())?.strip_suffix('_');
        Self::ALL.iter().find_map(suffix).unwrap_or(module)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Profile {
    type Err = PromptError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|profile| profile.name() == name);
        found.ok_or_else(|| {
            let message = format!("there is no profile `{name}`");
            let known = Self::ALL.map(Self::name);
            PromptError::new(PromptErrorKind::InvalidName, message).with_known(known)
        })
    }
}
