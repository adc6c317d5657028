//! The facts of a prompt as plain data.

use brute_prompts::{Family, GitFacts, PromptContext, SkillEntry, ToolNames};

fn full() -> PromptContext {
    let mut ctx = PromptContext {
        family: Some(Family::GOOGLE),
        tools: ToolNames::of([("read", "read_file")]),
        cwd: Some("/srv".into()),
        is_git: Some(true),
        git: Some(GitFacts { branch: Some("main".into()), ..GitFacts::default() }.into()),
        skills: Some([SkillEntry { name: "a".into(), ..SkillEntry::default() }].into()),
        max_steps_reached: true,
        ..PromptContext::new("google", "gemini")
    };
    ctx.extra.insert("team".into(), serde_json::json!({"name": "tools"}));
    ctx
}

#[test]
fn a_context_can_be_written_and_read_back() {
    for ctx in [full(), PromptContext::default()] {
        let json = serde_json::to_string(&ctx).unwrap();
        assert_eq!(serde_json::from_str::<PromptContext>(&json).unwrap(), ctx);
    }
}

#[test]
fn what_a_context_does_not_say_is_not_known_and_all_tools_are_on_offer() {
    let ctx: PromptContext = serde_json::from_str(r#"{"model": "x", "team": 1}"#).unwrap();
    let mut expected = PromptContext::new("", "x");
    expected.extra.insert("team".into(), 1.into());
    assert_eq!(ctx, expected);
    assert_eq!(ctx.tools, ToolNames::all());
}
