//! How a stage ended.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{PromptError, PromptErrorKind, plain};

/// Says how a stage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Outcome {
    /// It did what it was there for.
    Success,
    /// It did a part of that.
    PartialSuccess,
    /// It failed.
    Failed,
    /// It wants to be run again.
    Retry,
    /// It was not needed.
    Skipped,
}

/// The words for each outcome; the first is the one that is written.
const WORDS: [(Outcome, &[&str]); 5] = [
    (Outcome::Success, &["success", "succeeded"]),
    (Outcome::PartialSuccess, &["partial_success"]),
    (Outcome::Failed, &["failed", "fail", "failure"]),
    (Outcome::Retry, &["retry"]),
    (Outcome::Skipped, &["skipped", "skip"]),
];

impl Outcome {
    /// Returns the word for this outcome.
    pub fn name(self) -> &'static str {
        let found = WORDS.into_iter().find(|(outcome, _)| *outcome == self);
        found.map_or("", |(_, words)| words[0])
    }
}

impl FromStr for Outcome {
    type Err = PromptError;

    fn from_str(word: &str) -> Result<Self, PromptError> {
        let found = WORDS.into_iter().find(|(_, words)| words.contains(&word));
        found.map(|(outcome, _)| outcome).ok_or_else(|| {
            let message = format!("there is no outcome `{}`", plain::visible(word));
            let known = WORDS.map(|(_, words)| words[0]);
            PromptError::new(PromptErrorKind::InvalidName, message).with_known(known)
        })
    }
}

impl TryFrom<String> for Outcome {
    type Error = PromptError;

    fn try_from(word: String) -> Result<Self, PromptError> {
        word.parse()
    }
}

impl From<Outcome> for String {
    fn from(outcome: Outcome) -> Self {
        outcome.name().to_owned()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
