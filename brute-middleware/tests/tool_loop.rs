//! The loop goes on while tool results are pending, and ends by itself.

use std::time::Duration;

use brute_core::{
    Agent, Error, ErrorKind, Message, Part, Reply, Role, Session, Stack, StopReason, ToolContext,
    ToolResult, Turn, Usage, from_fn,
    models::{Script, ScriptedModel},
    testing::{LintedStack, Recorder, assert_paired},
    tool_fn,
};
use brute_middleware::{AcceptInputLayer, JournalLayer, ToolCallsLayer, ToolLoopLayer};
use serde_json::{Value, json};
use tower::ServiceExt;

async fn look(_: Value, _: ToolContext) -> Result<&'static str, Error> {
    Ok("seen")
}

fn agent(model: &ScriptedModel) -> Agent {
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(model.clone());
    Agent::builder(stack).tool(tool_fn("look", "Looks.", look).read_only()).build().unwrap()
}

fn looks(times: usize) -> ScriptedModel {
    let looks = (0..times).map(|_| Script::call("look", json!({})).usage(usage(10, 1)));
    ScriptedModel::new(looks.chain([Script::text("done").usage(usage(20, 5))]))
}

fn usage(input: u64, output: u64) -> Usage {
    Usage { input, output, ..Usage::default() }
}

#[tokio::test]
async fn a_text_ends_the_turn_after_one_call() {
    let model = looks(0);
    let reply = agent(&model).send(&Session::new(), "hi").await.unwrap();
    assert_eq!(
        (model.requests().len(), reply.stop, reply.added.len()),
        (1, StopReason::EndTurn, 1)
    );
}

#[tokio::test]
async fn results_are_answered_until_there_are_none() {
    let model = looks(3);
    let session = Session::new();
    let reply = agent(&model).send(&session, "hi").await.unwrap();
    let steps: Vec<_> = model.requests().iter().map(|turn| turn.facts.step).collect();
    assert_eq!(steps, [1, 2, 3, 4]);
    assert_eq!(session.log().iter().skip(1).cloned().collect::<Vec<_>>(), reply.added);
    assert_paired(&session.log());
}

#[tokio::test]
async fn the_usage_of_a_turn_is_the_sum_and_each_step_keeps_its_own() {
    let session = Session::new();
    let reply = agent(&looks(2)).send(&session, "hi").await.unwrap();
    assert_eq!(reply.usage, usage(40, 7));
    assert_eq!(reply.last_assistant().unwrap().usage, Some(usage(20, 5)));
}

#[tokio::test]
async fn text_beside_tool_calls_is_kept_and_the_loop_goes_on() {
    let model = ScriptedModel::new([
        Script::text("Let me look.").and_call("look", json!({})),
        Script::text("done"),
    ]);
    let session = Session::new();
    agent(&model).send(&session, "hi").await.unwrap();
    let asking = session.log().get(1).unwrap().clone();
    assert_eq!((asking.text().as_str(), asking.tool_calls().count()), ("Let me look.", 1));
    assert_eq!(model.requests().len(), 2);
}

#[tokio::test]
async fn an_empty_answer_ends_the_turn() {
    let model = ScriptedModel::new([Script::empty()]);
    let reply = agent(&model).send(&Session::new(), "hi").await.unwrap();
    assert_eq!((reply.stop, reply.answer().as_str()), (StopReason::EndTurn, ""));
}

#[tokio::test]
async fn a_model_that_fails_after_some_deltas_leaves_no_half_message() {
    let broken =
        Script::text("half an ans").and_fail(Error::new(ErrorKind::Truncated, "the stream broke"));
    let model = ScriptedModel::new([Script::call("look", json!({})), broken]);
    let session = Session::new();
    let error = agent(&model).send(&session, "hi").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Truncated);
    let roles: Vec<_> = session.log().iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::Tool]);
}

#[tokio::test]
async fn a_turn_after_a_failed_one_answers() {
    let model =
        ScriptedModel::new([Script::fail(Error::new(ErrorKind::Model, "no")), Script::text("yes")]);
    let session = Session::new();
    agent(&model).send(&session, "hi").await.unwrap_err();
    assert_eq!(agent(&model).send(&session, "again").await.unwrap().answer(), "yes");
}

