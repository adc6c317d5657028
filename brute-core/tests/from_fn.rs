//! A layer from an async function: what it may do with what lies below, and that readiness is kept.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use brute_core::models::{Script, ScriptedModel};
use brute_core::testing::{LintedStack, Recorder};
use brute_core::{
    Agent, BoxStack, BuiltStack, Error, ErrorKind, FromFn, FromFnLayer, Message, Next, Reply,
    Session, Stack, Turn, TurnService, from_fn,
};
use futures::FutureExt;
use tower::limit::{ConcurrencyLimitLayer, GlobalConcurrencyLimitLayer};
use tower::{Layer, Service, ServiceBuilder, ServiceExt, load_shed::LoadShedLayer};

/// How long something may take before it counts as never ending.
const NEVER: Duration = Duration::from_mins(1);

async fn send<S: TurnService>(stack: impl Into<BuiltStack<S>>) -> Result<Reply, Error> {
    let turn = Agent::builder(stack).build().unwrap().send(&Session::new(), "hi");
    tokio::time::timeout(NEVER, turn).await.expect("the turn ends")
}

/// A model that answers any request, after a second.
fn slow() -> ScriptedModel {
    ScriptedModel::answering(|_| Script::text("slow").delay(Duration::from_millis(500)))
}

async fn pass(turn: Turn, next: Next) -> Result<Reply, Error> {
    next.run(turn).await
}

async fn retry_twice(turn: Turn, next: Next) -> Result<Reply, Error> {
    for _ in 0..2 {
        if let Ok(reply) = next.clone().run(turn.clone()).await {
            return Ok(reply);
        }
    }
    next.run(turn).await
}

fn broken() -> Script {
    Script::fail(Error::new(ErrorKind::Network, "reset"))
}

#[tokio::test]
async fn functions_closures_and_async_closures_are_layers() {
    let name = Arc::new(Mutex::new(Vec::new()));
    let noted = name.clone();
    let stack = LintedStack::new()
        .layer(from_fn(pass))
        .layer(from_fn(|turn, next: Next| async move { next.run(turn).await }))
        .layer(from_fn(async |turn, next: Next| next.run(turn).await))
        .layer(from_fn(|turn, next: Next| next.run(turn)))
        .layer(from_fn(move |turn: Turn, next: Next| {
            let noted = noted.clone();
            async move {
                noted.lock().unwrap().push(turn.input.text());
                next.run(turn).await
            }
        }))
        .model(ScriptedModel::text("hello"));
    assert_eq!(send(stack).await.unwrap().answer(), "hello");
    assert_eq!(*name.lock().unwrap(), ["hi"]);
}

#[tokio::test]
async fn a_layer_that_does_not_call_below_answers_by_itself() {
    let (model, recorder) = (ScriptedModel::new([]), Recorder::default());
    let stack = LintedStack::new()
        .layer(recorder.layer("outer"))
        .layer(from_fn(|_, _: Next| async { Ok(Reply::text("cached")) }))
        .layer(recorder.layer("inner"))
        .model(model.clone());
    assert_eq!(send(stack).await.unwrap().answer(), "cached");
    assert_eq!(recorder.list(), ["enter outer", "leave outer"]);
    assert!(model.requests().is_empty());
}

#[tokio::test]
async fn a_layer_can_turn_a_failure_into_an_answer() {
    let rescues = from_fn(|turn, next: Next| async move {
        Ok(next.run(turn).await.unwrap_or_else(|error| Reply::text(format!("sorry: {error}"))))
    });
    let stack = LintedStack::new().layer(rescues).model(ScriptedModel::new([broken()]));
    assert_eq!(send(stack).await.unwrap().answer(), "sorry: reset");
}

