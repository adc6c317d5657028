//! A turn as a stream: events as they happen, then the outcome, then nothing.

use std::{
    panic::AssertUnwindSafe,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use brute_core::models::{Script, ScriptedModel};
use brute_core::testing::LintedStack;
use brute_core::{
    Agent, Error, ErrorKind, Event, Events, Input, Next, Reply, Session, Turn, TurnItem,
    TurnStream, from_fn,
};
use futures::{FutureExt, StreamExt};
use tokio::time::Instant;

async fn accept(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    if let Some(input) = turn.input.take() {
        turn.journal.accept(input, &mut turn.log);
    }
    next.run(turn).await
}

fn agent(scripts: impl IntoIterator<Item = Script>) -> Agent {
    let stack = LintedStack::new().layer(from_fn(accept)).model(ScriptedModel::new(scripts));
    Agent::builder(stack).build().unwrap()
}

fn texts(session: &Session) -> Vec<String> {
    session.log().iter().map(|message| message.text()).collect()
}

/// Shows an item in one word.
fn word(item: TurnItem) -> String {
    match item {
        TurnItem::Event(Event::Text { delta }) => delta.to_string(),
        TurnItem::Event(event) => format!("{event:?}"),
        TurnItem::End(Ok(reply)) => format!("end: {}", reply.answer()),
        TurnItem::End(Err(error)) => format!("failed: {error}"),
    }
}

async fn words(stream: TurnStream) -> Vec<String> {
    stream.map(word).collect().await
}

#[tokio::test]
async fn events_come_first_and_the_outcome_last() {
    let stream = agent([Script::text("abcdef").pieces(3)]).stream(&Session::new(), "hi");
    assert_eq!(words(stream).await, ["ab", "cd", "ef", "end: abcdef"]);
}

#[tokio::test(start_paused = true)]
async fn an_event_comes_when_it_happens() {
    let script = Script::text("abc").pieces(3).delay(Duration::from_secs(1));
    let mut stream = agent([script]).stream(&Session::new(), "hi");
    let start = Instant::now();
    let mut times = Vec::new();
    while let Some(item) = stream.next().await {
        times.push((word(item), start.elapsed().as_secs()));
    }
    let expected = [("a", 1), ("b", 2), ("c", 3), ("end: abc", 4)];
    assert!(times.iter().map(|(word, time)| (word.as_str(), *time)).eq(expected), "{times:?}");
}

#[tokio::test]
async fn a_stream_that_fails_midway_ends_with_the_error_and_records_no_half_message() {
    let reset = Error::new(ErrorKind::Network, "reset").because(std::io::Error::other("epipe"));
    let session = Session::new();
    let mut stream = agent([Script::text("half").pieces(2).and_fail(reset)]).stream(&session, "hi");
    assert_eq!(word(stream.next().await.unwrap()), "ha");
    assert_eq!(word(stream.next().await.unwrap()), "lf");
    let Some(TurnItem::End(Err(error))) = stream.next().await else { panic!("it ends") };
    assert_eq!(error.kind(), ErrorKind::Network);
    assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "epipe");
    assert!(stream.next().await.is_none());
    assert_eq!(texts(&session), ["hi"]);
    assert!(!session.is_busy());
}

/// Counts down when it is dropped.
struct Alive(Arc<AtomicUsize>);

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn dropping_the_stream_midway_cancels_the_model_and_lets_layers_clean_up() {
    let alive = Arc::new(AtomicUsize::new(0));
    let counted = alive.clone();
    let holds = from_fn(move |turn, next: Next| {
        counted.fetch_add(1, Ordering::Relaxed);
        let alive = Alive(counted.clone());
        async move {
            let reply = next.run(turn).await;
            drop(alive);
            reply
        }
    });
    let model =
        ScriptedModel::new([Script::text("abcdef").pieces(3).pending(1), Script::text("again")]);
    let stack = LintedStack::new().layer(from_fn(accept)).layer(holds).model(model);
    let (agent, session) = (Agent::builder(stack).build().unwrap(), Session::new());
    let mut stream = agent.stream(&session, "hi");
    assert_eq!(word(stream.next().await.unwrap()), "ab");
    assert_eq!((alive.load(Ordering::Relaxed), session.is_busy()), (1, true));
    drop(stream);
    assert_eq!((alive.load(Ordering::Relaxed), session.is_busy()), (0, false));
    assert_eq!(texts(&session), ["hi"]);
    assert_eq!(words(agent.stream(&session, "more")).await, ["again", "end: again"]);
    assert_eq!(texts(&session), ["hi", "more", "again"]);
}

