//! Tool calls run side by side; whatever goes wrong is an error result.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use async_trait::async_trait;
use brute_core::{
    Agent, Error, Event, Events, Session, Stack, Tool, ToolContext, ToolOutput, ToolResult,
    ToolSpec, Turn, from_fn,
    models::{Script, ScriptedModel},
    testing::{LintedStack, assert_paired},
    tool_fn,
};
use brute_middleware::{AcceptInputLayer, JournalLayer, ToolCallsLayer, ToolLoopLayer};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tower::timeout::TimeoutLayer;

#[derive(Deserialize, JsonSchema)]
struct Wait {
    /// How long to wait, in milliseconds.
    millis: u64,
}

async fn wait(Wait { millis }: Wait, _: ToolContext) -> Result<String, Error> {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    Ok(format!("waited {millis}"))
}

struct Explode;

#[async_trait]
impl Tool for Explode {
    async fn call(&self, _: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        panic!("the tool is on fire")
    }
}

struct Fail;

#[async_trait]
impl Tool for Fail {
    async fn call(&self, _: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        let cause = std::io::Error::other("the disk is full");
        Err(Error::new(brute_core::ErrorKind::Tool, "cannot write").because(cause))
    }
}

fn agent<T: brute_core::ToolService>(layer: ToolCallsLayer<T>, model: ScriptedModel) -> Agent {
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(layer)
        .layer(JournalLayer)
        .model(model);
    let wait = tool_fn("wait", "Waits.", wait);
    Agent::builder(stack).tool(wait).tool(Explode).tool(Fail).build().unwrap()
}

