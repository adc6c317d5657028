//! A prompt that a user keeps in a file: it counts as it was at a session's first request.

use std::{error::Error, fs, path::Path};

use brute_core::{
    Agent, Session,
    models::{Script, ScriptedModel},
};
use brute_middleware::{SystemPromptLayer, default_stack};
use brute_prompts::{
    PromptSettings, SystemPrompt,
    gather::{GatherOptions, PromptFileOptions, Today},
};

const FILE: &str = "You are Rex, a code reviewer. About {{ estimated_tool_calls }} tool calls fit.

What the other reviewers are told:

{{ identity }}
";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let project = tempfile::tempdir()?;
    let write = |text: &str| fs::write(project.path().join(".brute/SYSTEM.md"), text);
    fs::create_dir(project.path().join(".brute"))?;
    write(FILE)?;

    let model = ScriptedModel::answering(|_| Script::text("Hello."));
    let agent =
        Agent::builder(default_stack().system_prompt(layer(project.path())?).model(model.clone()))
            .model("anthropic", "claude-sonnet")
            .cwd(project.path())
            .build()?;

    let session = Session::new();
    agent.send(&session, "Hi!").await?;
    // An edit counts for new sessions; one that goes on, here from its export, keeps its prompt.
    write("You are Ada.")?;
    let reopened = Session::from_json(&session.to_json()?)?;
    agent.send(&reopened, "Hi again!").await?;
    agent.send(&Session::new(), "Hi!").await?;
    // A file that is no valid template fails the turn, and the error says where.
    write("You are {{ nobody }}.")?;
    let error = agent.send(&Session::new(), "Hi!").await.err().map(|error| error.to_string());

    for (number, request) in model.requests().iter().enumerate() {
        let system = request.log.get(0).map(|message| message.text()).unwrap_or_default();
        println!("request {}: {}", number + 1, system.lines().next().unwrap_or_default());
    }
    let error = error.unwrap_or_default();
    println!("a fourth one: {}", error.split(" (").next().unwrap_or_default());
    Ok(())
}

/// Looks for prompt files in the project that a session works in, and in this home.
fn layer(project: &Path) -> Result<SystemPromptLayer, Box<dyn Error>> {
    let home = project.join("home");
    let gather = GatherOptions::default().home(&home).clock(Today::parse("2026-03-05")?);
    let files = PromptFileOptions::brute(Some(&home), None);
    let layer = SystemPromptLayer::new(SystemPrompt::default()).gather(gather);
    Ok(layer.prompt_files(files, PromptSettings::default()))
}
