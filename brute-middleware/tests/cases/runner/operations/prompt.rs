//! `build_default_prompt`: the whole prompt of the context's family.

use brute_prompts::{SystemPrompt, gather::gather, skill::DiscoverOptions};
use serde::Deserialize;
use serde_json::{Value, json};
use tower::BoxError;

use super::{Scene, skills::SkillFolder};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    #[serde(default)]
    skill_dirs: Option<Vec<SkillFolder>>,
    #[serde(default)]
    custom_rules: Option<String>,
}

pub(super) fn build(args: Args, scene: &Scene) -> Result<Value, BoxError> {
    let prompt = SystemPrompt::default();
    let mut ctx = scene.prompt_context();
    ctx.custom_rules = args.custom_rules.map(Into::into);
    let mut options = scene.gathering()?.family(&prompt.family(&ctx));
    if let Some(folders) = &args.skill_dirs {
        let roots = folders.iter().map(|folder| folder.root(scene)).collect();
        options = options.skill_roots(roots, DiscoverOptions::default());
    }
    gather(&options).facts.apply(&mut ctx);
    Ok(json!({ "text": prompt.prepare(&ctx)?.text() }))
}
