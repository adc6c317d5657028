//! Law 2: a turn may be dropped at any await, and what it recorded is whole, paired and goes on.

use std::{
    collections::BTreeSet,
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll, Waker},
    time::Duration,
};

use async_trait::async_trait;
use brute_core::{
    Agent, BuiltStack, CancelToken, Error, ErrorKind, Facts, Reply, Role, Session, StopReason,
    Tool, ToolContext, ToolOutput, Turn, TurnService,
    models::{Script, ScriptedModel},
    testing::{MemoryStore, assert_paired, pending},
};
use brute_middleware::{DefaultStack, SystemPromptLayer};
use serde_json::{Value, json};
use tower::{buffer::BufferLayer, limit::ConcurrencyLimitLayer, timeout::TimeoutLayer};

/// How often model, tools and journal return to the executor at each of their awaits.
const PENDING: usize = 3;

/// A tool that takes its time, and knows how many of its calls are running and have run.
#[derive(Clone, Default)]
struct Slow {
    running: Arc<AtomicUsize>,
    started: Arc<AtomicUsize>,
}

struct Running(Arc<AtomicUsize>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

#[async_trait]
impl Tool for Slow {
    async fn call(&self, _: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        self.running.fetch_add(1, SeqCst);
        let _running = Running(self.running.clone());
        self.started.fetch_add(1, SeqCst);
        pending(PENDING).await;
        Ok("slow".into())
    }
}

struct Fast;

#[async_trait]
impl Tool for Fast {
    async fn call(&self, _: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        Ok("fast".into())
    }
}

/// Asks twice for a slow and a fast tool, then answers; every request must be paired.
fn model() -> ScriptedModel {
    ScriptedModel::answering(|turn| {
        assert_paired(&turn.log);
        let script = match turn.facts.step {
            1 | 2 => {
                Script::text("Let me look.").and_call("slow", json!({})).and_call("fast", json!({}))
            }
            _ => Script::text("done"),
        };
        script.pending(PENDING)
    })
}

/// The default stack without facts from outside, so that only what is counted here pends.
fn stack() -> DefaultStack {
    brute_middleware::default_stack().system_prompt(SystemPromptLayer::default().gather(None))
}

fn agent<S: TurnService>(stack: impl Into<BuiltStack<S>>, slow: &Slow) -> Agent {
    Agent::builder(stack).tool(slow.clone()).tool(Fast).build().unwrap()
}

/// Polls a turn so many times, then drops it; says whether it had ended.
async fn poll_and_drop(turn: impl Future<Output = Result<Reply, Error>>, polls: usize) -> bool {
    let mut turn = Box::pin(turn);
    for _ in 0..polls {
        if poll_once(turn.as_mut()).is_ready() {
            return true;
        }
        // Lets the workers of a `Buffer` do their part.
        tokio::task::yield_now().await;
    }
    false
}

fn poll_once<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Drops a turn after every number of polls; returns the roles that each left behind.
async fn drop_everywhere<S: TurnService>(
    stack: impl Fn(ScriptedModel) -> BuiltStack<S>,
) -> Vec<Vec<Role>> {
    let mut left_behind = Vec::new();
    for polls in 0.. {
        let (slow, store) = (Slow::default(), MemoryStore::slow(PENDING));
        let agent = agent(stack(model()), &slow);
        let session = Session::with_store(Arc::new(store.clone()));
        let ended = poll_and_drop(agent.send(&session, "hi"), polls).await;
        for _ in 0..PENDING {
            tokio::task::yield_now().await;
        }
        assert_eq!(slow.running.load(SeqCst), 0, "a tool outlived its turn after {polls} polls");
        check_session(&session, &store);
        left_behind.push(session.log().iter().map(|message| message.role).collect());
        agent.send(&session, "more").await.unwrap();
        check_session(&session, &store);
        if ended {
            return left_behind;
        }
    }
    unreachable!("a turn ends")
}

/// The session is free and paired, and so is every prefix of what its store was told.
fn check_session(session: &Session, store: &MemoryStore) {
    assert!(!session.is_busy());
    assert_paired(&session.log());
    let entries = store.entries();
    assert_eq!(session.log(), Session::reopen(entries.iter().cloned()).unwrap().log());
    for len in 0..entries.len() {
        assert_paired(&Session::reopen(entries[..len].iter().cloned()).unwrap().log());
    }
}

#[tokio::test]
async fn law_2_a_turn_dropped_at_any_await_leaves_a_whole_session() {
    let left_behind = drop_everywhere(|model| stack().model(model)).await;
    assert!(left_behind.len() >= 30, "only {} drop points", left_behind.len());
    let kinds: BTreeSet<_> = left_behind.iter().map(Vec::len).collect();
    // Nothing yet; in the first model call; in the tools; in the second call; in its tools; at the end.
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), [0, 1, 4, 7, 8]);
}

