//! Everything that a host can tell.

use brute_prompts::{HostFacts, Reactions, RuntimeFacts, SandboxFacts};

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
