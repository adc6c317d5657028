//! tower's own layers work at both heights.

use std::{
    future::{Ready, ready},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use brute_core::{
    Agent, BoxStack, BuiltStack, Error, ErrorKind, Late, LateLayer, Next, Reply, Role, Session,
    ToolContext, Turn, TurnService, as_error, from_fn,
    models::{Script, ScriptedModel},
    testing::assert_paired,
    tool_fn,
};
use brute_middleware::{SystemPromptLayer, default_stack};
use serde_json::{Value, json};
use tokio::{sync::Semaphore, time::Instant};
use tower::{
    Layer,
    buffer::BufferLayer,
    layer::layer_fn,
    limit::{ConcurrencyLimit, ConcurrencyLimitLayer, RateLimitLayer},
    load_shed::LoadShedLayer,
    retry::{Policy, RetryLayer},
    steer::Steer,
    timeout::TimeoutLayer,
};

/// Tries again so many times what may be tried again, whatever the error type of the stack is.
#[derive(Clone)]
struct Again(usize);

impl<E: 'static> Policy<Turn, Reply, E> for Again {
    type Future = Ready<()>;

    fn retry(&mut self, _: &mut Turn, outcome: &mut Result<Reply, E>) -> Option<Ready<()>> {
        let error = outcome.as_ref().err()?;
        let may_retry = as_error(error).is_none_or(Error::is_retryable);
        (may_retry && self.0 > 0).then(|| {
            self.0 -= 1;
            ready(())
        })
    }

    fn clone_request(&mut self, turn: &Turn) -> Option<Turn> {
        Some(turn.clone())
    }
}

async fn look(_: Value, _: ToolContext) -> Result<&'static str, Error> {
    Ok("seen")
}

/// Looks twice, then answers.
fn model() -> ScriptedModel {
    ScriptedModel::answering(|turn| {
        assert_paired(&turn.log);
        match turn.facts.step {
            1 | 2 => Script::call("look", json!({})),
            _ => Script::text("done"),
        }
    })
}

fn agent<S: TurnService>(stack: BuiltStack<S>) -> Agent {
    Agent::builder(stack).tool(tool_fn("look", "Looks.", look)).build().unwrap()
}

/// Two turns pass, and the record holds each message once.
async fn check<S: TurnService>(stack: BuiltStack<S>) {
    let (agent, session) = (agent(stack), Session::new());
    for len in [6, 12] {
        assert_eq!(agent.send(&session, "hi").await.unwrap().answer(), "done");
        assert_eq!(session.log().len(), len);
        assert_paired(&session.log());
    }
}

/// Puts a layer around the turn, then around the model call.
macro_rules! works_at_both_heights {
    ($($name:ident: $layer:expr;)*) => { $(
        #[tokio::test(start_paused = true)]
        async fn $name() {
            check(default_stack().around_turn($layer).model(model())).await;
            check(default_stack().around_model($layer).model(BoxStack::new(model()))).await;
        }
    )* };
}

works_at_both_heights! {
    timeout_works_at_both_heights: TimeoutLayer::new(Duration::from_secs(1));
    retry_works_at_both_heights: RetryLayer::new(Again(1));
    concurrency_limit_works_at_both_heights: ConcurrencyLimitLayer::new(1);
    buffer_works_at_both_heights: BufferLayer::<Turn>::new(4);
    load_shed_works_at_both_heights: LoadShedLayer::new();
    late_works_at_both_heights: LateLayer;
    rate_limit_behind_buffer_works_at_both_heights: tower::layer::util::Stack::new(
        RateLimitLayer::new(1, Duration::from_secs(1)),
        BufferLayer::<Turn>::new(4),
    );
    steer_over_late_branches_works_at_both_heights: layer_fn(|inner: BoxStack| steered(&inner));
}

/// Two branches with one permit each, chosen by the number of the step.
fn steered<S: TurnService>(inner: &S) -> impl TurnService + use<S> {
    let branch = || Late::new(ConcurrencyLimit::new(inner.clone(), 1));
    let by_step = |turn: &Turn, branches: &[_]| turn.facts.step as usize % branches.len();
    Steer::<Late<ConcurrencyLimit<S>>, _, Turn>::new([branch(), branch()], by_step)
}

fn flaky(failing_request: usize) -> (ScriptedModel, Arc<AtomicUsize>) {
    let requests = Arc::new(AtomicUsize::new(0));
    let seen = requests.clone();
    let model = ScriptedModel::answering(move |turn| {
        assert_paired(&turn.log);
        if seen.fetch_add(1, SeqCst) + 1 == failing_request {
            return Script::text("half an ans").and_fail(Error::new(ErrorKind::Overloaded, "busy"));
        }
        match turn.facts.step {
            1 | 2 => Script::call("count", json!({})),
            _ => Script::text("done"),
        }
    });
    (model, requests)
}

