//! The prompts that a session keeps.

use std::collections::BTreeSet;

use brute_core::Meta;
use brute_prompts::{PromptSettings, gather::PromptFileOptions};

use super::{
    RenderPolicy, SystemPromptLayer,
    files::{KEPT, ROLE, SUPERVISOR},
    policy::SNAPSHOT,
};

/// A prompt that a session keeps: rendered, or as the file that it is rendered from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeptPrompt(Of);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    Agent,
    Role(String),
    Supervisor,
}

/// Returns the prompts that a session keeps; that of no role comes first, that of a supervisor last.
pub fn kept_prompts(meta: &Meta) -> Vec<KeptPrompt> {
    let kept = meta.iter().filter(|(_, value)| !value.is_null());
    let prompts: BTreeSet<_> = kept.filter_map(|(key, _)| KeptPrompt::under(key)).collect();
    prompts.into_iter().collect()
}

impl KeptPrompt {
    fn under(key: &str) -> Option<Self> {
        let behind = key.strip_prefix(SNAPSHOT).or_else(|| key.strip_prefix(KEPT))?;
        if behind.is_empty() {
            return Some(Self(Of::Agent));
        }
        let behind = behind.strip_prefix('.')?;
        match behind.strip_prefix(ROLE).and_then(|rest| rest.strip_prefix('.')) {
            Some(role) => Some(Self(Of::Role(role.to_owned()))),
            None => (behind == SUPERVISOR).then_some(Self(Of::Supervisor)),
        }
    }

    /// Returns the role whose prompt it is.
    pub fn role(&self) -> Option<&str> {
        match &self.0 {
            Of::Role(role) => Some(role),
            Of::Agent | Of::Supervisor => None,
        }
    }

    /// Tells whether it is the prompt of a supervisor.
    pub fn is_supervisor(&self) -> bool {
        self.0 == Of::Supervisor
    }

    /// Returns the layer that renders it from what is kept, and from no other file.
    pub fn layer(&self) -> SystemPromptLayer {
        // A folder that is not named is not read.
        let options = PromptFileOptions::default();
        let options = match &self.0 {
            Of::Supervisor => {
                return SystemPromptLayer::supervisor(options).policy(RenderPolicy::Snapshot);
            }
            Of::Role(role) => options.role(role),
            Of::Agent => options,
        };
        SystemPromptLayer::default().prompt_files(options, PromptSettings::default())
    }
}
