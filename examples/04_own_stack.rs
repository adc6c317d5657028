//! A stack of your own: the same layers, put together by hand, at both heights.

use brute_core::{
    Agent, Error, Session, Stack,
    models::{Script, ScriptedModel},
    testing::Recorder,
    tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, JournalLayer, MaxStepsLayer, SystemPromptLayer, ToolCallsLayer, ToolLoopLayer,
};
use brute_prompts::{Module, SystemPrompt};
use serde_json::{Value, json};

#[tokio::main]
async fn main() -> Result<(), Error> {
    let prompt = SystemPrompt::new([Module::text("identity", "You are a clerk at a bank.")]);
    let recorder = Recorder::default();
    let model = ScriptedModel::new([
        Script::call("balance", json!({})),
        Script::call("balance", json!({})),
        Script::text("You own 7 crowns."),
    ]);

    // Above the loop a layer sees a whole turn, below it every single model call.
    let stack = Stack::new()
        .layer(AcceptInputLayer)
        .layer(SystemPromptLayer::new(prompt))
        .layer(recorder.layer("turn"))
        .layer(ToolLoopLayer)
        .layer(MaxStepsLayer::new(5))
        .layer(ToolCallsLayer::new())
        .layer(recorder.layer("model call"))
        .layer(JournalLayer)
        .model(model);
    print!("{stack}");

    let balance = |_: Value, _| async { Ok::<_, Error>("7 crowns") };
    let agent = Agent::builder(stack)
        .tool(tool_fn("balance", "Tells what the customer owns.", balance).read_only())
        .build()?;
    let reply = agent.send(&Session::new(), "How much do I own?").await?;
    println!("\n{}\n\n{}", reply.answer(), recorder.list().join("\n"));
    Ok(())
}