#[tokio::test]
async fn what_a_layer_changes_is_seen_below_and_not_above() {
    let above = from_fn(|turn: Turn, next: Next| async move {
        let reply = next.run(turn.clone()).await?;
        assert!(turn.log.is_empty() && turn.settings.temperature.is_none());
        Ok(reply)
    });
    let changes = from_fn(|mut turn: Turn, next: Next| async move {
        turn.log.push(Message::user("view"));
        turn.settings_mut().temperature = Some(1.0);
        next.run(turn).await
    });
    let model = ScriptedModel::text("hello");
    send(LintedStack::new().layer(above).layer(changes).model(model.clone())).await.unwrap();
    let request = &model.requests()[0];
    assert_eq!((request.log.len(), request.settings.temperature), (1, Some(1.0)));
}

#[tokio::test]
async fn a_layer_that_calls_three_times_is_one_call_to_those_above() {
    let (recorder, model) =
        (Recorder::default(), ScriptedModel::new([broken(), broken(), Script::text("third")]));
    let stack = LintedStack::new()
        .layer(recorder.layer("outer"))
        .layer(from_fn(retry_twice))
        .layer(recorder.layer("inner"))
        .model(model.clone());
    assert_eq!(send(stack).await.unwrap().answer(), "third");
    assert_eq!(model.requests().len(), 3);
    let outer = recorder.list().iter().filter(|note| *note == "enter outer").count();
    let inner = recorder.list().iter().filter(|note| *note == "enter inner").count();
    assert_eq!((outer, inner), (1, 3));
}

#[tokio::test(start_paused = true)]
async fn a_clone_of_next_may_run_first_over_a_limit_of_one() {
    let stack = LintedStack::new()
        .layer(from_fn(retry_twice))
        .layer(ConcurrencyLimitLayer::new(1))
        .model(ScriptedModel::new([broken(), broken(), Script::text("third")]));
    assert_eq!(send(stack).await.unwrap().answer(), "third");
}

