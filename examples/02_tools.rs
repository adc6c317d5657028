//! A tool is an async function of typed arguments; a turn can be watched while it runs.

use brute_core::{
    Agent, Error, ErrorKind, Event, Session, ToolContext, TurnItem,
    models::{Script, ScriptedModel},
    tool_fn,
};
use brute_middleware::default_stack;
use futures::StreamExt;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Weather {
    /// The name of the city.
    city: String,
}

async fn weather(Weather { city }: Weather, _: ToolContext) -> Result<String, Error> {
    match city.as_str() {
        "Bergen" => Ok("rain, 9 °C".to_owned()),
        "Lisbon" => Ok("sun, 24 °C".to_owned()),
        _ => Err(Error::new(ErrorKind::Tool, format!("there is no station in {city}"))),
    }
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    // Calls of one reply run side by side; one that fails tells the model why.
    let model = ScriptedModel::new([
        Script::text("I will ask three stations.")
            .and_call("weather", json!({ "city": "Bergen" }))
            .and_call("weather", json!({ "city": "Atlantis" }))
            .and_call("weather", json!({ "town": "Lisbon" })),
        Script::text("Take an umbrella to Bergen."),
    ]);
    let agent = Agent::builder(default_stack().model(model))
        .tool(tool_fn("weather", "Tells the weather in a city.", weather).read_only())
        .build()?;

    let mut turn = agent.stream(&Session::new(), "What is the weather like?");
    while let Some(item) = turn.next().await {
        match item {
            TurnItem::Event(event) => show(&event),
            TurnItem::End(reply) => println!("ended by {:?}", reply?.stop),
        }
    }
    Ok(())
}

fn show(event: &Event) {
    match event {
        Event::StepStart { step } => println!("step {step}"),
        Event::Text { delta } => println!("  {delta}"),
        Event::ToolStart { call } => println!("  → {} {}", call.name, call.arguments.to_wire()),
        Event::ToolEnd { text, .. } => println!("  ← {text}"),
        _ => {}
    }
}
