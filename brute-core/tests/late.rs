//! A branch that gets ready within the call holds nothing while it is not chosen.

use std::{sync::Arc, time::Duration};

use brute_core::models::{Script, ScriptedModel};
use brute_core::testing::LintedStack;
use brute_core::{
    Agent, Error, ErrorKind, Input, Late, LateLayer, Next, Reply, Session, Turn, from_fn,
};
use futures::FutureExt;
use tokio::sync::Semaphore;
use tower::{Layer, Service, ServiceExt, limit::ConcurrencyLimit, steer::Steer};

fn limited(permits: &Arc<Semaphore>) -> ConcurrencyLimit<ScriptedModel> {
    let model = ScriptedModel::answering(|_| Script::text("hi").delay(Duration::from_millis(500)));
    ConcurrencyLimit::with_semaphore(model, permits.clone())
}

/// Calls twice, each step with a number of its own.
async fn two_steps(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    turn.facts.step = 1;
    next.clone().run(turn.clone()).await?;
    turn.facts.step = 2;
    next.run(turn).await
}

#[tokio::test(start_paused = true)]
async fn it_is_ready_at_once_and_takes_no_permit_before_the_call() {
    let permits = Arc::new(Semaphore::new(1));
    let mut late = Late::new(limited(&permits));
    let ready = late.ready().now_or_never().expect("it is ready at once").unwrap();
    assert_eq!(permits.available_permits(), 1);
    let mut call = ready.call(Turn::default());
    assert!((&mut call).now_or_never().is_none());
    assert_eq!(permits.available_permits(), 0);
    call.await.unwrap();
    assert_eq!(permits.available_permits(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_waits_for_its_permit_and_gives_it_back_when_it_is_dropped() {
    let permits = Arc::new(Semaphore::new(1));
    let mut late = LateLayer.layer(limited(&permits));
    let mut first = late.call(Turn::default());
    let mut second = late.call(Turn::default());
    assert!((&mut first).now_or_never().is_none() && (&mut second).now_or_never().is_none());
    drop(first);
    assert_eq!(second.await.unwrap().answer(), "hi");
}

#[tokio::test(start_paused = true)]
async fn branches_over_limits_of_one_do_not_lock_each_other_out() {
    let branch = || Late::new(limited(&Arc::new(Semaphore::new(1))));
    let by_step = |turn: &Turn, branches: &[Late<_>]| turn.facts.step as usize % branches.len();
    let steer: Steer<_, _, Turn> = Steer::new([branch(), branch()], by_step);
    let stack = LintedStack::new().layer(from_fn(two_steps)).model(steer);
    let agent = Agent::builder(stack).build().unwrap();
    let turns = (0..4).map(|_| agent.send(&Session::new(), Input::none()));
    let all = futures::future::join_all(turns.collect::<Vec<_>>());
    for reply in tokio::time::timeout(Duration::from_mins(1), all).await.expect("they end") {
        assert_eq!(reply.unwrap().answer(), "hi");
    }
}

#[tokio::test]
async fn what_fails_to_get_ready_fails_the_call() {
    let permits = Arc::new(Semaphore::new(1));
    let refuses = tower::util::MapErr::new(
        tower::load_shed::LoadShed::new(limited(&permits)),
        Error::wrap::<tower::BoxError>,
    );
    let _taken = permits.clone().acquire_owned().await.unwrap();
    let error = Late::new(refuses).oneshot(Turn::default()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Overloaded);
}
