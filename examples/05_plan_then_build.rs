//! Plan first, build afterwards: a mode of the session that tools and prompts follow.

use brute_core::{
    Agent, Error, Role, Session, Turn,
    models::{Script, ScriptedModel},
    tool_fn,
};
use brute_middleware::{default_stack, set_mode};
use serde_json::{Value, json};

#[tokio::main]
async fn main() -> Result<(), Error> {
    let write = || Script::call("write", json!({}));
    let model = ScriptedModel::new([
        write(),
        Script::text("The plan: write the file."),
        write(),
        Script::text("Done."),
    ]);
    let agent = Agent::builder(default_stack().model(model.clone()))
        .tool(tool_fn("write", "Writes the file.", |_: Value, _| async {
            Ok::<_, Error>("The file is written.")
        }))
        .build()?;

    let session = Session::new();
    for (mode, input) in [("plan", "How would you do it?"), ("build", "Do it.")] {
        set_mode(&session, mode);
        println!("mode: {mode}");
        let reply = agent.send(&session, input).await?;
        for result in reply.added.iter().flat_map(|message| message.tool_results()) {
            println!("  the tool: {}", result.text);
        }
        println!("  the model: {}", reply.answer());
    }

    println!("\nwhat the model was reminded of:");
    for (number, request) in model.requests().iter().enumerate() {
        println!("  call {}: [{}]", number + 1, reminders(request));
    }
    let kept = session.log().iter().filter(|message| message.role == Role::Developer).count();
    println!("reminders in the session: {kept}");
    Ok(())
}

/// Names the reminders that stand at the end of what the model saw.
fn reminders(request: &Turn) -> String {
    let last = request.log.last().filter(|message| message.role == Role::Developer);
    let names = last.iter().flat_map(|message| message.sections()).map(|section| &*section.name);
    names.collect::<Vec<_>>().join(", ")
}
