//! How much a preamble tells.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::Words;
use crate::{PromptError, PromptErrorKind, plain};

/// Says how much of what happened so far a prompt is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PreambleMode {
    /// Nothing: the same conversation goes on, so the model knows all of it.
    #[serde(rename = "full")]
    Full,
    /// The goal and the name of the run.
    #[serde(rename = "truncate")]
    Truncate,
    /// The goal, every stage with the end of its output, and the context.
    #[default]
    #[serde(rename = "compact")]
    Compact,
    /// The last two stages in a few words; meant to stay near 600 tokens.
    #[serde(rename = "summary:low")]
    SummaryLow,
    /// The last five stages as in compact, and the context; meant to stay near 1,500 tokens.
    #[serde(rename = "summary:medium")]
    SummaryMedium,
    /// A section for each stage with its whole response, and the context as a table.
    #[serde(rename = "summary:high")]
    SummaryHigh,
}

/// All modes with their names.
const NAMES: [(PreambleMode, &str); 6] = [
    (PreambleMode::Full, "full"),
    (PreambleMode::Truncate, "truncate"),
    (PreambleMode::Compact, "compact"),
    (PreambleMode::SummaryLow, "summary:low"),
    (PreambleMode::SummaryMedium, "summary:medium"),
    (PreambleMode::SummaryHigh, "summary:high"),
];

/// How a mode lays out a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// How many of the last stages are told.
    pub(super) stages: usize,
    /// How many of the last lines of an output are shown.
    pub(super) lines: usize,
    /// How far outputs are indented.
    pub(super) indent: usize,
    /// How many characters a remark of one line may have.
    pub(super) remark: usize,
    /// Whether the goal stands on one line.
    pub(super) goal_on_one_line: bool,
    /// How values are shown.
    pub(super) values: Values,
}

/// How values of the context are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    No,
    Bullets,
    Table,
}

/// The most stages that any mode tells, so that a run of any length can be told.
const MOST_STAGES: usize = 200;

impl Layout {
    const COMPACT: Self = Self {
        stages: MOST_STAGES,
        lines: 25,
        indent: 4,
        remark: usize::MAX,
        goal_on_one_line: false,
        values: Values::Bullets,
    };
}

impl PreambleMode {
    /// Returns all modes, from the one that says nothing to the one that says most.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.into_iter().map(|(mode, _)| mode)
    }

    /// Returns the name, such as `summary:low`.
    pub fn name(self) -> &'static str {
        let found = NAMES.into_iter().find(|(mode, _)| *mode == self);
        found.map_or("compact", |(_, name)| name)
    }

    /// Returns the mode that the first readable name asks for, or compact.
    ///
    /// The names come from the closest level to the widest: the transition, the stage, the run.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::preamble::PreambleMode;
    ///
    /// let mode = PreambleMode::choose([None, Some("summry:low"), Some("truncate")]);
    /// assert_eq!(mode, PreambleMode::Truncate);
    /// ```
    pub fn choose<'a>(levels: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        levels.into_iter().flatten().find_map(|name| name.parse().ok()).unwrap_or_default()
    }

    /// Returns the mode for the first stage after a run was resumed: a conversation that is gone
    /// cannot go on, so `full` becomes `summary:high`.
    #[must_use]
    pub fn resumed(self) -> Self {
        if self == Self::Full { Self::SummaryHigh } else { self }
    }

    /// Returns the module with the words of this mode, and how it lays out a run.
    pub(super) fn layout(self) -> Option<Words> {
        let compact = Layout::COMPACT;
        match self {
            Self::Full => None,
            Self::Truncate => {
                let layout = Layout { goal_on_one_line: true, values: Values::No, ..compact };
                Some(("preamble_truncate", Layout { stages: 0, ..layout }))
            }
            Self::Compact => Some(("preamble_compact", compact)),
            Self::SummaryLow => {
                let layout = Layout { stages: 2, remark: 300, values: Values::No, ..compact };
                Some(("preamble_summary_low", layout))
            }
            Self::SummaryMedium => {
                Some(("preamble_summary_medium", Layout { stages: 5, remark: 600, ..compact }))
            }
            Self::SummaryHigh => {
                let layout = Layout { lines: 50, indent: 0, values: Values::Table, ..compact };
                Some(("preamble_summary_high", layout))
            }
        }
    }
}

impl FromStr for PreambleMode {
    type Err = PromptError;

    fn from_str(name: &str) -> Result<Self, PromptError> {
        let found = NAMES.into_iter().find(|(_, known)| *known == name);
        found.map(|(mode, _)| mode).ok_or_else(|| {
            let message = format!("there is no preamble mode `{}`", plain::visible(name));
            PromptError::new(PromptErrorKind::InvalidName, message)
                .with_known(NAMES.map(|(_, name)| name))
        })
    }
}

impl fmt::Display for PreambleMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
