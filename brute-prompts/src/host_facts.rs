//! What only the host application knows, for the sections that belong to it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// What only the host application knows. What is not set takes no line, and a section without
/// anything to say is left out.
///
/// # Example
///
/// ```
/// use std::sync::Arc;
///
/// use brute_prompts::{HostFacts, PromptContext, SystemPrompt};
///
/// let host = HostFacts { silent_token: Some("NO_REPLY".into()), ..HostFacts::default() };
/// let ctx = PromptContext { host: Some(Arc::new(host)), ..PromptContext::default() };
/// let rendered = SystemPrompt::default().append("silent_replies").prepare(&ctx)?;
/// assert!(rendered.text().contains("`NO_REPLY`"));
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HostFacts {
    /// Notes on the workspace, for `workspace`.
    pub workspace_notes: Vec<String>,
    /// Where the manual of the program lies, for `documentation`.
    pub documentation_path: Option<String>,
    /// Where it can also be read.
    pub documentation_mirrors: Vec<String>,
    /// The sandbox in which tools run, for `sandbox`.
    pub sandbox: Option<SandboxFacts>,
    /// The settings that the agent cannot rewrite, for `self_update`.
    pub protected_settings: Vec<String>,
    /// Whether the interface asks for approvals, for `approvals`.
    pub approvals: bool,
    /// The command by which the user approves by hand.
    pub approval_command: Option<String>,
    /// Who the owner is, for `user_identity`.
    pub owners: Vec<String>,
    /// Short names of models, each with its full name, for `model_aliases`.
    pub model_aliases: BTreeMap<String, String>,
    /// What attaches an answer to a message, for `reply_tags`.
    pub reply_tag: Option<String>,
    /// What the agent answers to a heartbeat when all is well, for `heartbeats`.
    pub heartbeat_token: Option<String>,
    /// What a heartbeat says.
    pub heartbeat_prompt: Option<String>,
    /// What the agent answers when it has nothing to say, for `silent_replies`.
    pub silent_token: Option<String>,
    /// The channels that messages can go to, for `messaging`.
    pub channels: Vec<String>,
    /// How freely the agent reacts to messages, for `reactions`.
    pub reactions: Option<Reactions>,
    /// The run in a line, for `runtime`.
    pub runtime: RuntimeFacts,
    /// How much of its reasoning the user sees, for `reasoning`.
    pub reasoning: Option<String>,
    /// The command by which the user changes that.
    pub reasoning_command: Option<String>,
    /// What the host adds about this run, for `extra_context`.
    pub extra_context: Option<String>,
}

/// The sandbox in which tools run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SandboxFacts {
    /// Where the workspace lies inside the sandbox.
    pub workspace: Option<String>,
    /// What tools may do there, such as `read-only`.
    pub access: Option<String>,
    /// When a command may run outside of it; nothing where none may.
    pub elevated: Option<String>,
}

/// How freely the agent reacts to messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reactions {
    /// Now and then.
    Minimal,
    /// Whenever a person would.
    Extensive,
}

/// The run: what is known of it stands in one line, as `key=value`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RuntimeFacts {
    /// The agent.
    pub agent: Option<String>,
    /// The host.
    pub host: Option<String>,
    /// The repository.
    pub repo: Option<String>,
    /// The operating system.
    pub os: Option<String>,
    /// The processor.
    pub arch: Option<String>,
    /// The version of the program that runs the agent.
    pub node: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The model where none is chosen.
    pub default_model: Option<String>,
    /// The shell.
    pub shell: Option<String>,
    /// The channel of the conversation.
    pub channel: Option<String>,
    /// What the channel can do.
    pub capabilities: Vec<String>,
    /// How much the model thinks; `off` where the rest of the run is known and this is not.
    pub thinking: Option<String>,
}

impl RuntimeFacts {
    /// Returns what is known, in a fixed order; nothing where nothing is.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let os = match (&self.os, &self.arch) {
            (Some(os), Some(arch)) => Some(format!("{os} ({arch})")),
            (os, arch) => os.clone().or_else(|| arch.clone()),
        };
        let known = [
            ("agent", self.agent.clone()),
            ("host", self.host.clone()),
            ("repo", self.repo.clone()),
            ("os", os),
            ("node", self.node.clone()),
            ("model", self.model.clone()),
            ("default_model", self.default_model.clone()),
            ("shell", self.shell.clone()),
            ("channel", self.channel.clone()),
            ("capabilities", joined(&self.capabilities)),
            ("thinking", self.thinking.clone()),
        ];
        let mut pairs: Vec<_> = known
            .into_iter()
            .filter_map(|(key, value)| Some((key, value.filter(|value| !value.trim().is_empty())?)))
            .collect();
        if !pairs.is_empty() && pairs.iter().all(|(key, _)| *key != "thinking") {
            pairs.push(("thinking", "off".to_owned()));
        }
        pairs
    }
}

/// Returns the names in one form and order, so that equal sets give equal bytes.
fn joined(names: &[String]) -> Option<String> {
    let names = names.iter().map(|name| name.trim().to_lowercase());
    let names: BTreeSet<String> = names.filter(|name| !name.is_empty()).collect();
    (!names.is_empty()).then(|| names.into_iter().collect::<Vec<_>>().join(","))
}
