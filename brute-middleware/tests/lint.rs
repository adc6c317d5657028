//! The lint finds layers that break the contract around a real tool loop, and lets ours pass.

use std::{
    future::{Ready, ready},
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use brute_core::{
    Agent, BuiltStack, Error, ErrorKind, Message, Next, Part, Reply, ReplyFuture, Role, Section,
    Session, ToolContext, ToolResult, Turn, TurnService, Zone, as_error, from_fn,
    models::{Script, ScriptedModel},
    testing::{LintedStack, assert_paired},
    tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, EventsLayer, JournalLayer, MaxStepsLayer, PlanModeLayer, RemindersLayer,
    RetryLayer, SystemPromptLayer, ToolCallsLayer, ToolLoopLayer,
};
use futures::FutureExt;
use serde_json::json;
use tower::{
    Layer, Service, limit::ConcurrencyLimitLayer, load_shed::LoadShedLayer, retry::Policy,
    timeout::TimeoutLayer,
};

/// Asks for two tools at once, then answers.
fn model() -> ScriptedModel {
    ScriptedModel::answering(|turn| match turn.facts.step {
        1 => Script::call("look", json!({})).and_call("look", json!({})),
        _ => Script::text("done"),
    })
}

fn agent<S: TurnService>(stack: BuiltStack<S>) -> Agent {
    let look = tool_fn("look", "Looks.", async |(): (), _: ToolContext| Ok::<_, Error>("seen"));
    Agent::builder(stack).tool(look.read_only()).fact("agent", "plan").build().unwrap()
}

/// Checks that a stack is refused because this layer broke this law.
async fn check_broken<S: TurnService>(stack: BuiltStack<S>, law: &str, layer: &str) {
    let session = Session::new();
    let turn = agent(stack).send(&session, "hi");
    let panic = AssertUnwindSafe(turn).catch_unwind().await.expect_err("a lint complains");
    let complaint = panic.downcast_ref::<String>().unwrap();
    assert!(complaint.starts_with(&format!("{law} broken by {layer}: ")), "{complaint}");
    assert_paired(&session.log());
    assert!(!session.is_busy());
}

/// Puts a layer between the loop and the tools.
macro_rules! within_the_loop {
    ($layer:expr) => {
        LintedStack::new()
            .layer(AcceptInputLayer)
            .layer(ToolLoopLayer)
            .layer($layer)
            .layer(ToolCallsLayer::new())
            .layer(JournalLayer)
            .model(model())
    };
}

fn reminder(role: Role) -> Arc<Message> {
    let (name, text) = ("my_reminder".into(), "Be brief.".into());
    let section = Part::Section(Section { name, zone: Zone::Dynamic, text });
    Arc::new(Message::new(role, vec![section]))
}

async fn answers_with_its_reminder(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    let reminder = reminder(Role::Developer);
    turn.log.push(reminder.clone());
    let mut reply = next.run(turn).await?;
    reply.added.push(reminder);
    Ok(reply)
}

async fn records_its_reminder(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    let recorded = turn.journal.record(reminder(Role::User));
    turn.log.push(recorded.clone());
    let mut reply = next.run(turn).await?;
    reply.added.insert(0, recorded);
    Ok(reply)
}

async fn answers_with_the_whole_log(turn: Turn, next: Next) -> Result<Reply, Error> {
    let log = turn.log.clone();
    let mut reply = next.run(turn).await?;
    reply.added.splice(0..0, log.iter().cloned());
    Ok(reply)
}

async fn gives_an_input(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    turn.input = "one more thing".into();
    next.run(turn).await
}

#[tokio::test]
async fn what_belongs_to_the_view_stays_in_the_view() {
    let broken = within_the_loop!(from_fn(answers_with_its_reminder));
    check_broken(broken, "law 1", "answers_with_its_reminder").await;
    let broken = within_the_loop!(from_fn(records_its_reminder));
    check_broken(broken, "law 1", "records_its_reminder").await;
    let broken = within_the_loop!(from_fn(answers_with_the_whole_log));
    check_broken(broken, "law 1", "answers_with_the_whole_log").await;
}

#[tokio::test]
async fn no_input_is_given_below_the_layer_that_takes_it() {
    let broken = within_the_loop!(from_fn(gives_an_input));
    check_broken(broken, "law 1", "gives_an_input").await;
}

async fn drops_a_result(turn: Turn, next: Next) -> Result<Reply, Error> {
    let mut reply = next.run(turn).await?;
    reply.added.truncate(2);
    Ok(reply)
}

async fn drops_all_results(turn: Turn, next: Next) -> Result<Reply, Error> {
    let mut reply = next.run(turn).await?;
    reply.added.truncate(1);
    Ok(reply)
}

#[tokio::test]
async fn what_was_recorded_comes_back_whole() {
    check_broken(within_the_loop!(from_fn(drops_a_result)), "law 1", "drops_a_result").await;
    check_broken(within_the_loop!(from_fn(drops_all_results)), "law 1", "drops_all_results").await;
}

async fn answers_out_of_order(turn: Turn, next: Next) -> Result<Reply, Error> {
    let mut reply = next.run(turn).await?;
    if reply.added.len() == 3 {
        reply.added.swap(1, 2);
    }
    Ok(reply)
}

async fn adds_an_orphan(turn: Turn, next: Next) -> Result<Reply, Error> {
    let mut reply = next.run(turn).await?;
    reply.added.push(Arc::new(Message::tool_result(ToolResult::ok("nobody", "ok"))));
    Ok(reply)
}

async fn hides_results_from_the_model(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    let shown = turn.log.iter().filter(|message| message.role != Role::Tool).cloned();
    turn.log = shown.collect();
    next.run(turn).await
}

async fn cuts_the_view_between_call_and_result(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    turn.log = turn.log.since(turn.log.len().saturating_sub(2)).cloned().collect();
    next.run(turn).await
}

#[tokio::test]
async fn every_call_has_one_result_in_order() {
    let broken = within_the_loop!(from_fn(answers_out_of_order));
    check_broken(broken, "law 3", "answers_out_of_order").await;
    check_broken(within_the_loop!(from_fn(adds_an_orphan)), "law 3", "adds_an_orphan").await;
    let broken = within_the_loop!(from_fn(hides_results_from_the_model));
    check_broken(broken, "law 3", "hides_results_from_the_model").await;
    let broken = within_the_loop!(from_fn(cuts_the_view_between_call_and_result));
    check_broken(broken, "law 3", "cuts_the_view_between_call_and_result").await;
}

/// Calls a clone of what it readied, or what it readied a second time.
#[derive(Clone, Copy)]
struct HastyLayer {
    twice: bool,
}

#[derive(Clone)]
struct Hasty<S> {
    inner: S,
    twice: bool,
}

impl<S> Layer<S> for HastyLayer {
    type Service = Hasty<S>;

    fn layer(&self, inner: S) -> Hasty<S> {
        Hasty { inner, twice: self.twice }
    }
}

impl<S: TurnService> Service<Turn> for Hasty<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        let mut clone = self.inner.clone();
        let called = if self.twice { &mut self.inner } else { &mut clone };
        if self.twice {
            drop(called.call(turn.clone()));
        }
        Box::pin(called.call(turn).map(|reply| reply.map_err(Error::wrap)))
    }
}

