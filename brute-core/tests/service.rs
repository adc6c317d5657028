//! The instance that was readied is the one that is called, also by a layer that works before.

use std::sync::Arc;

use brute_core::models::ScriptedModel;
use brute_core::testing::LintLayer;
use brute_core::{BoxStack, Turn, TurnService, take_ready};
use futures::FutureExt;
use tokio::sync::Semaphore;
use tower::{Layer, Service, ServiceExt, limit::ConcurrencyLimit};

#[test]
fn take_ready_takes_the_readied_instance_and_leaves_a_fresh_one() {
    let mut service = LintLayer::between("the test", "the model").layer(ScriptedModel::text("hi"));
    service.ready().now_or_never().unwrap().unwrap();
    let mut ready = take_ready(&mut service);
    // The lint panics if the instance that is called is not the one that was asked.
    assert_eq!(ready.call(Turn::default()).now_or_never().unwrap().unwrap().answer(), "hi");
    let fresh = std::panic::AssertUnwindSafe(|| service.call(Turn::default()));
    assert!(std::panic::catch_unwind(fresh).is_err());
}

#[test]
fn what_take_ready_leaves_holds_no_permit() {
    let permits = Arc::new(Semaphore::new(1));
    let mut service = ConcurrencyLimit::with_semaphore(ScriptedModel::text("hi"), permits.clone());
    ServiceExt::<Turn>::ready(&mut service).now_or_never().unwrap().unwrap();
    let ready = take_ready(&mut service);
    assert_eq!(permits.available_permits(), 0);
    drop(ready);
    assert_eq!(permits.available_permits(), 1);
}

#[test]
fn every_service_of_turns_has_the_one_bound_erased_or_not() {
    fn is_turn_service<S: TurnService>(service: S) -> S {
        service
    }
    let plain = is_turn_service(ScriptedModel::text("hi"));
    let erased = is_turn_service(BoxStack::new(plain));
    let reply = erased.clone().oneshot(Turn::default()).now_or_never().unwrap().unwrap();
    assert_eq!(reply.answer(), "hi");
}