#[tokio::test(start_paused = true)]
async fn while_nobody_polls_the_turn_stands_still() {
    let script = Script::text("ab").pieces(2).delay(Duration::from_secs(1));
    let session = Session::new();
    let mut stream = agent([script]).stream(&session, "hi");
    tokio::time::sleep(Duration::from_mins(1)).await;
    assert!(!session.is_busy() && session.log().is_empty());
    let start = Instant::now();
    assert_eq!(word(stream.next().await.unwrap()), "a");
    assert_eq!(start.elapsed().as_secs(), 1);
    tokio::time::sleep(Duration::from_mins(1)).await;
    assert_eq!(texts(&session), ["hi"]);
    assert_eq!(words(stream).await, ["b", "end: ab"]);
}

#[tokio::test]
async fn a_stream_on_a_busy_session_ends_at_once() {
    let session = Session::new();
    let agent = agent([Script::text("ab").pieces(2).pending(1)]);
    let mut first = agent.stream(&session, "one");
    first.next().await.unwrap();
    let mut second = agent.stream(&session, "two");
    let Some(TurnItem::End(Err(error))) = second.next().await else { panic!("it ends") };
    assert_eq!(error.kind(), ErrorKind::Busy);
    assert!(second.next().await.is_none());
    assert_eq!(words(first).await, ["b", "end: ab"]);
}

#[tokio::test]
async fn nothing_follows_the_outcome_even_if_something_goes_on_sending() {
    let leaks = from_fn(|turn: Turn, next: Next| async move {
        let events = turn.events.clone();
        tokio::spawn(async move {
            loop {
                events.emit(|| Event::diagnostic("late"));
                tokio::task::yield_now().await;
            }
        });
        next.run(turn).await
    });
    let stack = LintedStack::new().layer(leaks).model(ScriptedModel::text("hi"));
    let mut stream = Agent::builder(stack).build().unwrap().stream(&Session::new(), "hi");
    while !matches!(stream.next().await.expect("the turn ends"), TurnItem::End(_)) {}
    for _ in 0..10 {
        tokio::task::yield_now().await;
        assert!(stream.next().await.is_none());
    }
}

#[tokio::test]
async fn what_is_sent_after_the_turn_ended_does_not_hold_back_the_outcome() {
    let left_behind = Arc::new(Mutex::new(Events::default()));
    let kept = left_behind.clone();
    let leaks = from_fn(move |turn: Turn, next: Next| {
        *kept.lock().unwrap() = turn.events.clone();
        next.run(turn)
    });
    let model = ScriptedModel::new([Script::text("ab").pieces(2)]);
    let stack = LintedStack::new().layer(leaks).model(model);
    let mut stream = Agent::builder(stack).build().unwrap().stream(&Session::new(), Input::none());
    // The turn has ended by the time its first event is taken.
    assert_eq!(word(stream.next().await.unwrap()), "a");
    left_behind.lock().unwrap().emit(|| Event::diagnostic("late"));
    assert_eq!(words(stream).await, ["b", "end: ab"]);
}

#[tokio::test]
async fn events_that_a_turn_sent_just_before_it_failed_are_not_lost() {
    let fails = from_fn(|turn: Turn, _: Next| async move {
        (0..100).for_each(|number| turn.events.emit(|| Event::diagnostic(number.to_string())));
        Err(Error::new(ErrorKind::Other, "no"))
    });
    let stack = LintedStack::new().layer(fails).model(ScriptedModel::new([]));
    let stream = Agent::builder(stack).build().unwrap().stream(&Session::new(), "hi");
    let words = words(stream).await;
    assert_eq!(words.len(), 101);
    assert!(words[99].contains("99") && words[100] == "failed: no");
}

#[tokio::test]
async fn a_panic_in_a_turn_reaches_who_polls_the_stream() {
    let panics = from_fn(|_, _: Next| async { panic!("the layer panics") });
    let stack =
        LintedStack::new().layer(from_fn(accept)).layer(panics).model(ScriptedModel::new([]));
    let session = Session::new();
    let mut stream = Agent::builder(stack).build().unwrap().stream(&session, "hi");
    assert!(AssertUnwindSafe(stream.next()).catch_unwind().await.is_err());
    drop(stream);
    assert!(!session.is_busy());
    assert_eq!(texts(&session), ["hi"]);
}

#[tokio::test]
async fn a_stream_can_be_read_on_another_thread() {
    let agent = agent([Script::text("ab").pieces(2).pending(3)]);
    let stream = agent.stream(&Session::new(), "hi");
    drop(agent);
    let words = tokio::task::spawn_blocking(move || {
        tokio::runtime::Handle::current().block_on(words(stream))
    });
    assert_eq!(words.await.unwrap(), ["a", "b", "end: ab"]);
}
