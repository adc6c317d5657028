//! A skill for a running agent: found in a folder, listed in the prompt, called with a slash, loaded
//! by the model.

use std::{error::Error, fs};

use brute_core::{
    Agent, Session,
    models::{Script, ScriptedModel},
};
use brute_middleware::{default_stack, reload_prompt_facts};
use serde_json::json;

const SKILL: &str = "---
name: haiku
description: Writes a haiku. Use when somebody asks for one.
---
Write a haiku about {{user_input}}: three lines of five, seven and five syllables.
";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let project = tempfile::tempdir()?;
    let model = ScriptedModel::new([
        Script::text("Hello."),
        Script::text("Grey rain on the roof…"),
        Script::call("skill", json!({ "name": "haiku" })),
        Script::text("First snow this morning…"),
    ]);
    let agent = Agent::builder(default_stack().model(model.clone())).cwd(project.path()).build()?;
    let session = Session::new();
    agent.send(&session, "Hi!").await?;

    // A skill that is added while a session runs is found when the session is asked to look again.
    let skill = project.path().join(".brute/skills/haiku");
    fs::create_dir_all(&skill)?;
    fs::write(skill.join("SKILL.md"), SKILL)?;
    reload_prompt_facts(&session);

    // The user calls it: the command becomes the text of the skill.
    agent.send(&session, "/haiku rain").await?;
    // The model calls it: the tool is on offer since there is a skill.
    agent.send(&session, "And one about snow, please.").await?;

    for (number, request) in model.requests().iter().enumerate() {
        let tools: Vec<_> = request.tools.specs().map(|spec| spec.name.to_string()).collect();
        let system = request.log.get(0).map(|message| message.text()).unwrap_or_default();
        println!(
            "request {}: tools {tools:?}, listed: {}",
            number + 1,
            system.contains("<name>haiku</name>")
        );
    }
    for message in session.log().iter().skip(2) {
        let results =
            message.tool_results().map(|result| result.text.lines().next().unwrap_or_default());
        let text =
            [message.text()].into_iter().chain(results.map(str::to_owned)).collect::<String>();
        println!("{:?}: {}", message.role, text.trim());
    }
    Ok(())
}
