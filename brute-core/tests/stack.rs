//! A stack nests its layers in the order they are written, outermost first.

use std::{sync::Arc, time::Duration};

use brute_core::models::{Script, ScriptedModel};
use brute_core::testing::{LintedStack, Recorder};
use brute_core::{
    Agent, BoxStack, BuiltStack, Error, ErrorKind, Message, Next, Part, Reply, Role, Section,
    Session, Stack, ToolCall, ToolContext, ToolOutput, ToolRequest, Toolbox, Turn, TurnService,
    Zone, from_fn,
};
use tower::{Layer, ServiceExt, timeout::TimeoutLayer};

async fn send<S: TurnService>(stack: impl Into<BuiltStack<S>>) -> Reply {
    let agent = Agent::builder(stack).build().unwrap();
    agent.send(&Session::new(), "hi").await.unwrap()
}

fn model() -> ScriptedModel {
    ScriptedModel::answering(|_| Script::text("hello"))
}

#[tokio::test]
async fn layers_are_entered_in_order_and_left_in_reverse() {
    let recorder = Recorder::default();
    let stack = LintedStack::new()
        .layer(recorder.layer("A"))
        .layer(recorder.layer("B"))
        .layer(recorder.layer("C"))
        .model(model());
    send(stack).await;
    let expected = ["enter A", "enter B", "enter C", "leave C", "leave B", "leave A"];
    assert_eq!(recorder.list(), expected);
}

#[tokio::test]
async fn what_comes_before_runs_in_order_and_what_comes_after_in_reverse() {
    let recorder = Recorder::default();
    let hooks = |name: &'static str| {
        let recorder = recorder.clone();
        from_fn(move |turn, next: Next| {
            let recorder = recorder.clone();
            async move {
                recorder.note(format!("before {name}"));
                let reply = next.run(turn).await?;
                recorder.note(format!("after {name}"));
                Ok(reply)
            }
        })
    };
    send(LintedStack::new().layer(hooks("A")).layer(hooks("B")).model(model())).await;
    assert_eq!(recorder.list(), ["before A", "before B", "after B", "after A"]);
}

#[tokio::test]
async fn no_layers_are_like_one_that_does_nothing() {
    let nothing = from_fn(|turn, next: Next| async move { next.run(turn).await });
    let plain = send(model()).await;
    assert_eq!(send(Stack::new().model(model())).await, plain);
    assert_eq!(send(LintedStack::new().layer(nothing).model(model())).await, plain);
}

#[tokio::test]
async fn an_outer_layer_that_answers_by_itself_leaves_everything_below_untouched() {
    let (recorder, model) = (Recorder::default(), ScriptedModel::new([]));
    let answers = {
        let recorder = recorder.clone();
        from_fn(move |_, _: Next| {
            let recorder = recorder.clone();
            async move {
                recorder.note("before");
                let reply = Reply::text("cached");
                recorder.note("after");
                Ok(reply)
            }
        })
    };
    let stack = LintedStack::new().layer(answers).layer(recorder.layer("inner"));
    assert_eq!(send(stack.model(model.clone())).await.answer(), "cached");
    assert_eq!(recorder.list(), ["before", "after"]);
    assert!(model.requests().is_empty());
}

/// A layer that adds a section to the system message, which it makes if there is none.
async fn add_section(name: &str, mut turn: Turn, next: Next) -> Result<Reply, Error> {
    let (name, text) = (name.into(), format!("I am {name}.").into());
    let section = Part::Section(Section { name, zone: Zone::Static, text });
    let mut log = turn.log.clone();
    let mut system = match log.get(0).filter(|message| message.role == Role::System) {
        Some(message) => Message::clone(message),
        None => Message::new(Role::System, Vec::new()),
    };
    if !system.parts.is_empty() {
        log = log.since(1).cloned().collect();
    }
    system.parts.push(section);
    log.push_front(system);
    turn.log = log;
    next.run(turn).await
}

#[tokio::test]
async fn two_layers_add_to_the_system_prompt_in_their_order_each_once() {
    let model = model();
    let stack = LintedStack::new()
        .layer(from_fn(|turn, next| async { add_section("A", turn, next).await }))
        .layer(from_fn(|turn, next| async { add_section("B", turn, next).await }))
        .model(model.clone());
    let (agent, session) = (Agent::builder(stack).build().unwrap(), Session::new());
    for _ in 0..2 {
        agent.send(&session, "hi").await.unwrap();
    }
    for request in model.requests() {
        assert_eq!(request.log.get(0).unwrap().text(), "I am A.\n\nI am B.");
        assert_eq!(request.log.iter().filter(|message| message.role == Role::System).count(), 1);
    }
    assert!(!session.log().has_system());
}

#[tokio::test]
async fn layers_are_not_used_up_by_building_a_stack() {
    let recorder = Recorder::default();
    let layers = Stack::new().layer(recorder.layer("A")).layer(recorder.layer("B"));
    let (one, two) = (layers.clone().model(model()), layers.clone().model(model()));
    assert_eq!(one.picture(), two.picture());
    assert_eq!(send(one).await, send(two).await);
    let half = recorder.list().len() / 2;
    assert_eq!(recorder.list()[..half], recorder.list()[half..]);
    assert!(layers.picture().names().eq(["Recorder", "Recorder"]));
}