#[tokio::test]
async fn only_what_was_readied_is_called_and_only_once() {
    for twice in [true, false] {
        check_broken(within_the_loop!(HastyLayer { twice }), "law 7", "Hasty").await;
        let above_the_loop = LintedStack::new()
            .layer(AcceptInputLayer)
            .layer(HastyLayer { twice })
            .layer(ToolLoopLayer)
            .layer(JournalLayer);
        check_broken(above_the_loop.model(model()), "law 7", "Hasty").await;
    }
}

#[tokio::test]
async fn two_layers_of_reminders_are_one_too_many() {
    let broken = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(RemindersLayer::default())
        .layer(RemindersLayer::default())
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer);
    check_broken(broken.model(model()), "the reminder rule", "Reminders").await;
}

/// A policy of tower's own retry.
#[derive(Clone)]
struct Again(u32);

impl<E: 'static> Policy<Turn, Reply, E> for Again {
    type Future = Ready<()>;

    fn retry(&mut self, _: &mut Turn, outcome: &mut Result<Reply, E>) -> Option<Ready<()>> {
        let error = outcome.as_ref().err()?;
        let is_worth_it = as_error(error).is_some_and(Error::is_retryable);
        self.0 = self.0.checked_sub(1)?;
        is_worth_it.then(|| ready(()))
    }

    fn clone_request(&mut self, turn: &Turn) -> Option<Turn> {
        Some(turn.clone())
    }
}