/// Counts how often it runs.
fn counting(runs: &Arc<AtomicUsize>) -> impl brute_core::Tool {
    let runs = runs.clone();
    tool_fn("count", "Counts.", move |_: Value, _| {
        runs.fetch_add(1, SeqCst);
        ready(Ok::<_, Error>("counted"))
    })
}

async fn check_retry<S: TurnService>(stack: impl Fn(ScriptedModel) -> BuiltStack<S>) {
    for failing_request in 1..=3 {
        let (model, requests) = flaky(failing_request);
        let runs = Arc::default();
        let agent = Agent::builder(stack(model)).tool(counting(&runs)).build().unwrap();
        let session = Session::new();
        let reply = agent.send(&session, "hi").await.unwrap();
        assert_eq!(reply.answer(), "done");
        assert_eq!(requests.load(SeqCst), 4, "one request more than without a failure");
        assert_eq!(runs.load(SeqCst), 2, "each tool call ran once");
        let log = session.log();
        assert_eq!(log.iter().filter(|message| message.role == Role::User).count(), 1);
        assert_eq!(log.len(), 6);
        assert_eq!(reply.added.len(), 5);
    }
}

#[tokio::test]
async fn law_1_a_turn_level_retry_resumes() {
    check_retry(|model| default_stack().around_turn(RetryLayer::new(Again(1))).model(model)).await;
}

#[tokio::test]
async fn law_1_a_retry_above_accept_input_records_one_user_message() {
    check_retry(|model| {
        let shout = from_fn(|mut turn: Turn, next: Next| async move {
            turn.input = format!("{}!", turn.input.text()).into();
            next.run(turn).await
        });
        let outer = brute_core::Stack::new().layer(RetryLayer::new(Again(1))).layer(shout);
        outer.over(default_stack().model(model))
    })
    .await;
}

#[tokio::test]
async fn a_retry_of_single_model_calls_leaves_no_trace_of_the_failed_one() {
    check_retry(|model| default_stack().around_model(RetryLayer::new(Again(1))).model(model)).await;
}

#[tokio::test]
async fn a_turn_that_had_ended_is_not_asked_again() {
    let (model, asked) = (ScriptedModel::text("done"), Arc::new(AtomicUsize::new(0)));
    let seen = asked.clone();
    let fail_once = from_fn(move |turn: Turn, next: Next| {
        let is_first = seen.fetch_add(1, SeqCst) == 0;
        async move {
            let reply = next.run(turn).await?;
            if is_first {
                Err(Error::new(ErrorKind::Network, "lost on the way up"))
            } else {
                Ok(reply)
            }
        }
    });
    let stack = default_stack().around_turn(RetryLayer::new(Again(1))).around_turn(fail_once);
    let agent = Agent::builder(stack.model(model.clone())).build().unwrap();
    let reply = agent.send(&Session::new(), "hi").await.unwrap();
    assert_eq!((reply.answer().as_str(), model.requests().len()), ("done", 1));
}

