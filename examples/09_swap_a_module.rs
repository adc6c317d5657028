//! Swap, move, add and silence whole modules of the prompt.

use brute_prompts::{Module, PromptContext, PromptError, SystemPrompt};

fn names(prompt: &SystemPrompt, ctx: &PromptContext) -> Result<String, PromptError> {
    let rendered = prompt.prepare(ctx)?;
    Ok(rendered.iter().map(|section| &*section.name).collect::<Vec<_>>().join(" "))
}

fn main() -> Result<(), PromptError> {
    // A module is one operation, so a closure is one; it says something, or nothing.
    let ticket = Module::from_fn("ticket", |ctx| {
        let number = ctx.extra.get("ticket");
        Ok(number.map(|number| format!("You work on ticket {number}.")))
    });
    let prompt = SystemPrompt::default()
        .replace("identity", Module::text("identity", "You are Rex, a code reviewer."))
        .after("identity", ticket)
        .without("objectivity")
        .without("task_management")
        .when("git_safety", |ctx| ctx.is_git == Some(true));

    let mut ctx = PromptContext::new("anthropic", "claude-sonnet");
    println!("as it ships:\n  {}", names(&SystemPrompt::default(), &ctx)?);
    println!("as swapped:\n  {}", names(&prompt, &ctx)?);

    ctx.is_git = Some(true);
    ctx.extra.insert("ticket".to_owned(), 42.into());
    println!("with a ticket, in a repository:\n  {}", names(&prompt, &ctx)?);
    println!("  {}", prompt.prepare(&ctx)?.get("ticket").map_or("", |section| &section.text));

    // A name that nobody knows is an error that lists the names that are known.
    let Err(error) = SystemPrompt::default().without("objectivty").check() else {
        unreachable!("the name is spelled wrong")
    };
    assert!(error.known().iter().any(|name| name == "objectivity"));
    println!("spelled wrong:\n  {:?}", error.kind());
    Ok(())
}
