//! One error comes out of every stack, whatever went in.

use std::{error::Error as _, io, iter, time::Duration};

use brute_core::models::{Script, ScriptedModel};
use brute_core::{Agent, Error, ErrorKind, Next, Session, Stack, Turn, as_error, from_fn};
use tower::{BoxError, load_shed::error::Overloaded, timeout::error::Elapsed};

fn own() -> Error {
    Error::new(ErrorKind::RateLimited, "slow down")
        .after(Duration::from_secs(7))
        .because(io::Error::other("429"))
}

#[track_caller]
fn check_is_own(error: &Error) {
    assert_eq!(error.kind(), ErrorKind::RateLimited);
    assert_eq!(error.to_string(), "slow down");
    assert_eq!(error.retry_after(), Some(Duration::from_secs(7)));
    assert!(error.is_retryable());
    assert_eq!(error.source().unwrap().to_string(), "429");
}

#[test]
fn our_error_comes_out_of_wrap_as_it_went_in() {
    check_is_own(&Error::wrap(own()));
}

#[test]
fn our_error_comes_out_of_any_box_as_it_went_in() {
    check_is_own(&Error::wrap(BoxError::from(own())));
    check_is_own(&Error::wrap(Box::new(own())));
    check_is_own(&Error::wrap(BoxError::from(Box::new(own()))));
}

#[test]
fn wrapping_twice_adds_nothing() {
    check_is_own(&Error::wrap(Error::wrap(BoxError::from(Error::wrap(own())))));
    let foreign = Error::wrap(BoxError::from(Error::wrap(io::Error::other("disk"))));
    assert_eq!(foreign.source().unwrap().to_string(), "disk");
    assert!(foreign.source().unwrap().source().is_none());
}

#[test]
fn towers_errors_become_kinds() {
    for (error, kind) in [
        (BoxError::from(Elapsed::new()), ErrorKind::Timeout),
        (BoxError::from(Overloaded::new()), ErrorKind::Overloaded),
        (BoxError::from(io::Error::other("disk")), ErrorKind::Other),
        (BoxError::from("only text"), ErrorKind::Other),
    ] {
        let text = error.to_string();
        let wrapped = Error::wrap(error);
        assert_eq!(wrapped.kind(), kind);
        assert_eq!(wrapped.to_string(), text);
        assert_eq!(wrapped.source().unwrap().to_string(), text);
    }
    assert_eq!(Error::wrap(Elapsed::new()).kind(), ErrorKind::Timeout);
}

#[test]
fn the_cause_of_a_foreign_error_can_be_asked_for_its_type() {
    let wrapped = Error::wrap(io::Error::new(io::ErrorKind::NotFound, "gone"));
    let source = wrapped.source().unwrap().downcast_ref::<io::Error>().unwrap();
    assert_eq!(source.kind(), io::ErrorKind::NotFound);
}

#[test]
fn a_policy_finds_our_error_in_whatever_type_the_stack_has() {
    assert!(as_error(&own()).is_some());
    assert!(as_error(&BoxError::from(own())).is_some());
    assert!(as_error(&Box::new(own())).is_some());
    assert!(as_error(&io::Error::other("x")).is_none());
    assert!(as_error(&BoxError::from("x")).is_none());
    assert!(as_error(&()).is_none());
}

#[test]
fn only_what_may_pass_by_itself_is_retryable() {
    let retryable =
        [ErrorKind::RateLimited, ErrorKind::Overloaded, ErrorKind::Timeout, ErrorKind::Network];
    let hopeless = [
        ErrorKind::Model,
        ErrorKind::Authentication,
        ErrorKind::ContextOverflow,
        ErrorKind::Truncated,
        ErrorKind::Busy,
        ErrorKind::Tool,
        ErrorKind::Prompt,
        ErrorKind::Store,
        ErrorKind::Invalid,
        ErrorKind::Other,
    ];
    assert!(retryable.iter().all(|kind| Error::new(*kind, "x").is_retryable()));
    assert!(hopeless.iter().all(|kind| !Error::new(*kind, "x").is_retryable()));
}

#[test]
fn an_error_may_know_better_than_its_kind_whether_to_retry() {
    assert!(Error::new(ErrorKind::Model, "503").retryable(true).is_retryable());
    assert!(!Error::new(ErrorKind::Network, "tls").retryable(false).is_retryable());
}

#[test]
fn display_shows_one_level_and_debug_all_of_them() {
    assert_eq!(own().to_string(), "slow down");
    let debug = format!("{:?}", own());
    for piece in ["RateLimited", "slow down", "7s", "429"] {
        assert!(debug.contains(piece), "{debug}");
    }
}

#[test]
fn the_chain_is_read_level_by_level() {
    let middle = Error::new(ErrorKind::Network, "reset").because(io::Error::other("epipe"));
    let outer = Error::new(ErrorKind::Model, "no answer").because(middle);
    let chain: Vec<_> = iter::successors(outer.source(), |error| (*error).source())
        .map(ToString::to_string)
        .collect();
    assert_eq!(chain, ["reset", "epipe"]);
}

#[tokio::test]
async fn an_error_that_nobody_handles_reaches_the_caller_unchanged() {
    let pass = || from_fn(|turn: Turn, next: Next| async move { next.run(turn).await });
    let stack = Stack::new()
        .layer(pass())
        .layer(tower::timeout::TimeoutLayer::new(Duration::from_secs(9)))
        .layer(tower::load_shed::LoadShedLayer::new())
        .layer(pass())
        .model(ScriptedModel::new([Script::fail(own())]));
    let agent = Agent::builder(stack).build().unwrap();
    check_is_own(&agent.send(&Session::new(), "hi").await.unwrap_err());
}
