//! A prompt of your own, put together by a closure at every turn.

use brute_core::{
    Agent, Error, Session,
    models::{Script, ScriptedModel},
};
use brute_middleware::default_stack;
use brute_prompts::SystemPrompt;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let prompt = SystemPrompt::build(|prompt, ctx| {
        prompt.text("You answer letters to a newspaper.");
        if let Some(tone) = ctx.extra.get("tone").and_then(|tone| tone.as_str()) {
            prompt.text(format!("Your tone is {tone}."));
        }
        prompt.module("environment");
        Ok(())
    });
    let model = ScriptedModel::answering(|_| Script::text("Dear reader, …"));
    let agent = Agent::builder(default_stack().prompt(prompt).model(model.clone()))
        .fact("tone", "friendly")
        .fact("date", "Thu Mar 05 2026")
        .build()?;

    // A fact of the agent holds for all turns, one of a turn for that turn.
    agent.send(&Session::new(), "Why is the moon so round?").await?;
    agent.turn(&Session::new(), "You are wrong about the moon!").fact("tone", "patient").await?;

    for request in model.requests() {
        let system = request.log.get(0).expect("the prompt stands first");
        let sections: Vec<_> = system.sections().map(|section| &*section.text).collect();
        println!("{}\n", sections[..2].join("\n"));
    }
    Ok(())
}
