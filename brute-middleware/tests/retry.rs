//! Failures that may pass are tried again, after waits that a provider would accept.

use std::time::Duration;

use brute_core::{
    Agent, Error, ErrorKind, Event, Events, Session, StopReason,
    models::{Script, ScriptedModel},
    testing::{LintedStack, Recorder},
};
use brute_middleware::{AcceptInputLayer, Backoff, JournalLayer, RetryLayer, ToolLoopLayer};
use tokio::time::Instant;

fn busy() -> Error {
    Error::new(ErrorKind::Overloaded, "the service is full")
}

fn agent(layer: RetryLayer, scripts: impl IntoIterator<Item = Script>) -> (Agent, ScriptedModel) {
    let model = ScriptedModel::new(scripts);
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(JournalLayer)
        .layer(layer)
        .model(model.clone());
    (Agent::builder(stack).build().unwrap(), model)
}

#[tokio::test(start_paused = true)]
async fn two_failures_and_a_success_leave_one_answer() {
    let (agent, model) = agent(
        RetryLayer::new(),
        [Script::fail(busy()), Script::fail(busy()), Script::text("at last")],
    );
    let session = Session::new();
    assert_eq!(agent.send(&session, "hi").await.unwrap().answer(), "at last");
    assert_eq!((session.log().len(), model.requests().len()), (2, 3));
    let requests = model.requests();
    assert!(requests.iter().all(|turn| turn.log == requests[0].log), "each attempt sends the same");
}

#[tokio::test(start_paused = true)]
async fn the_last_error_carries_the_number_of_attempts_and_its_cause() {
    let (agent, model) = agent(RetryLayer::new(), (0..3).map(|_| Script::fail(busy())));
    let error = agent.send(&Session::new(), "hi").await.unwrap_err();
    assert_eq!((error.kind(), model.requests().len()), (ErrorKind::Overloaded, 3));
    assert_eq!(error.to_string(), "the service is full (after 3 attempts)");
    assert!(std::error::Error::source(&error).is_some());
}

#[tokio::test(start_paused = true)]
async fn a_text_can_stand_for_the_error() {
    let layer = RetryLayer::new().retries(1).answer_on_failure();
    let (agent, _) = agent(layer, [Script::fail(busy()), Script::fail(busy())]);
    let reply = agent.send(&Session::new(), "hi").await.unwrap();
    assert_eq!(reply.stop, StopReason::EndTurn);
    assert!(
        reply.answer().contains("2 attempts") && reply.answer().contains("Overloaded"),
        "{}",
        reply.answer()
    );
}

#[tokio::test]
async fn what_will_not_pass_is_not_tried_again() {
    for kind in [
        ErrorKind::Authentication,
        ErrorKind::Invalid,
        ErrorKind::ContextOverflow,
        ErrorKind::Model,
    ] {
        let (agent, model) = agent(RetryLayer::new(), [Script::fail(Error::new(kind, "no"))]);
        let error = agent.send(&Session::new(), "hi").await.unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string().as_str(), model.requests().len()),
            (kind, "no", 1)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_provider_asked_for_is_waited_exactly() {
    let asked = busy().after(Duration::from_secs(3));
    let (agent, _) = agent(RetryLayer::new(), [Script::fail(asked), Script::text("ok")]);
    let began = Instant::now();
    agent.send(&Session::new(), "hi").await.unwrap();
    assert_eq!(began.elapsed(), Duration::from_secs(3));
}

#[tokio::test(start_paused = true)]
async fn a_wait_beyond_the_cap_comes_back_at_once_and_is_told() {
    let asked = busy().after(Duration::from_mins(2));
    let (agent, model) = agent(RetryLayer::new(), [Script::fail(asked)]);
    let began = Instant::now();
    let error = agent.send(&Session::new(), "hi").await.unwrap_err();
    assert_eq!(
        (began.elapsed(), error.retry_after()),
        (Duration::ZERO, Some(Duration::from_mins(2)))
    );
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_had_streamed_is_told_before_the_next_one() {
    let half = Script::text("half").and_fail(Error::new(ErrorKind::Network, "gone"));
    let (agent, _) = agent(RetryLayer::new(), [half, Script::text("whole")]);
    let recorder = Recorder::default();
    let notes = recorder.clone();
    let events = Events::inline(move |event| match event {
        Event::Text { delta } => notes.note(&*delta),
        Event::Retry { attempts, kind, .. } => notes.note(format!("retry {attempts} {kind:?}")),
        _ => {}
    });
    agent.turn(&Session::new(), "hi").events(events).await.unwrap();
    assert_eq!(recorder.list(), ["half", "retry 1 Network", "whole"]);
}

#[test]
fn waits_double_within_a_quarter_and_never_pass_the_cap() {
    let backoff =
        Backoff { retries: 10, base: Duration::from_secs(1), cap: Duration::from_mins(1) };
    for attempts in 1..=10 {
        let planned = Duration::from_secs(1 << (attempts - 1)).min(backoff.cap);
        for chance in [0.0, 0.3, 0.5, 1.0] {
            let wait = backoff.wait(&busy(), attempts, chance).unwrap();
            assert!(
                wait >= planned.mul_f64(0.75) && wait <= planned.mul_f64(1.25),
                "{attempts}: {wait:?}"
            );
            assert!(wait <= backoff.cap);
        }
    }
    assert_eq!(backoff.wait(&busy(), 11, 0.5), None);
}

#[test]
fn no_numbers_overflow() {
    let backoff = Backoff { retries: u32::MAX, base: Duration::MAX, cap: Duration::from_mins(1) };
    assert_eq!(backoff.wait(&busy(), u32::MAX, 0.5), Some(Duration::from_mins(1)));
}
