//! A session that goes on unwatched: the model is told once, and asks a tool for the time.

use std::error::Error;

use brute_core::{
    Agent, Session,
    models::{Script, ScriptedModel},
};
use brute_middleware::{SessionStatusLayer, default_stack, set_headless};
use brute_prompts::{TimeFormat, gather::Moment};
use serde_json::json;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let model = ScriptedModel::new([
        Script::text("Hello."),
        Script::call("session_status", json!({ "model": "strong" })),
        Script::text("The nightly build is green since 02:07."),
        Script::text("Welcome back."),
    ]);
    let clock = Moment::parse("2026-03-05T02:07:00+01:00[Europe/Zurich]")?;
    let status = SessionStatusLayer::new()
        .clock(clock)
        .time_format(TimeFormat::Hours24)
        .model("strong", "claude-opus");
    let stack = default_stack().around_input(status).offers("session_status").model(model.clone());
    let agent = Agent::builder(stack).model("anthropic", "claude-sonnet").build()?;

    let session = Session::new();
    agent.send(&session, "Hi!").await?;
    set_headless(&session, true);
    agent.send(&session, "Watch the nightly build.").await?;
    set_headless(&session, false);
    agent.send(&session, "I am back.").await?;

    // What is told stands in the record, in front of the input that it came with.
    for message in session.log().iter() {
        let results = message.tool_results().map(|result| result.text.replace('\n', "; "));
        let text = message.text().lines().next().unwrap_or_default().to_owned();
        let line = [text].into_iter().chain(results).collect::<String>();
        println!("{:9} {line}", format!("{:?}", message.role));
    }
    let models: Vec<_> = model.requests().iter().map(|turn| turn.model.to_string()).collect();
    println!("\nasked: {}", models.join(", "));
    Ok(())
}
