//! What a host brings: tools, and facts for the sections that belong to it.

use brute_prompts::ToolNames;

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