#[tokio::test]
async fn law_2_holds_through_towers_layers_at_both_heights() {
    let minute = || TimeoutLayer::new(Duration::from_mins(1));
    drop_everywhere(|model| stack().around_turn(minute()).around_model(minute()).model(model))
        .await;
    drop_everywhere(|model| {
        let one = ConcurrencyLimitLayer::new(1);
        stack().around_turn(BufferLayer::<Turn>::new(2)).around_turn(one).model(model)
    })
    .await;
    drop_everywhere(|model| {
        let one = ConcurrencyLimitLayer::new(1);
        stack().around_model(BufferLayer::<Turn>::new(2)).around_model(one).model(model)
    })
    .await;
}

/// Drops a turn at the first poll at which `is_there` says so, and returns the session.
fn dropped_when(is_there: impl Fn(&Slow, &MemoryStore, &ScriptedModel) -> bool) -> Session {
    let (slow, model) = (Slow::default(), model());
    let agent = agent(stack().model(model.clone()), &slow);
    let store = MemoryStore::slow(PENDING);
    let session = Session::with_store(Arc::new(store.clone()));
    let mut turn = agent.send(&session, "hi");
    loop {
        assert!(
            poll_once(turn.as_mut()).is_pending(),
            "the turn ended before the place was reached"
        );
        if is_there(&slow, &store, &model) {
            drop(turn);
            assert_paired(&session.log());
            assert!(!session.is_busy());
            return session;
        }
    }
}

fn roles(session: &Session) -> Vec<Role> {
    session.log().iter().map(|message| message.role).collect()
}

#[tokio::test]
async fn dropped_in_the_first_flush_the_input_is_kept() {
    let session = dropped_when(|_, _, model| model.requests().is_empty());
    assert_eq!(roles(&session), [Role::User]);
}

#[tokio::test]
async fn dropped_in_the_model_call_the_input_is_kept_and_no_half_answer() {
    let session = dropped_when(|_, _, model| model.requests().len() == 1);
    assert_eq!(roles(&session), [Role::User]);
}

#[tokio::test]
async fn dropped_while_tools_run_what_is_finished_is_kept_and_the_rest_is_cancelled() {
    let session = dropped_when(|slow, _, _| slow.running.load(SeqCst) == 1);
    assert_eq!(roles(&session), [Role::User, Role::Assistant, Role::Tool, Role::Tool]);
    let log = session.log();
    let results: Vec<_> = log.iter().flat_map(|message| message.tool_results()).collect();
    assert!(results[0].is_error && results[0].text.starts_with("cancelled"), "{results:?}");
    assert_eq!((&*results[1].text, results[1].is_error), ("fast", false));
}

#[tokio::test]
async fn dropped_in_the_flush_before_tools_the_calls_are_cancelled() {
    // The answer is recorded, and no tool has started.
    let session =
        dropped_when(|slow, store, _| store.entries().len() == 2 && slow.started.load(SeqCst) == 0);
    assert_eq!(roles(&session), [Role::User, Role::Assistant, Role::Tool, Role::Tool]);
    assert!(
        session
            .log()
            .iter()
            .flat_map(|message| message.tool_results())
            .all(|result| result.is_error)
    );
}

#[tokio::test]
async fn dropped_in_a_later_model_call_all_results_are_kept() {
    let session = dropped_when(|_, _, model| model.requests().len() == 2);
    assert_eq!(roles(&session), [Role::User, Role::Assistant, Role::Tool, Role::Tool]);
    assert!(
        session
            .log()
            .iter()
            .flat_map(|message| message.tool_results())
            .all(|result| !result.is_error)
    );
}

#[tokio::test]
async fn an_answer_is_durable_when_the_turn_returns_and_all_is_before_each_model_call() {
    let store = MemoryStore::slow(PENDING);
    let seen = store.clone();
    let model = ScriptedModel::answering(move |turn| {
        let recorded = turn.journal.recorded();
        assert_eq!(seen.durable(), recorded, "something is not durable before a model call");
        if turn.facts.step == 1 { Script::call("fast", json!({})) } else { Script::text("done") }
    });
    let session = Session::with_store(Arc::new(store.clone()));
    agent(stack().model(model), &Slow::default()).send(&session, "hi").await.unwrap();
    assert_eq!(store.durable(), session.log().len());
}

#[tokio::test(start_paused = true)]
async fn law_2_a_tower_timeout_at_any_height_keeps_what_was_recorded() {
    for millis in [1, 15, 25, 45, 65] {
        let timeout = TimeoutLayer::new(Duration::from_millis(millis));
        timed_out(stack().around_turn(timeout.clone()).model(sleepy())).await;
        timed_out(stack().around_model(timeout).model(sleepy())).await;
    }
}