#[tokio::test]
async fn one_call_id_used_in_two_turns_is_paired_within_each() {
    let call = || Script::empty().and_call_with_id("same", "look", json!({}));
    let model = ScriptedModel::new([call(), Script::text("one"), call(), Script::text("two")]);
    let session = Session::new();
    agent(&model).send(&session, "hi").await.unwrap();
    agent(&model).send(&session, "again").await.unwrap();
    assert_paired(&session.log());
    assert_eq!(session.log().len(), 8);
}

#[tokio::test]
async fn layers_above_run_once_a_turn_and_layers_below_once_a_step() {
    let recorder = Recorder::default();
    let stack = LintedStack::new()
        .layer(recorder.layer("A"))
        .layer(recorder.layer("B"))
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(recorder.layer("c"))
        .layer(recorder.layer("d"))
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(looks(2));
    let agent = Agent::builder(stack).tool(tool_fn("look", "Looks.", look)).build().unwrap();
    agent.send(&Session::new(), "hi").await.unwrap();
    let mut list = vec!["enter A", "enter B"];
    list.extend(["enter c", "enter d", "leave d", "leave c"].repeat(3));
    list.extend(["leave B", "leave A"]);
    assert_eq!(recorder.list(), list);
}

/// Law 1: what a layer below adds to the log is seen by that call alone.
#[tokio::test]
async fn law_1_a_view_is_not_recorded_and_not_handed_to_the_next_step() {
    let whisper = from_fn(|mut turn: Turn, next: brute_core::Next| async move {
        turn.log.push(Message::developer("psst"));
        next.run(turn).await
    });
    let model = looks(2);
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(whisper)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(model.clone());
    let agent = Agent::builder(stack).tool(tool_fn("look", "Looks.", look)).build().unwrap();
    let session = Session::new();
    agent.send(&session, "hi").await.unwrap();
    let seen: Vec<_> = model.requests().iter().map(|turn| turn.log.len()).collect();
    assert_eq!(seen, [2, 4, 6]);
    assert!(session.log().iter().all(|message| message.role != Role::Developer));
}

#[tokio::test]
async fn a_loop_without_a_journal_below_still_leaves_a_whole_record() {
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .model(looks(1));
    let agent = Agent::builder(stack).tool(tool_fn("look", "Looks.", look)).build().unwrap();
    let session = Session::new();
    agent.send(&session, "hi").await.unwrap();
    assert_eq!(session.log().len(), 4);
    assert_paired(&session.log());
}

#[tokio::test]
async fn a_layer_that_answers_by_itself_ends_the_turn_and_is_recorded_once() {
    let refuse = from_fn(|_: Turn, _: brute_core::Next| async { Ok(Reply::text("Not today.")) });
    let model = looks(0);
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(refuse)
        .layer(JournalLayer)
        .model(model.clone());
    let session = Session::new();
    let reply = Agent::builder(stack).build().unwrap().send(&session, "hi").await.unwrap();
    assert_eq!(reply.answer(), "Not today.");
    assert_eq!((session.log().len(), model.requests().len()), (2, 0));
}

/// Law 7: the loop is ready whatever lies below, and reserves nothing until it calls.
#[tokio::test]
async fn law_7_the_loop_is_always_ready() {
    let permit = std::sync::Arc::new(tokio::sync::Semaphore::new(0));
    let full = tower::limit::ConcurrencyLimit::with_semaphore(looks(0), permit.clone());
    let mut service = tower::Layer::layer(&ToolLoopLayer, full);
    ServiceExt::<Turn>::ready(&mut service).await.unwrap();
    let turn = Turn { log: [Message::user("hi")].into_iter().collect(), ..Turn::default() };
    let call = tower::Service::call(&mut service, turn);
    permit.add_permits(1);
    assert!(tokio::time::timeout(Duration::from_secs(5), call).await.unwrap().is_ok());
}

#[tokio::test]
async fn tool_results_that_a_session_ends_in_are_answered() {
    let call = Part::ToolCall(brute_core::ToolCall::new("1", "look", json!({})));
    let log = [
        Message::user("hi"),
        Message::new(Role::Assistant, vec![call]),
        Message::tool_result(ToolResult::ok("1", "seen")),
    ];
    let session = Session::from_log(&log.into_iter().collect()).unwrap();
    let reply = agent(&looks(0)).send(&session, brute_core::Input::none()).await.unwrap();
    assert_eq!(reply.answer(), "done");
}