#[tokio::test]
async fn one_stack_serves_two_turns_at_once_without_sharing_their_state() {
    // Each turn keeps a count of its own within the layer's future.
    let counts = from_fn(|turn: Turn, next: Next| async move {
        let mut count = 0;
        for _ in 0..3 {
            next.clone().run(turn.clone()).await?;
            count += 1;
        }
        Ok(Reply::text(format!("{} {count}", turn.input.text())))
    });
    let slow = ScriptedModel::answering(|_| Script::text("hi").pending(2));
    let stack = LintedStack::new().layer(counts).model(slow);
    let agent = Agent::builder(stack).build().unwrap();
    let (one, two) = (Session::new(), Session::new());
    let (first, second) = tokio::join!(agent.send(&one, "one"), agent.send(&two, "two"));
    assert_eq!(first.unwrap().answer(), "one 3");
    assert_eq!(second.unwrap().answer(), "two 3");
}

#[tokio::test]
async fn extend_puts_the_other_stack_below() {
    let recorder = Recorder::default();
    let inner = Stack::new().layer(recorder.layer("C")).layer(recorder.layer("D"));
    let outer = Stack::new().layer(recorder.layer("A")).layer(recorder.layer("B"));
    send(outer.extend(inner).layer(recorder.layer("E")).model(model())).await;
    let entered: String = recorder.list()[..5].iter().map(|note| &note[6..]).collect();
    assert_eq!(entered, "ABCDE");
}

#[tokio::test]
async fn over_puts_the_layers_on_a_whole_stack() {
    let recorder = Recorder::default();
    let whole = Stack::new().layer(recorder.layer("C")).model(model());
    let erased = whole.map(|service| BoxStack::new(service.map_err(Error::wrap)));
    let stack = Stack::new().layer(recorder.layer("A")).layer(recorder.layer("B")).over(erased);
    assert!(stack.picture().names().eq(["Recorder", "Recorder", "Recorder", "ScriptedModel"]));
    send(stack).await;
    assert_eq!(recorder.list()[..3], ["enter A", "enter B", "enter C"]);
}

#[tokio::test]
async fn a_stack_is_a_layer_of_tower() {
    let recorder = Recorder::default();
    let stack = Stack::new().layer(recorder.layer("A")).layer(recorder.layer("B"));
    let service = tower::ServiceBuilder::new().layer(stack).service(model());
    service.oneshot(Turn::default()).await.unwrap();
    assert_eq!(recorder.list()[..2], ["enter A", "enter B"]);
}

#[tokio::test(start_paused = true)]
async fn layers_of_tower_stand_in_a_stack_as_they_are() {
    let slow = || ScriptedModel::new([Script::text("late").delay(Duration::from_mins(1))]);
    let timeout = || TimeoutLayer::new(Duration::from_secs(1));
    let pass = from_fn(|turn, next: Next| async move { next.run(turn).await });
    let above = LintedStack::new().layer(timeout()).layer(pass).model(slow());
    let below = LintedStack::new().layer(pass).layer(timeout()).model(slow());
    for agent in [Agent::builder(above), Agent::builder(below)] {
        let turn = agent.build().unwrap().send(&Session::new(), "hi");
        assert_eq!(turn.await.unwrap_err().kind(), ErrorKind::Timeout);
    }
}

#[tokio::test(start_paused = true)]
async fn a_stack_around_tools_ends_in_the_tool_that_is_asked_for() {
    let tool = brute_core::tool_fn("nap", "", async |(): (), _| {
        tokio::time::sleep(Duration::from_mins(1)).await;
        Ok::<_, Error>("rested")
    });
    let tools = Toolbox::default().with(tool).unwrap();
    let request = || ToolRequest {
        tool: tools.get("nap").cloned(),
        context: ToolContext {
            call: ToolCall::new("1", "nap", serde_json::json!({})),
            facts: brute_core::Facts::default(),
            events: brute_core::Events::default(),
        },
        on_offer: tools.clone(),
    };
    let stack = |limit| Stack::new().layer(TimeoutLayer::new(limit)).tools().into_parts().0;
    let output = stack(Duration::from_mins(2)).oneshot(request()).await.unwrap();
    assert_eq!(output, ToolOutput::from("rested"));
    let error = stack(Duration::from_secs(1)).oneshot(request()).await.unwrap_err();
    assert_eq!(Error::wrap(error).kind(), ErrorKind::Timeout);
}

#[tokio::test]
async fn any_service_of_turns_is_a_stack() {
    let service = tower::service_fn(|turn: Turn| async move {
        Ok::<_, std::io::Error>(Reply::text(turn.input.text()))
    });
    assert_eq!(send(service).await.answer(), "hi");
    let layered: Arc<str> = "one".into();
    let service = TimeoutLayer::new(Duration::from_secs(1)).layer(ScriptedModel::text(&layered));
    assert_eq!(send(service).await.answer(), "one");
}
