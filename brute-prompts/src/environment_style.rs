//! In which form a prompt says where it works.

use serde::{Deserialize, Serialize};

/// In which form the section `environment` says where the agent works.
///
/// Every form holds facts of the session only: the date, and never the time. The state of the
/// repository stands in the section `git_status`, which changes from call to call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EnvironmentStyle {
    /// Directory, repository, platform and date.
    #[default]
    Brute,
    /// The same, with the version of the system, the model and what it knows, the date as `2026-03-05`.
    Fabro,
    /// The directory, the time zone, and the run in one line of `key=value`.
    Fluffbuzz,
    /// Model, system, time zone, date, shell, directory and processor; `unknown` for what is not known.
    Builder,
}

impl EnvironmentStyle {
    /// Returns the name of the module with the words.
    pub(crate) fn module(self) -> &'static str {
        match self {
            Self::Brute => "environment",
            Self::Fabro => "environment_fabro",
            Self::Fluffbuzz => "environment_fluffbuzz",
            Self::Builder => "environment_builder",
        }
    }
}
