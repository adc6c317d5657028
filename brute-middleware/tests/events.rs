//! Turns and steps are told when they start and end.

use brute_core::{
    Agent, Error, ErrorKind, Event, Events, Session, StopReason, Usage,
    models::{Script, ScriptedModel},
    testing::{LintedStack, Recorder},
    tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, EventsLayer, JournalLayer, ToolCallsLayer, ToolLoopLayer,
};
use serde_json::{Value, json};

/// Takes a turn with this model and returns what was told, in short.
async fn told(model: ScriptedModel) -> Vec<String> {
    let recorder = Recorder::default();
    let notes = recorder.clone();
    let events = Events::inline(move |event| notes.note(short(&event)));
    let stack = LintedStack::new()
        .layer(EventsLayer::new())
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(EventsLayer::new())
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(model);
    let look = tool_fn("look", "Looks.", |_: Value, _| std::future::ready(Ok::<_, Error>("seen")));
    let agent = Agent::builder(stack).tool(look).build().unwrap();
    drop(agent.turn(&Session::new(), "hi").events(events).await);
    recorder.list()
}

fn short(event: &Event) -> String {
    match event {
        Event::TurnStart => "turn".into(),
        Event::TurnEnd { stop, usage } => format!("turn ends {stop:?} {}", usage.total()),
        Event::TurnFailed { kind, .. } => format!("turn fails {kind:?}"),
        Event::StepStart { step } => format!("step {step}"),
        Event::StepEnd { step, stop, usage } => {
            format!("step {step} ends {stop:?} {}", usage.total())
        }
        Event::StepFailed { step, kind, .. } => format!("step {step} fails {kind:?}"),
        Event::Text { delta } => format!("text {delta}"),
        Event::ToolStart { call } => format!("tool {}", call.name),
        Event::ToolEnd { name, .. } => format!("tool {name} ends"),
        Event::ToolArguments { so_far, .. } => format!("arguments {so_far}"),
        other => format!("{other:?}"),
    }
}

#[tokio::test]
async fn a_step_holds_its_text_and_its_tools_and_a_turn_its_steps() {
    let usage = |input| Usage { input, ..Usage::default() };
    let model = ScriptedModel::new([
        Script::text("Hm.").and_call("look", json!({})).usage(usage(3)),
        Script::text("Done.").pieces(2).usage(usage(4)),
    ]);
    let expected = [
        "turn",
        "step 1",
        "text Hm.",
        "arguments {}",
        "tool look",
        "tool look ends",
        "step 1 ends ToolCalls 3",
        "step 2",
        "text Don",
        "text e.",
        "step 2 ends EndTurn 4",
        "turn ends EndTurn 7",
    ];
    assert_eq!(told(model).await, expected);
}

#[tokio::test]
async fn a_stream_that_breaks_is_told_with_its_kind_after_its_deltas() {
    let broken = Script::text("half").and_fail(Error::new(ErrorKind::Truncated, "broke"));
    let expected =
        ["turn", "step 1", "text half", "step 1 fails Truncated", "turn fails Truncated"];
    assert_eq!(told(ScriptedModel::new([broken])).await, expected);
}

#[tokio::test]
async fn a_layer_with_a_handler_of_its_own_tells_it_all_from_below() {
    let recorder = Recorder::default();
    let notes = recorder.clone();
    let handler = Events::inline(move |event| notes.note(short(&event)));
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(EventsLayer::to(handler))
        .model(ScriptedModel::text("hi"));
    let reply = Agent::builder(stack).build().unwrap().send(&Session::new(), "hi").await.unwrap();
    assert_eq!(reply.stop, StopReason::EndTurn);
    assert_eq!(recorder.list(), ["turn", "text hi", "turn ends EndTurn 0"]);
}