/// Runs the calls of one reply and returns their results.
async fn results_of(asking: Script) -> Vec<ToolResult> {
    let session = Session::new();
    let model = ScriptedModel::new([asking, Script::text("done")]);
    let reply = agent(ToolCallsLayer::new(), model).send(&session, "hi").await.unwrap();
    assert_eq!(reply.answer(), "done", "the model is called again, whatever became of the calls");
    assert_paired(&session.log());
    session
        .log()
        .iter()
        .flat_map(|message| message.tool_results().cloned().collect::<Vec<_>>())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn results_come_in_the_order_of_the_calls_not_in_that_of_their_end() {
    let began = tokio::time::Instant::now();
    let asking = Script::call("wait", json!({ "millis": 300 }))
        .and_call("wait", json!({ "millis": 100 }))
        .and_call("wait", json!({ "millis": 200 }));
    let texts: Vec<_> =
        results_of(asking).await.into_iter().map(|result| result.text.to_string()).collect();
    assert_eq!(texts, ["waited 300", "waited 100", "waited 200"]);
    assert_eq!(began.elapsed(), Duration::from_millis(300), "they run side by side");
}

#[tokio::test(start_paused = true)]
async fn only_the_call_that_failed_is_an_error() {
    let asking = Script::call("wait", json!({ "millis": 1 }))
        .and_call("fail", json!({}))
        .and_call("wait", json!({ "millis": 1 }));
    let results = results_of(asking).await;
    assert_eq!(
        results.iter().map(|result| result.is_error).collect::<Vec<_>>(),
        [false, true, false]
    );
    assert_eq!(&*results[1].text, "Error: cannot write: the disk is full");
}

#[tokio::test]
async fn a_panic_is_an_error_result_that_says_why() {
    let results = results_of(Script::call("explode", json!({})).and_call("fail", json!({}))).await;
    assert!(results[0].is_error && results[0].text.contains("the tool is on fire"), "{results:?}");
    assert_eq!(results.len(), 2);
}

#[tokio::test]
async fn a_wrong_name_is_answered_with_the_names_on_offer() {
    let results = results_of(Script::call("wiat", json!({}))).await;
    assert!(results[0].is_error);
    assert!(
        results[0].text.contains("\"wiat\"") && results[0].text.contains("explode, fail, wait"),
        "{results:?}"
    );
}

#[tokio::test]
async fn arguments_of_the_wrong_type_are_answered_with_the_member_that_does_not_fit() {
    let results = results_of(Script::call("wait", json!({ "millis": "long" }))).await;
    assert!(results[0].is_error);
    assert!(
        results[0].text.contains("`millis`") && results[0].text.contains("\"wait\""),
        "{results:?}"
    );
}

#[tokio::test]
async fn missing_arguments_are_named() {
    let results = results_of(Script::call("wait", json!({}))).await;
    assert!(results[0].is_error && results[0].text.contains("millis"), "{results:?}");
}

#[tokio::test]
async fn arguments_that_are_no_json_object_do_not_run_the_tool_and_go_over_the_wire_as_one() {
    for raw in ["{\"millis\": 1", "[1]", "null", "millis=1", "{\"a\": \"\u{1}\n\"}", "\"\\U0041\""]
    {
        let session = Session::new();
        let asking = Script::empty().and_raw_call("wait", [raw]);
        let model = ScriptedModel::new([asking, Script::text("done")]);
        agent(ToolCallsLayer::new(), model).send(&session, "hi").await.unwrap();
        let log = session.log();
        let result = log.iter().flat_map(|message| message.tool_results()).next().unwrap();
        assert!(result.is_error && result.text.contains("did not run"), "{raw}: {result:?}");
        assert!(result.text.contains("\"millis\""), "the schema is told: {result:?}");
        let call = log.iter().flat_map(|message| message.tool_calls()).next().unwrap();
        assert_eq!(*call.arguments.to_wire(), json!({ "invalid_arguments": raw }));
    }
}

#[tokio::test]
async fn arguments_that_come_in_pieces_make_one_call() {
    let asking = Script::empty().and_raw_call("wait", ["{\"mil", "lis\": ", "0}"]);
    assert_eq!(&*results_of(asking).await[0].text, "waited 0");
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_hangs_ends_in_an_error_result_and_the_others_are_kept() {
    let tools =
        Stack::new().layer(TimeoutLayer::new(Duration::from_secs(1))).tools().into_parts().0;
    let asking = Script::call("wait", json!({ "millis": 3_600_000 }))
        .and_call("wait", json!({ "millis": 10 }));
    let session = Session::new();
    let model = ScriptedModel::new([asking, Script::text("done")]);
    agent(ToolCallsLayer::with_tools(tools), model).send(&session, "hi").await.unwrap();
    let log = session.log();
    let results: Vec<_> = log.iter().flat_map(|message| message.tool_results()).collect();
    assert_eq!(results.iter().map(|result| result.is_error).collect::<Vec<_>>(), [true, false]);
    assert!(results[0].text.contains("timed out"), "{results:?}");
}

#[tokio::test(start_paused = true)]
async fn never_more_than_the_limit_run_at_once() {
    for (limit, expected) in [(Some(1), 1), (Some(2), 2), (None, 5)] {
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let seen = most.clone();
        let busy = tool_fn("busy", "Is busy.", move |_: Value, _| {
            let (running, most) = (running.clone(), seen.clone());
            async move {
                most.fetch_max(running.fetch_add(1, SeqCst) + 1, SeqCst);
                tokio::time::sleep(Duration::from_millis(10)).await;
                running.fetch_sub(1, SeqCst);
                Ok::<_, Error>("done")
            }
        });
        let asking = (1..5)
            .fold(Script::call("busy", json!({})), |script, _| script.and_call("busy", json!({})));
        let stack = LintedStack::new()
            .layer(AcceptInputLayer)
            .layer(ToolLoopLayer)
            .layer(ToolCallsLayer::new().limit(limit))
            .layer(JournalLayer)
            .model(ScriptedModel::new([asking, Script::text("done")]));
        Agent::builder(stack)
            .tool(busy)
            .build()
            .unwrap()
            .send(&Session::new(), "hi")
            .await
            .unwrap();
        assert_eq!(most.load(SeqCst), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_sequential_tool_runs_alone() {
    let recorder = brute_core::testing::Recorder::default();
    let noting = |name: &'static str| {
        let recorder = recorder.clone();
        tool_fn(name, "Notes when it starts and ends.", move |_: Value, _| {
            let recorder = recorder.clone();
            async move {
                recorder.note(format!("start {name}"));
                tokio::time::sleep(Duration::from_millis(5)).await;
                recorder.note(format!("end {name}"));
                Ok::<_, Error>(name)
            }
        })
    };
    let asking = ["a", "b", "alone", "c"]
        .iter()
        .fold(Script::empty(), |script, name| script.and_call(name, json!({})));
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(ScriptedModel::new([asking, Script::text("done")]));
    let alone = noting("alone").sequential();
    let agent =
        Agent::builder(stack).tool(noting("a")).tool(noting("b")).tool(alone).tool(noting("c"));
    agent.build().unwrap().send(&Session::new(), "hi").await.unwrap();
    let list = recorder.list();
    assert_eq!(
        list[..4].iter().filter(|note| note.ends_with('a') || note.ends_with('b')).count(),
        4
    );
    assert_eq!(list[4..], ["start alone", "end alone", "start c", "end c"]);
}

#[tokio::test]
async fn a_tool_that_is_hidden_for_a_step_is_not_callable_either() {
    let hide = from_fn(|mut turn: Turn, next: brute_core::Next| async move {
        turn.tools = turn.tools.filter(|spec| &*spec.name != "fail");
        next.run(turn).await
    });
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(hide)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(ScriptedModel::new([Script::call("fail", json!({})), Script::text("done")]));
    let session = Session::new();
    Agent::builder(stack)
        .tool(Fail)
        .tool(Explode)
        .build()
        .unwrap()
        .send(&session, "hi")
        .await
        .unwrap();
    let log = session.log();
    let result = log.iter().flat_map(|message| message.tool_results()).next().unwrap();
    assert!(
        result.text.contains("unknown tool \"fail\": the tools on offer are explode"),
        "{result:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn events_tell_when_each_tool_starts_and_ends_with_the_id_of_its_call() {
    let recorder = brute_core::testing::Recorder::default();
    let notes = recorder.clone();
    let events = Events::inline(move |event| match event {
        Event::ToolStart { call } => notes.note(format!("start {}", call.id)),
        Event::ToolEnd { call_id, is_error, .. } => notes.note(format!("end {call_id} {is_error}")),
        _ => {}
    });
    let asking = Script::empty()
        .and_call_with_id("slow", "wait", json!({ "millis": 9 }))
        .and_call_with_id("bad", "fail", json!({}));
    let model = ScriptedModel::new([asking, Script::text("done")]);
    agent(ToolCallsLayer::new(), model).turn(&Session::new(), "hi").events(events).await.unwrap();
    assert_eq!(recorder.list(), ["start slow", "start bad", "end bad true", "end slow false"]);
}

#[tokio::test]
async fn layers_of_the_tool_stack_nest_around_each_tool_within_the_turn() {
    let recorder = brute_core::testing::Recorder::default();
    let around = |name: &'static str| {
        let recorder = recorder.clone();
        tower::layer::layer_fn(move |inner: brute_core::BoxTool| {
            let recorder = recorder.clone();
            brute_core::BoxTool::new(tower::service_fn(move |request: brute_core::ToolRequest| {
                let (recorder, inner) = (recorder.clone(), inner.clone());
                async move {
                    recorder.note(format!("enter {name}"));
                    let output = tower::ServiceExt::oneshot(inner, request).await;
                    recorder.note(format!("leave {name}"));
                    output
                }
            }))
        })
    };
    let notes = recorder.clone();
    let noting = tool_fn("noting", "Notes that it ran.", move |_: Value, _| {
        notes.note("the tool");
        std::future::ready(Ok::<_, Error>("noted"))
    });
    let erase = tower::layer::layer_fn(brute_core::BoxTool::new);
    let tools =
        Stack::new().layer(around("a")).layer(around("b")).layer(erase).tools().into_parts().0;
    let stack = LintedStack::new()
        .layer(recorder.layer("turn"))
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::with_tools(tools))
        .layer(JournalLayer)
        .model(ScriptedModel::new([Script::call("noting", json!({})), Script::text("done")]));
    Agent::builder(stack).tool(noting).build().unwrap().send(&Session::new(), "hi").await.unwrap();
    let expected =
        ["enter turn", "enter a", "enter b", "the tool", "leave b", "leave a", "leave turn"];
    assert_eq!(recorder.list(), expected);
}

struct Huge;

#[async_trait]
impl Tool for Huge {
    fn spec(&self) -> ToolSpec {
        ToolSpec::new("huge", "Returns megabytes.")
    }

    async fn call(&self, _: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        Ok("x".repeat(8 << 20).into())
    }
}

#[test]
fn megabytes_from_a_tool_are_shared_not_copied() {
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(ScriptedModel::new([Script::call("huge", json!({})), Script::text("done")]));
    let agent = Agent::builder(stack).tool(Huge).build().unwrap();
    let session = Session::new();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let counted = allocation_counter::measure(|| {
        let reply = runtime.block_on(agent.send(&session, "hi")).unwrap();
        assert_eq!(reply.added.len(), 3);
    });
    // Once as the tool made it, once as the shared text that everybody points to.
    assert!(counted.bytes_max < 17 << 20, "{} bytes at once", counted.bytes_max);
}