fn sleepy() -> ScriptedModel {
    ScriptedModel::answering(|turn| {
        assert_paired(&turn.log);
        let script = match turn.facts.step {
            1..=3 => {
                Script::text("Let me look.").and_call("nap", json!({})).and_call("fast", json!({}))
            }
            _ => Script::text("done"),
        };
        script.delay(Duration::from_millis(4))
    })
}

struct Nap;

#[async_trait]
impl Tool for Nap {
    async fn call(&self, _: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        tokio::time::sleep(Duration::from_millis(10)).await;
        Ok("slept".into())
    }
}

async fn timed_out<S: TurnService>(stack: BuiltStack<S>) {
    let agent = Agent::builder(stack).tool(Nap).tool(Fast).build().unwrap();
    let session = Session::new();
    if let Err(error) = agent.send(&session, "hi").await {
        assert_eq!(error.kind(), ErrorKind::Timeout);
    }
    assert_paired(&session.log());
    assert_eq!(roles(&session)[0], Role::User);
    drop(agent.send(&session, "more").await);
    assert_paired(&session.log());
}

/// Cancels a turn when this holds, and returns its reply with the session.
fn cancelled_when(is_there: impl Fn(&Slow, &ScriptedModel) -> bool) -> (Reply, Session) {
    let (slow, model, token) = (Slow::default(), model(), CancelToken::new());
    let agent = agent(stack().model(model.clone()), &slow);
    let session = Session::with_store(Arc::new(MemoryStore::slow(PENDING)));
    let mut turn = agent.turn(&session, "hi").cancel_with(&token).send();
    loop {
        if is_there(&slow, &model) {
            token.cancel();
        }
        if let Poll::Ready(reply) = poll_once(turn.as_mut()) {
            assert_eq!(slow.running.load(SeqCst), 0);
            assert_paired(&session.log());
            return (reply.unwrap(), session);
        }
    }
}

#[tokio::test]
async fn law_9_a_token_ends_a_turn_with_what_it_has() {
    let (reply, session) = cancelled_when(|_, model| model.requests().len() == 2);
    assert_eq!(reply.stop, StopReason::Cancelled);
    assert_eq!(reply.added.len(), 3, "an answer and two results");
    assert_eq!(session.log().iter().skip(1).cloned().collect::<Vec<_>>(), reply.added);
}

#[tokio::test]
async fn law_9_a_token_stops_tools_and_keeps_what_is_finished() {
    let (reply, _) = cancelled_when(|slow, _| slow.running.load(SeqCst) == 1);
    assert_eq!((reply.stop, reply.added.len()), (StopReason::Cancelled, 3));
    let results: Vec<_> = reply.added.iter().flat_map(|message| message.tool_results()).collect();
    assert!(results[0].is_error && !results[1].is_error, "{results:?}");
}

#[tokio::test]
async fn law_9_a_token_that_was_used_before_ends_the_turn_before_the_model_is_called() {
    let (reply, session) = cancelled_when(|_, _| true);
    assert_eq!((reply.stop, reply.added.len(), session.log().len()), (StopReason::Cancelled, 0, 1));
}

#[tokio::test]
async fn a_token_that_nobody_uses_changes_nothing() {
    let (reply, session) = cancelled_when(|_, _| false);
    assert_eq!((reply.answer().as_str(), session.log().len()), ("done", 8));
}

#[tokio::test(start_paused = true)]
async fn a_task_that_a_layer_left_behind_records_nothing_after_the_turn_ended() {
    let detach = brute_core::from_fn(|turn, next: brute_core::Next| async move {
        tokio::spawn(next.run(turn)).await.map_err(Error::wrap)?
    });
    let agent = Agent::builder(stack().around_turn(detach).model(sleepy()))
        .tool(Nap)
        .tool(Fast)
        .build()
        .unwrap();
    let session = Session::new();
    let turn = agent.send(&session, "hi");
    assert!(tokio::time::timeout(Duration::from_millis(12), turn).await.is_err());
    let log = session.log();
    assert_paired(&log);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(session.log(), log);
}

#[tokio::test]
async fn a_panic_in_a_layer_unwinds_to_the_caller_with_the_record_whole() {
    use futures::FutureExt;
    let slow = Slow::default();
    let explode = brute_core::from_fn(|turn: Turn, next: brute_core::Next| async move {
        let facts: Facts = turn.facts.clone();
        let reply = next.run(turn).await;
        assert!(facts.step != 2, "the layer breaks down");
        reply
    });
    let agent = agent(stack().around_model(explode).model(model()), &slow);
    let session = Session::new();
    let outcome = std::panic::AssertUnwindSafe(agent.send(&session, "hi")).catch_unwind().await;
    assert!(outcome.is_err());
    assert!(!session.is_busy());
    assert_paired(&session.log());
    assert_eq!(roles(&session), [Role::User, Role::Assistant, Role::Tool, Role::Tool]);
}
