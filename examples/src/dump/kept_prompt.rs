//! A prompt that a session keeps.

use std::collections::BTreeSet;

use brute_core::Meta;
use brute_middleware::{RenderPolicy, SystemPromptLayer};
use brute_prompts::{PromptSettings, gather::PromptFileOptions};

/// The metadata key of a prompt that was rendered; that of a role has its name behind a point.
const RENDERED: &str = "system_prompt";

/// The metadata key of a prompt file that was read; that of a role has its name behind a point.
const READ: &str = "prompt_file";

/// What stands behind the point for the prompt of a supervisor.
const SUPERVISOR: &str = "supervisor";

/// A prompt that a session keeps, for a role or for none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KeptPrompt {
    pub(super) role: Option<String>,
}

impl KeptPrompt {
    /// Finds those of a session; that of no role comes first.
    pub(super) fn all(meta: &Meta) -> Vec<Self> {
        let kept = meta.iter().filter(|(_, value)| !value.is_null());
        let prompts: BTreeSet<_> = kept.filter_map(|(key, _)| Self::under(key)).collect();
        prompts.into_iter().collect()
    }

    fn under(key: &str) -> Option<Self> {
        let behind = key.strip_prefix(RENDERED).or_else(|| key.strip_prefix(READ))?;
        if behind.is_empty() {
            return Some(Self { role: None });
        }
        behind.strip_prefix('.').map(|role| Self { role: Some(role.to_owned()) })
    }

    /// Returns what it is called in a message.
    pub(super) fn name(&self) -> String {
        self.role.as_ref().map_or("that of no role".into(), |role| format!("that of role {role}"))
    }

    /// Returns what renders it, from what is kept and nothing else.
    pub(super) fn layer(&self) -> SystemPromptLayer {
        // A folder that is not named is not read.
        let options = PromptFileOptions::default();
        let options = match self.role.as_deref() {
            Some(SUPERVISOR) => {
                return SystemPromptLayer::supervisor(options).policy(RenderPolicy::Snapshot);
            }
            Some(role) => options.role(role),
            None => options,
        };
        SystemPromptLayer::default().prompt_files(options, PromptSettings::default())
    }
}

/// Tells whether a session keeps something under a key.
pub(super) fn is_kept(meta: &Meta, key: &str) -> bool {
    meta.get(key).is_some_and(|value| !value.is_null())
}