fn reset() -> Error {
    Error::new(ErrorKind::Network, "reset")
}

async fn retries(turn: Turn, next: Next) -> Result<Reply, Error> {
    match next.clone().run(turn.clone()).await {
        Ok(reply) => Ok(reply),
        Err(_) => next.run(turn).await,
    }
}

/// Fails once, after everything below it has run.
fn fails_once(turn: Turn, next: Next, failures: Arc<AtomicU32>) -> ReplyFuture {
    Box::pin(async move {
        let reply = next.run(turn).await?;
        if failures.fetch_add(1, Ordering::Relaxed) == 0 { Err(reset()) } else { Ok(reply) }
    })
}

macro_rules! failing_once {
    () => {{
        let failures = Arc::new(AtomicU32::new(0));
        from_fn(move |turn, next| fails_once(turn, next, failures.clone()))
    }};
}

/// Puts a retry between the loop and the journal, above something that fails once.
macro_rules! retried_above_the_journal {
    ($retry:expr) => {
        LintedStack::new()
            .layer(AcceptInputLayer)
            .layer(ToolLoopLayer)
            .layer($retry)
            .layer(failing_once!())
            .layer(ToolCallsLayer::new())
            .layer(JournalLayer)
            .model(model())
    };
}

#[tokio::test(start_paused = true)]
async fn a_retry_between_the_loop_and_the_journal_is_refused() {
    let broken = retried_above_the_journal!(from_fn(retries));
    check_broken(broken, "law 1", "retries").await;
    let broken = retried_above_the_journal!(tower::retry::RetryLayer::new(Again(2)));
    check_broken(broken, "law 1", "(tower) Retry").await;
    check_broken(retried_above_the_journal!(RetryLayer::new()), "law 1", "Retry").await;
}

#[tokio::test(start_paused = true)]
async fn a_retry_there_is_refused_even_if_only_the_model_failed() {
    let attempts = Arc::new(AtomicU32::new(0));
    let model = ScriptedModel::answering(move |_| match attempts.fetch_add(1, Ordering::Relaxed) {
        0 => Script::fail(reset()),
        _ => Script::text("done"),
    });
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(tower::retry::RetryLayer::new(Again(2)))
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer);
    check_broken(stack.model(model), "law 1", "(tower) Retry").await;
}

#[tokio::test(start_paused = true)]
async fn a_retry_above_the_loop_or_below_the_journal_passes() {
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(tower::retry::RetryLayer::new(Again(2)))
        .layer(from_fn(retries))
        .layer(ToolLoopLayer)
        .layer(failing_once!())
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .layer(RetryLayer::new())
        .layer(tower::retry::RetryLayer::new(Again(2)))
        .layer(failing_once!());
    let session = Session::new();
    let reply = agent(stack.model(model())).send(&session, "hi").await.unwrap();
    assert_eq!(reply.answer(), "done");
    assert_paired(&session.log());
    let users = session.log().iter().filter(|message| message.role == Role::User).count();
    assert_eq!((users, session.log().len()), (1, 5));
}

#[tokio::test]
async fn our_own_layers_and_those_of_tower_pass() {
    let stack = LintedStack::new()
        .layer(EventsLayer::new())
        .layer(LoadShedLayer::new())
        .layer(ConcurrencyLimitLayer::new(2))
        .layer(AcceptInputLayer)
        .layer(SystemPromptLayer::default().gather(None))
        .layer(TimeoutLayer::new(Duration::from_secs(9)))
        .layer(ToolLoopLayer)
        .layer(EventsLayer::new())
        .layer(MaxStepsLayer::new(1))
        .layer(PlanModeLayer)
        .layer(RemindersLayer::default())
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .layer(ConcurrencyLimitLayer::new(1))
        .layer(TimeoutLayer::new(Duration::from_secs(9)));
    let (agent, session) = (agent(stack.model(model())), Session::new());
    for _ in 0..2 {
        agent.send(&session, "hi").await.unwrap();
    }
    assert_paired(&session.log());
    assert_eq!(session.log().len(), 10);
}