/// A stack whose loop stands directly over a function that plays the model.
fn over(answer: impl Fn(u32) -> Reply + Clone + Send + Sync + 'static) -> (Agent, Recorder) {
    let recorder = Recorder::default();
    let calls = recorder.clone();
    let model = from_fn(move |turn: Turn, _: brute_core::Next| {
        calls.note("call");
        let reply = answer(turn.facts.step);
        async { Ok(reply) }
    });
    let stack = Stack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .layer(model)
        .model(looks(0));
    (Agent::builder(stack).tool(tool_fn("look", "Looks.", look)).build().unwrap(), recorder)
}

#[tokio::test]
async fn a_reply_without_messages_ends_the_turn_whatever_its_reason() {
    for stop in [StopReason::EndTurn, StopReason::Budget, StopReason::ToolCalls] {
        let (agent, recorder) = over(move |step| match step {
            1 => Reply { stop, ..Reply::default() },
            _ => Reply::text("never"),
        });
        let reply = agent.send(&Session::new(), "hi").await.unwrap();
        assert_eq!((reply.stop, reply.added.len(), recorder.list().len()), (stop, 0, 1));
    }
}

#[tokio::test]
async fn a_budget_that_a_layer_around_the_model_sets_ends_the_turn_before_tools_run() {
    let call = Part::ToolCall(brute_core::ToolCall::new("1", "look", json!({})));
    let asking = Message::new(Role::Assistant, vec![call]);
    let (agent, recorder) = over(move |_| Reply::new(asking.clone(), StopReason::Budget));
    let session = Session::new();
    let reply = agent.send(&session, "hi").await.unwrap();
    assert_eq!((reply.stop, recorder.list().len()), (StopReason::Budget, 1));
    assert!(reply.added[1].tool_results().all(|result| result.is_error));
    assert_paired(&session.log());
}

#[tokio::test]
async fn what_a_layer_adds_above_the_journal_is_recorded_in_its_place() {
    let nudge = from_fn(|turn: Turn, next: brute_core::Next| async move {
        let is_first = turn.facts.step == 1;
        let mut reply = next.run(turn).await?;
        if is_first {
            reply.added.push(std::sync::Arc::new(Message::user("Look closer.")));
        }
        Ok(reply)
    });
    let model = looks(2);
    let stack = Stack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(nudge)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(model.clone());
    let agent = Agent::builder(stack).tool(tool_fn("look", "Looks.", look)).build().unwrap();
    let session = Session::new();
    agent.send(&session, "hi").await.unwrap();
    let texts = |log: &brute_core::Log| {
        log.iter().map(|message| (message.role, message.text())).collect::<Vec<_>>()
    };
    let last = texts(&model.requests()[2].log);
    assert_eq!(last, texts(&session.log())[..last.len()]);
    assert_eq!(session.log().get(3).unwrap().text(), "Look closer.");
}

#[tokio::test]
async fn an_answer_that_no_model_may_give_is_an_error_and_nothing_of_it_is_recorded() {
    let call = |id: &str| Part::ToolCall(brute_core::ToolCall::new(id, "look", json!({})));
    let result = || Part::ToolResult(ToolResult::ok("1", "made up"));
    let asking = |parts| std::sync::Arc::new(Message::new(Role::Assistant, parts));
    for added in [
        vec![asking(vec![Part::text("hello"), result()])],
        vec![asking(vec![call("1"), result()])],
        vec![asking(vec![call("1")]), asking(vec![call("2")])],
        vec![
            asking(vec![Part::text("hello")]),
            std::sync::Arc::new(Message::tool_result(ToolResult::ok("1", "x"))),
        ],
    ] {
        let (agent, _) = over(move |_| Reply {
            added: added.clone(),
            stop: StopReason::ToolCalls,
            ..Reply::default()
        });
        let session = Session::new();
        let error = agent.send(&session, "hi").await.unwrap_err();
        assert_eq!((error.kind(), session.log().len()), (ErrorKind::Model, 1));
    }
}
