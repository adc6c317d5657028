//! How a time of day is written: with twelve hours or with twenty-four.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{PromptError, PromptErrorKind};

/// Tells how a time of day is written.
///
/// # Example
///
/// ```
/// use brute_prompts::TimeFormat;
///
/// let format: TimeFormat = "auto".parse()?;
/// assert_eq!(format.resolved(Some("en_US.UTF-8")), TimeFormat::Hours12);
/// assert_eq!(format.resolved(Some("de_CH.UTF-8")), TimeFormat::Hours24);
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TimeFormat {
    /// As the user's locale has it; with twenty-four hours where that is not known.
    #[default]
    #[serde(rename = "auto")]
    Auto,
    /// `2:07 PM`.
    #[serde(rename = "12")]
    Hours12,
    /// `14:07`.
    #[serde(rename = "24")]
    Hours24,
}

/// The regions that count twelve hours, whatever the language.
const TWELVE: [&str; 27] = [
    "AE", "AU", "BD", "BH", "CO", "EG", "GR", "HK", "IN", "IQ", "JO", "KR", "KW", "LY", "MY", "NZ",
    "OM", "PH", "PK", "PR", "QA", "SA", "SG", "SY", "TW", "US", "YE",
];

impl TimeFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Hours12, Self::Hours24];

    /// Returns the name, as it is written in a configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Hours12 => "12",
            Self::Hours24 => "24",
        }
    }

    /// Returns the format in a locale such as `en_US.UTF-8`; only `auto` depends on it.
    #[must_use]
    pub fn resolved(self, locale: Option<&str>) -> Self {
        match self {
            Self::Auto if locale.is_some_and(counts_twelve) => Self::Hours12,
            Self::Auto => Self::Hours24,
            fixed => fixed,
        }
    }
}

fn counts_twelve(locale: &str) -> bool {
    let name = locale.split(['.', '@']).next().unwrap_or_default();
    let mut parts = name.split(['_', '-']);
    let language = parts.next().unwrap_or_default();
    // A script may stand between language and region.
    let region = parts.next_back().unwrap_or_default();
    let is = |known: &str| region.eq_ignore_ascii_case(known);
    TWELVE.into_iter().any(is) || (is("CA") && language.eq_ignore_ascii_case("en"))
}

impl fmt::Display for TimeFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TimeFormat {
    type Err = PromptError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| {
            let message = format!("there is no time format `{name}`");
            let known = Self::ALL.map(Self::name);
            PromptError::new(PromptErrorKind::InvalidName, message).with_known(known)
        })
    }
}
