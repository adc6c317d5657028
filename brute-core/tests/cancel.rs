//! A token asks once and for all, whoever holds a clone of it.

use std::time::Duration;

use brute_core::models::ScriptedModel;
use brute_core::{Agent, CancelToken, Session};
use futures::FutureExt;

#[test]
fn a_token_that_nobody_used_keeps_waiting() {
    let token = CancelToken::new();
    assert!(!token.is_cancelled());
    assert!(token.cancelled().now_or_never().is_none());
}

#[test]
fn a_clone_asks_for_the_same_and_it_cannot_be_taken_back() {
    let token = CancelToken::new();
    token.clone().cancel();
    token.cancel();
    assert!(token.is_cancelled());
    for _ in 0..2 {
        assert!(token.cancelled().now_or_never().is_some());
    }
}

#[test]
fn it_is_heard_by_who_began_to_wait_before_and_was_not_polled_yet() {
    let token = CancelToken::new();
    let unpolled = token.cancelled();
    let mut polled = Box::pin(token.cancelled());
    assert!((&mut polled).now_or_never().is_none());
    token.cancel();
    assert!(polled.now_or_never().is_some() && unpolled.now_or_never().is_some());
}

#[tokio::test]
async fn all_who_wait_are_woken() {
    let token = CancelToken::new();
    let waiting: Vec<_> = (0..20)
        .map(|_| {
            let token = token.clone();
            tokio::spawn(async move { token.cancelled().await })
        })
        .collect();
    tokio::task::yield_now().await;
    token.cancel();
    for task in waiting {
        tokio::time::timeout(Duration::from_secs(10), task).await.expect("it is woken").unwrap();
    }
}

#[tokio::test]
async fn a_turn_hands_its_token_down_and_the_next_turn_has_none() {
    let model = ScriptedModel::answering(|_| brute_core::models::Script::text("hi"));
    let agent = Agent::builder(model.clone()).build().unwrap();
    let (session, token) = (Session::new(), CancelToken::new());
    agent.turn(&session, "one").cancel_with(&token).await.unwrap();
    agent.send(&session, "two").await.unwrap();
    token.cancel();
    let tokens = model
        .requests()
        .into_iter()
        .map(|turn| turn.extensions.get::<CancelToken>().map(CancelToken::is_cancelled));
    assert!(tokens.eq([Some(true), None]));
}
