//! `assemble_prompt`: a turn through the layer that puts the system message in front.

use std::sync::Arc;

use brute_core::{
    Log, Message, ModelId, Part, Role, Turn,
    models::{Script, ScriptedModel},
};
use brute_middleware::{SystemPromptLayer, WithSystemPrompt};
use brute_prompts::{Module, SystemPrompt};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower::{BoxError, Layer, ServiceExt};

use super::Scene;

/// The reminders by the names of their modules.
const REMINDERS: [(&str, &str); 3] =
    [("plan_reminder", "plan"), ("build_switch", "build"), ("max_steps", "max_steps")];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    #[serde(default)]
    sections: Option<Vec<Option<String>>>,
    #[serde(default)]
    messages: Vec<PlainMessage>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct PlainMessage {
    role: Role,
    content: String,
}

pub(super) fn assemble(args: Args, scene: &Scene) -> Result<Value, BoxError> {
    let given: Log = args.messages.iter().map(message).collect();
    let model = ScriptedModel::answering(|_| Script::text("ok"));
    let layer = layer(args.sections.unwrap_or_default()).layer(model.clone());
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let seen = runtime.block_on(send(layer, &model, given.clone(), scene))?;
    Ok(record(&seen, seen.len() > given.len()))
}

/// Returns the layer over a prompt of these sections.
fn layer(sections: Vec<Option<String>>) -> SystemPromptLayer {
    let module = |text: Option<String>| Module::from_fn("section", move |_| Ok(text.clone()));
    let prompt = SystemPrompt::new(sections.into_iter().map(module));
    SystemPromptLayer::new(prompt).gather(None).reminders_in_system()
}

/// Sends the log through the layer as often as the case asks, and returns what the model saw last.
async fn send(
    layer: WithSystemPrompt<ScriptedModel>,
    model: &ScriptedModel,
    mut log: Log,
    scene: &Scene,
) -> Result<Log, BoxError> {
    for _ in 0..scene.apply {
        layer.clone().oneshot(turn(log, scene)).await?;
        log = model.requests().pop().ok_or("the model was not called")?.log;
    }
    Ok(log)
}

fn turn(log: Log, scene: &Scene) -> Turn {
    let context = &scene.context;
    let model = ModelId::new(context.provider.as_str(), context.model.as_str());
    let mut turn = Turn { log, model, ..Turn::default() };
    turn.facts.set_cwd(scene.cwd());
    for (flag, value) in context.flags.given() {
        turn.facts.set(flag, value.clone());
    }
    turn
}

fn message(plain: &PlainMessage) -> Message {
    Message::new(plain.role, vec![Part::text(plain.content.as_str())])
}

fn record(log: &Log, is_prepended: bool) -> Value {
    let plain =
        |message: &Arc<Message>| PlainMessage { role: message.role, content: message.text() };
    let messages: Vec<_> = log.iter().map(plain).collect();
    let system = log.get(0).filter(|first| is_prepended && first.role == Role::System);
    json!({
        "messages": messages,
        "system": system.map(|system| system.text()),
        "reminders": system.map(|system| reminders(system)).unwrap_or_default(),
    })
}

/// Returns the reminders at the end of a system message, in order.
fn reminders(system: &Message) -> Vec<&'static str> {
    let sections: Vec<_> = system.sections().collect();
    let names = sections.iter().rev().map_while(|section| {
        REMINDERS.iter().find(|(module, _)| *module == &*section.name).map(|(_, name)| *name)
    });
    let mut names: Vec<_> = names.collect();
    names.reverse();
    names
}
