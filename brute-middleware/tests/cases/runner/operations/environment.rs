//! `environment_block`: the facts of a session and of its repository, and what a prompt says of them.

use brute_prompts::{
    PromptContext, SystemPrompt,
    gather::{GitLimits, GitProgram, gather, git_facts},
};
use serde::Deserialize;
use serde_json::{Value, json};
use tower::BoxError;

use super::Scene;

/// The tag that closes the block.
const CLOSING_TAG: &str = "</env>";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    #[serde(default)]
    status_max_lines: Option<usize>,
}

pub(super) fn block(args: &Args, scene: &Scene) -> Result<Value, BoxError> {
    let mut limits = GitLimits::default();
    limits.status_lines = args.status_max_lines.unwrap_or(limits.status_lines);
    let mut ctx = scene.prompt_context();
    gather(&scene.gathering()?.without_skills().without_instructions()).facts.apply(&mut ctx);
    ctx.git = git_facts(&GitProgram::default(), &scene.cwd(), &limits).map(Into::into);
    let text = SystemPrompt::new(["environment", "git_status"]).prepare(&ctx)?.text();
    Ok(json!({
        "block": { "closing_tag_count": text.matches(CLOSING_TAG).count() },
        "fields": fields(&ctx),
        "text": text,
    }))
}

fn fields(ctx: &PromptContext) -> Value {
    let git = ctx.git.as_deref().cloned().unwrap_or_default();
    json!({
        "cwd": ctx.cwd,
        "is_git": ctx.is_git,
        "branch": git.branch,
        "head": git.head,
        "model": Some(&ctx.model).filter(|model| !model.is_empty()),
        "date": ctx.date,
        "status_lines": git.status_lines,
        "status_truncated": git.status_omitted > 0,
        "recent_commits": git.recent_commits,
    })
}
