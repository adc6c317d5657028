//! A sub-agent is a tool that takes a turn of its own, with a prompt of its own.

use async_trait::async_trait;
use brute_core::{
    Agent, Effect, Error, Session, Tool, ToolContext, ToolOutput, ToolSpec,
    models::{Script, ScriptedModel},
};
use brute_middleware::{default_stack, tools};
use brute_prompts::SystemPrompt;
use serde_json::{Value, json};

/// Hands a question to an agent that only looks.
struct Explore {
    agent: Agent,
}

#[async_trait]
impl Tool for Explore {
    fn spec(&self) -> ToolSpec {
        ToolSpec::new("explore", "Answers a question from the files.")
            .parameters(json!({
                "type": "object",
                "properties": { "question": { "type": "string" } },
                "required": ["question"],
            }))
            .effect(Effect::ReadOnly)
    }

    async fn call(&self, arguments: &Value, context: &ToolContext) -> Result<ToolOutput, Error> {
        let question = arguments["question"].as_str().unwrap_or_default();
        // A session of its own: what the sub-agent reads does not fill the log of the other one.
        let turn = self.agent.turn(&Session::new(), question).events(context.events.clone());
        Ok(turn.await?.answer().into())
    }
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let scout = ScriptedModel::new([
        Script::call("read", json!({ "file_path": "Cargo.toml", "end_line": 3 })),
        Script::text("It is a package of examples (Cargo.toml:2)."),
    ]);
    let lead = ScriptedModel::new([
        Script::call("explore", json!({ "question": "What is this directory?" })),
        Script::text("A package of examples, says the scout."),
    ]);

    let prompt = SystemPrompt::new(["agent_explore", "environment"]);
    let explore = Agent::builder(default_stack().prompt(prompt).max_steps(20).model(scout.clone()))
        .tools(tools::looking())
        .cwd(env!("CARGO_MANIFEST_DIR"))
        .build()?;
    let agent =
        Agent::builder(default_stack().model(lead)).tool(Explore { agent: explore }).build()?;

    let session = Session::new();
    let reply = agent.send(&session, "Look around.").await?;
    println!("{}", reply.answer());
    println!("\nThe log of the lead: {} messages", session.log().len());
    let request = &scout.requests()[1];
    let system = request.log.get(0).expect("the prompt stands first");
    println!("The log of the scout: {} messages", request.log.len());
    let sections = system.sections().map(|section| &*section.name);
    println!("The prompt of the scout: {}", sections.collect::<Vec<_>>().join(", "));
    Ok(())
}