#[tokio::test(start_paused = true)]
async fn a_retry_over_a_timeout_over_the_loop_resumes_with_closed_calls() {
    let runs = Arc::new(AtomicUsize::new(0));
    let seen = runs.clone();
    let nap = tool_fn("look", "Naps at first.", move |_: Value, _| {
        let is_first = seen.fetch_add(1, SeqCst) == 0;
        async move {
            if is_first {
                tokio::time::sleep(Duration::from_mins(1)).await;
            }
            Ok::<_, Error>("seen")
        }
    });
    let stack = default_stack()
        .around_turn(RetryLayer::new(Again(1)))
        .around_turn(TimeoutLayer::new(Duration::from_secs(1)))
        .model(model());
    let agent = Agent::builder(stack).tool(nap).build().unwrap();
    let session = Session::new();
    assert_eq!(agent.send(&session, "hi").await.unwrap().answer(), "done");
    let log = session.log();
    let results: Vec<_> = log.iter().flat_map(|message| message.tool_results()).collect();
    assert!(results[0].text.starts_with("cancelled") && !results[1].is_error, "{results:?}");
    assert_eq!(runs.load(SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn two_sessions_share_one_permit_and_neither_starves_nor_holds_it_while_tools_run() {
    let permits = Arc::new(Semaphore::new(1));
    let (seen, held) = (permits.clone(), Arc::new(AtomicUsize::new(0)));
    let counted = held.clone();
    let check = tool_fn("look", "Looks whether the permit is free.", move |_: Value, _| {
        let (permits, held) = (seen.clone(), counted.clone());
        async move {
            // The other session may hold it for its own model call, but not all the time.
            let mut was_free = false;
            for _ in 0..20 {
                tokio::time::sleep(Duration::from_millis(1)).await;
                was_free |= permits.available_permits() == 1;
            }
            held.fetch_add(usize::from(!was_free), SeqCst);
            Ok::<_, Error>("looked")
        }
    });
    let limited = layer_fn(move |inner| ConcurrencyLimit::with_semaphore(inner, permits.clone()));
    let slow = ScriptedModel::answering(|turn| {
        let script = if turn.facts.step < 4 {
            Script::call("look", json!({}))
        } else {
            Script::text("done")
        };
        script.delay(Duration::from_millis(1))
    });
    let agent = Agent::builder(default_stack().around_model(limited).model(slow))
        .tool(check)
        .build()
        .unwrap();
    let (first, second) = (Session::new(), Session::new());
    let both = async { tokio::join!(agent.send(&first, "1"), agent.send(&second, "2")) };
    let (one, two) = tokio::time::timeout(Duration::from_secs(5), both).await.expect("a deadlock");
    assert_eq!((one.unwrap().answer(), two.unwrap().answer()), ("done".into(), "done".into()));
    assert_eq!(held.load(SeqCst), 0, "a permit was held while a tool ran");
}

/// An agent that asks the one below it, down to one that answers by itself.
fn nested(depth: usize, permits: &Arc<Semaphore>) -> Agent {
    let limited = {
        let permits = permits.clone();
        layer_fn(move |inner| ConcurrencyLimit::with_semaphore(inner, permits.clone()))
    };
    let model = ScriptedModel::answering(move |turn| {
        let last = turn.log.last().unwrap();
        let script = match last.tool_results().next() {
            Some(result) => Script::text(&format!("{depth} {}", result.text)),
            None if depth == 0 => Script::text("0"),
            None => Script::call("ask", json!({})),
        };
        script.delay(Duration::from_millis(1))
    });
    let builder = Agent::builder(default_stack().around_model(limited).model(model));
    if depth == 0 {
        return builder.build().unwrap();
    }
    let below = nested(depth - 1, permits);
    let ask = tool_fn("ask", "Asks the agent below.", move |_: Value, _| {
        let turn = below.send(&Session::new(), "hi");
        async { Ok::<_, Error>(turn.await?.answer()) }
    });
    builder.tool(ask).build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn agents_within_agents_share_one_permit_without_a_deadlock() {
    let permits = Arc::new(Semaphore::new(1));
    let (agent, session) = (nested(4, &permits), Session::new());
    let turn = agent.send(&session, "hi");
    let reply = tokio::time::timeout(Duration::from_secs(5), turn).await.expect("a deadlock");
    assert_eq!(reply.unwrap().answer(), "4 3 2 1 0");
    assert_eq!((session.log().len(), permits.available_permits()), (4, 1));
}

#[tokio::test(start_paused = true)]
async fn steer_over_limited_late_branches_does_not_deadlock() {
    let slow = ScriptedModel::answering(|turn| {
        let script = if turn.facts.step < 4 {
            Script::call("look", json!({}))
        } else {
            Script::text("done")
        };
        script.delay(Duration::from_millis(5))
    });
    let stack =
        default_stack().around_model(layer_fn(|inner: ScriptedModel| steered(&inner))).model(slow);
    let agent = agent(stack);
    let (first, second) = (Session::new(), Session::new());
    let both = async { tokio::join!(agent.send(&first, "1"), agent.send(&second, "2")) };
    let (one, two) = tokio::time::timeout(Duration::from_secs(5), both).await.expect("a deadlock");
    assert!(one.is_ok() && two.is_ok());
}

#[tokio::test(start_paused = true)]
async fn fifty_sessions_take_the_time_of_one() {
    let slow = ScriptedModel::answering(|_| Script::text("done").delay(Duration::from_secs(1)));
    let agent = Agent::builder(default_stack().model(slow)).build().unwrap();
    let sessions: Vec<_> = (0..50).map(|_| Session::new()).collect();
    let began = Instant::now();
    let turns = sessions.iter().map(|session| agent.send(session, "hi"));
    let replies = futures::future::join_all(turns).await;
    assert!(replies.iter().all(Result::is_ok));
    assert_eq!(
        began.elapsed(),
        Duration::from_secs(2),
        "two waits of a second: before and after the text"
    );
}

#[tokio::test(start_paused = true)]
async fn a_shed_turn_is_an_overloaded_error_and_its_input_is_kept() {
    let slow = ScriptedModel::answering(|_| Script::text("done").delay(Duration::from_millis(5)));
    let shed = tower::layer::util::Stack::new(ConcurrencyLimitLayer::new(1), LoadShedLayer::new());
    let prompt = SystemPromptLayer::default().gather(None);
    let stack = default_stack().system_prompt(prompt).around_model(shed).model(slow);
    let agent = Agent::builder(stack).build().unwrap();
    let (first, second) = (Session::new(), Session::new());
    let (one, two) = tokio::join!(agent.send(&first, "1"), agent.send(&second, "2"));
    assert!(one.is_ok());
    let error = two.unwrap_err();
    assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::Overloaded, true));
    assert_eq!(second.log().len(), 1);
}

#[test]
fn a_layer_can_be_applied_by_hand() {
    let service =
        Layer::layer(&TimeoutLayer::new(Duration::from_secs(1)), ScriptedModel::text("hi"));
    let _: BuiltStack<_> = service.into();
}