#[tokio::test(start_paused = true)]
async fn a_clone_of_next_may_run_last_over_a_limit_of_one() {
    let again = from_fn(|turn: Turn, next: Next| async move {
        let second = next.clone();
        let third = second.clone();
        next.run(turn.clone()).await?;
        second.run(turn.clone()).await?;
        third.run(turn).await
    });
    let model = slow();
    let stack =
        LintedStack::new().layer(again).layer(ConcurrencyLimitLayer::new(1)).model(model.clone());
    send(stack).await.unwrap();
    assert_eq!(model.requests().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_clone_of_next_that_is_only_kept_holds_nobody_up() {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keeps = from_fn({
        let kept = kept.clone();
        move |turn, next: Next| {
            kept.lock().unwrap().push(next.clone());
            next.run(turn)
        }
    });
    let limit = GlobalConcurrencyLimitLayer::new(1);
    let stack = || LintedStack::new().layer(keeps.clone()).layer(limit.clone()).model(slow());
    send(stack()).await.unwrap();
    send(stack()).await.unwrap();
    assert_eq!(kept.lock().unwrap().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn clones_of_next_run_side_by_side() {
    let twice = from_fn(|turn: Turn, next: Next| async move {
        let (left, right) = tokio::join!(next.clone().run(turn.clone()), next.run(turn));
        left.and(right)
    });
    let start = tokio::time::Instant::now();
    send(LintedStack::new().layer(twice).model(slow())).await.unwrap();
    assert_eq!(start.elapsed().as_secs(), 1);
    let start = tokio::time::Instant::now();
    let one_by_one = LintedStack::new().layer(twice).layer(ConcurrencyLimitLayer::new(1));
    send(one_by_one.model(slow())).await.unwrap();
    assert_eq!(start.elapsed().as_secs(), 2);
}

#[tokio::test(start_paused = true)]
async fn the_instance_that_was_readied_is_the_one_that_is_called() {
    // LoadShed refuses a call unless the very instance was asked right before.
    let stack = LintedStack::new()
        .layer(from_fn(pass))
        .layer(LoadShedLayer::new())
        .layer(ConcurrencyLimitLayer::new(1))
        .model(slow());
    assert_eq!(send(stack).await.unwrap().answer(), "slow");
}

#[tokio::test(start_paused = true)]
async fn a_permit_is_free_again_when_a_layer_answers_by_itself() {
    let limit = GlobalConcurrencyLimitLayer::new(1);
    let answers = from_fn(|_, _: Next| async { Ok(Reply::text("cached")) });
    for _ in 0..3 {
        let stack = LintedStack::new().layer(answers).layer(limit.clone()).model(slow());
        send(stack).await.unwrap();
    }
    let stack = LintedStack::new().layer(from_fn(pass)).layer(limit).model(slow());
    send(stack).await.unwrap();
}

#[tokio::test]
async fn ten_layers_nest_in_order() {
    let recorder = Recorder::default();
    let notes = |name: &'static str| {
        let recorder = recorder.clone();
        from_fn(move |turn, next: Next| {
            let recorder = recorder.clone();
            async move {
                recorder.note(format!("enter {name}"));
                let reply = next.run(turn).await;
                recorder.note(format!("leave {name}"));
                reply
            }
        })
    };
    let stack = LintedStack::new().layer(notes("0")).layer(notes("1")).layer(notes("2"));
    let stack = stack.layer(notes("3")).layer(notes("4")).layer(notes("5")).layer(notes("6"));
    let stack = stack.layer(notes("7")).layer(notes("8")).layer(notes("9"));
    send(stack.model(ScriptedModel::text("hello"))).await.unwrap();
    let enter = (0..10).map(|layer| format!("enter {layer}"));
    let leave = (0..10).rev().map(|layer| format!("leave {layer}"));
    assert!(recorder.list().into_iter().eq(enter.chain(leave)));
}

#[tokio::test]
async fn layers_nest_in_a_stack_that_is_put_together_at_run_time() {
    let count = Arc::new(AtomicUsize::new(0));
    let mut stack = BoxStack::new(ScriptedModel::text("hello"));
    for _ in 0..10 {
        let count = count.clone();
        let layer = from_fn(move |turn, next: Next| {
            count.fetch_add(1, Ordering::Relaxed);
            next.run(turn)
        });
        stack = BoxStack::new(layer.layer(stack));
    }
    assert_eq!(send(stack).await.unwrap().answer(), "hello");
    assert_eq!(count.load(Ordering::Relaxed), 10);
}

#[tokio::test]
async fn an_erased_stack_may_stand_between_two_layers_and_an_optional_one_too() {
    let stack = ServiceBuilder::new()
        .layer(from_fn(pass))
        .layer(tower::layer::layer_fn(BoxStack::new))
        .option_layer(Some(from_fn(pass)))
        .option_layer(None::<FromFnLayer<fn(Turn, Next) -> brute_core::ReplyFuture>>)
        .service(ScriptedModel::text("hello"));
    let stack = Stack::new().layer(from_fn(pass)).model(stack);
    assert_eq!(send(stack).await.unwrap().answer(), "hello");
}

/// A service that counts how often it is cloned.
struct Cloned(Arc<AtomicUsize>);

impl Clone for Cloned {
    fn clone(&self) -> Self {
        self.0.fetch_add(1, Ordering::Relaxed);
        Self(self.0.clone())
    }
}

impl Service<Turn> for Cloned {
    type Response = Reply;
    type Error = Error;
    type Future = std::future::Ready<Result<Reply, Error>>;

    fn poll_ready(&mut self, _: &mut std::task::Context<'_>) -> std::task::Poll<Result<(), Error>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Turn) -> Self::Future {
        std::future::ready(Ok(Reply::text("hello")))
    }
}

#[test]
fn cloning_a_stack_of_functions_does_not_clone_what_lies_below() {
    let clones = Arc::new(AtomicUsize::new(0));
    let stack = from_fn(pass).layer(from_fn(pass).layer(Cloned(clones.clone())));
    let copies: Vec<FromFn<_, _>> = (0..100).map(|_| stack.clone()).collect();
    assert_eq!(clones.load(Ordering::Relaxed), 0);
    for copy in copies {
        copy.oneshot(Turn::default()).now_or_never().unwrap().unwrap();
    }
    // Each turn makes one instance, which gets ready and is called.
    assert_eq!(clones.load(Ordering::Relaxed), 100);
}

/// A service that is ready only now and then, and refuses to be called when it is not.
#[derive(Clone)]
struct Moody {
    polls: Arc<AtomicUsize>,
    is_ready: bool,
}

impl Service<Turn> for Moody {
    type Response = Reply;
    type Error = Error;
    type Future = std::future::Ready<Result<Reply, Error>>;

    fn poll_ready(
        &mut self,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), Error>> {
        self.is_ready = self.polls.fetch_add(1, Ordering::Relaxed) % 3 == 2;
        if self.is_ready {
            return std::task::Poll::Ready(Ok(()));
        }
        cx.waker().wake_by_ref();
        std::task::Poll::Pending
    }

    fn call(&mut self, _: Turn) -> Self::Future {
        assert!(std::mem::take(&mut self.is_ready), "called although it is not ready");
        std::future::ready(Ok(Reply::text("at last")))
    }
}

#[tokio::test]
async fn what_lies_below_is_not_called_before_it_is_ready() {
    let below = Moody { polls: Arc::default(), is_ready: false };
    let twice = from_fn(|turn: Turn, next: Next| async move {
        next.clone().run(turn.clone()).await?;
        next.run(turn).await
    });
    let stack = LintedStack::new().layer(from_fn(pass)).layer(twice).layer(from_fn(pass));
    let agent = Agent::builder(stack.model(below)).build().unwrap();
    for _ in 0..5 {
        let turn = agent.send(&Session::new(), "hi");
        let reply = tokio::time::timeout(NEVER, turn).await.expect("it is woken").unwrap();
        assert_eq!(reply.answer(), "at last");
    }
}

#[tokio::test(start_paused = true)]
async fn under_load_no_waiting_turn_is_forgotten() {
    let (busy, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counts = from_fn({
        let (busy, most) = (busy.clone(), most.clone());
        move |turn, next: Next| {
            let (busy, most) = (busy.clone(), most.clone());
            async move {
                most.fetch_max(busy.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
                let reply = next.run(turn).await;
                busy.fetch_sub(1, Ordering::Relaxed);
                reply
            }
        }
    });
    let stack = LintedStack::new()
        .layer(from_fn(pass))
        .layer(ConcurrencyLimitLayer::new(3))
        .layer(counts)
        .model(slow());
    let agent = Agent::builder(stack).build().unwrap();
    let start = tokio::time::Instant::now();
    let turns: Vec<_> = (0..30).map(|_| tokio::spawn(agent.send(&Session::new(), "hi"))).collect();
    for turn in turns {
        tokio::time::timeout(NEVER, turn).await.expect("it is woken").unwrap().unwrap();
    }
    assert_eq!(most.load(Ordering::Relaxed), 3);
    assert_eq!(start.elapsed().as_secs(), 10);
}

#[tokio::test]
async fn the_error_of_a_foreign_layer_comes_out_as_ours() {
    let stack = LintedStack::new()
        .layer(from_fn(pass))
        .layer(tower::timeout::TimeoutLayer::new(Duration::from_millis(1)))
        .model(ScriptedModel::new([Script::text("late").delay(Duration::from_mins(1))]));
    assert_eq!(send(stack).await.unwrap_err().kind(), ErrorKind::Timeout);
}

#[tokio::test]
async fn a_layer_by_hand_can_offer_the_same_form() {
    let next = Next::new(ScriptedModel::new([Script::text("one"), Script::text("two")]));
    assert_eq!(next.clone().run(Turn::default()).await.unwrap().answer(), "one");
    assert_eq!(next.run(Turn::default()).await.unwrap().answer(), "two");
}
