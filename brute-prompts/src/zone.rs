//! How long a section keeps its bytes.

use serde::{Deserialize, Serialize};

/// Tells how long the bytes of a section stay the same.
///
/// The edges between zones are the places where a provider's cache may end.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Zone {
    /// The same for everybody who uses this stack with these tools.
    #[default]
    Static,
    /// Fixed within a session: directory, platform, date, skills, project rules.
    Session,
    /// May change between two calls: git status, modes, limits.
    Dynamic,
}
