//! What a host brings: tools, and facts for the sections that belong to it.

use brute_prompts::{HostFacts, Reactions, RuntimeFacts, SandboxFacts, ToolNames};

use crate::{names, stacks::Offer};

/// The sections that belong to a host, in one order.
pub(crate) const SECTIONS: [&str; 21] = [
    "tooling",
    "execution_bias",
    "safety",
    "memory_recall",
    "self_update",
    "model_aliases",
    "workspace",
    "documentation",
    "sandbox",
    "user_identity",
    "time_zone",
    "reply_tags",
    "messaging",
    "reactions",
    "approvals",
    "silent_replies",
    "workspace_files",
    "heartbeats",
    "runtime",
    "reasoning",
    "extra_context",
];

/// Returns the tools of a host beside those that are built in.
pub(crate) fn tools(offer: Offer) -> ToolNames {
    let all = names::TOOLS.into_iter().chain(names::HOST_TOOLS);
    match offer {
        Offer::All => ToolNames::only(all),
        Offer::NoSkillTool => ToolNames::only(all.filter(|name| !name.contains("skill"))),
        Offer::Renamed => ToolNames::of(all.map(|name| (name, format!("x_{name}")))),
        Offer::None => ToolNames::none(),
    }
}

/// Returns facts with something to say for every section.
pub(crate) fn facts() -> HostFacts {
    let text = |text: &str| Some(text.to_owned());
    HostFacts {
        workspace_notes: vec!["Drafts go into the folder of that name.".into()],
        documentation_path: text("/srv/manual"),
        documentation_mirrors: vec!["a mirror".into()],
        sandbox: Some(SandboxFacts {
            workspace: text("/workspace"),
            access: text("read-only"),
            elevated: text("after approval"),
        }),
        protected_settings: vec!["gateway.auth".into()],
        approvals: true,
        approval_command: text("/approve"),
        owners: vec!["ada".into()],
        model_aliases: [("fast".to_owned(), "small-model".to_owned())].into(),
        reply_tag: text("[[reply]]"),
        heartbeat_token: text("ALL_WELL"),
        heartbeat_prompt: text("Look around."),
        silent_token: text("NO_REPLY"),
        channels: vec!["mail".into(), "chat".into()],
        reactions: Some(Reactions::Minimal),
        runtime: RuntimeFacts { agent: text("main"), ..RuntimeFacts::default() },
        reasoning: text("off"),
        reasoning_command: text("/reasoning"),
        extra_context: text("You sort the mail of today."),
    }
}
