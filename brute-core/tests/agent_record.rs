//! What a turn leaves in its session, however it ends.

use std::{
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use brute_core::models::{Script, ScriptedModel};
use brute_core::testing::LintedStack;
use brute_core::{Agent, Error, ErrorKind, Message, Next, Reply, Session, Turn, from_fn};
use futures::FutureExt;

/// Records the input, and the answer of what lies below.
async fn keep(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    if let Some(input) = turn.input.take() {
        turn.journal.accept(input, &mut turn.log);
    }
    let journal = turn.journal.clone();
    let mut reply = next.run(turn).await?;
    for message in &mut reply.added {
        *message = journal.record(message.clone());
    }
    Ok(reply)
}

fn agent(model: ScriptedModel) -> Agent {
    Agent::builder(LintedStack::new().layer(from_fn(keep)).model(model)).build().unwrap()
}

fn texts(session: &Session) -> Vec<String> {
    session.log().iter().map(|message| message.text()).collect()
}

/// Counts how many of it are alive.
struct Alive(Arc<AtomicUsize>);

impl Alive {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count.clone())
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[test]
fn dropping_a_turn_cancels_it_and_what_was_recorded_stays() {
    let alive = Arc::new(AtomicUsize::new(0));
    let counted = alive.clone();
    let below = from_fn(move |turn, next: Next| {
        let alive = Alive::new(&counted);
        async move {
            let reply = next.run(turn).await;
            drop(alive);
            reply
        }
    });
    let model = ScriptedModel::new([
        Script::text("never read").pieces(3).pending(2),
        Script::text("again"),
    ]);
    let stack = LintedStack::new().layer(from_fn(keep)).layer(below).model(model);
    let (agent, session) = (Agent::builder(stack).build().unwrap(), Session::new());
    let mut turn = agent.send(&session, "hi");
    assert!((&mut turn).now_or_never().is_none());
    assert_eq!(alive.load(Ordering::Relaxed), 1);
    drop(turn);
    assert_eq!(alive.load(Ordering::Relaxed), 0);
    assert!(!session.is_busy());
    assert_eq!(texts(&session), ["hi"]);
    agent.send(&session, "go on").now_or_never().unwrap().unwrap();
    assert_eq!(texts(&session), ["hi", "go on", "again"]);
}

#[test]
fn a_turn_dropped_after_any_number_of_polls_leaves_a_session_that_goes_on() {
    let mut polls = 0;
    loop {
        let model = ScriptedModel::answering(|_| Script::text("an answer").pieces(3).pending(2));
        let (agent, session) = (agent(model), Session::new());
        let mut turn = agent.send(&session, "hi");
        let is_done = (0..polls).any(|_| (&mut turn).now_or_never().is_some());
        drop(turn);
        assert!(!session.is_busy());
        let expected: &[&str] = match (polls, is_done) {
            (0, _) => &[],
            (_, false) => &["hi"],
            (_, true) => &["hi", "an answer"],
        };
        assert_eq!(texts(&session), expected);
        if is_done {
            break;
        }
        polls += 1;
    }
    assert!(polls > 6, "{polls}");
}

#[test]
fn what_a_layer_answers_by_itself_is_recorded_once() {
    let model = ScriptedModel::new([]);
    let answers = from_fn(|_, _: Next| async { Ok(Reply::text("from the cache")) });
    let stack = LintedStack::new().layer(from_fn(keep)).layer(answers).model(model.clone());
    let (agent, session) = (Agent::builder(stack).build().unwrap(), Session::new());
    agent.send(&session, "hi").now_or_never().unwrap().unwrap();
    assert_eq!(texts(&session), ["hi", "from the cache"]);
    let stack = LintedStack::new().layer(answers).layer(from_fn(keep)).model(model.clone());
    let (agent, session) = (Agent::builder(stack).build().unwrap(), Session::new());
    agent.send(&session, "hi").now_or_never().unwrap().unwrap();
    assert_eq!(texts(&session), ["from the cache"]);
    assert!(model.requests().is_empty());
}

#[test]
fn what_a_layer_adds_to_an_answer_is_recorded_behind_it() {
    let adds = from_fn(|turn, next: Next| async move {
        let mut reply = next.run(turn).await?;
        reply.added.push(Arc::new(Message::assistant("and more")));
        Ok(reply)
    });
    let stack =
        LintedStack::new().layer(adds).layer(from_fn(keep)).model(ScriptedModel::text("yes"));
    let (agent, session) = (Agent::builder(stack).build().unwrap(), Session::new());
    let reply = agent.send(&session, "hi").now_or_never().unwrap().unwrap();
    assert_eq!(reply.answer(), "and more");
    assert_eq!(texts(&session), ["hi", "yes", "and more"]);
}

#[test]
fn an_answer_that_is_recorded_already_stands_as_it_was_recorded() {
    let signs = from_fn(|turn, next: Next| async move {
        let mut reply = next.run(turn).await?;
        let message = Arc::make_mut(&mut reply.added[0]);
        message.parts.push(brute_core::Part::text(", signed"));
        Ok(reply)
    });
    let stack =
        LintedStack::new().layer(signs).layer(from_fn(keep)).model(ScriptedModel::text("yes"));
    let (agent, session) = (Agent::builder(stack).build().unwrap(), Session::new());
    let reply = agent.send(&session, "hi").now_or_never().unwrap().unwrap();
    assert_eq!(reply.answer(), "yes, signed");
    assert_eq!(texts(&session), ["hi", "yes"]);
}

#[test]
fn a_layer_that_fails_after_the_model_answered_loses_nothing() {
    let left = Arc::new(AtomicUsize::new(0));
    let counted = left.clone();
    let outer = from_fn(move |turn, next: Next| {
        let left = counted.clone();
        async move {
            let outcome = next.run(turn).await;
            left.fetch_add(1, Ordering::Relaxed);
            outcome
        }
    });
    let fails = from_fn(|turn, next: Next| async move {
        next.run(turn).await?;
        Err(Error::new(ErrorKind::Other, "too late"))
    });
    let model = ScriptedModel::text("answered");
    let stack = LintedStack::new().layer(outer).layer(fails).layer(from_fn(keep)).model(model);
    let (agent, session) = (Agent::builder(stack).build().unwrap(), Session::new());
    let error = agent.send(&session, "hi").now_or_never().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "too late");
    assert_eq!(left.load(Ordering::Relaxed), 1);
    assert_eq!(texts(&session), ["hi", "answered"]);
    assert!(!session.is_busy());
}

#[test]
fn a_panic_in_a_layer_reaches_the_caller_and_leaves_the_session_whole() {
    let panics = from_fn(|turn: Turn, next: Next| async move {
        let is_second = turn.log.len() > 1;
        let reply = next.run(turn).await;
        assert!(is_second, "the layer panics");
        reply
    });
    let model = ScriptedModel::answering(|_| Script::text("answered"));
    let stack = LintedStack::new().layer(from_fn(keep)).layer(panics).model(model);
    let (agent, session) = (Agent::builder(stack).build().unwrap(), Session::new());
    let turn = AssertUnwindSafe(agent.send(&session, "hi")).catch_unwind();
    assert!(turn.now_or_never().unwrap().is_err());
    assert!(!session.is_busy());
    assert_eq!(texts(&session), ["hi"]);
    agent.send(&session, "again").now_or_never().unwrap().unwrap();
    assert_eq!(texts(&session), ["hi", "again", "answered"]);
}

#[test]
fn an_input_may_add_nothing() {
    let model = ScriptedModel::text("going on");
    let (agent, session) = (agent(model.clone()), Session::new());
    session.push(Message::user("as said before")).unwrap();
    agent.send(&session, brute_core::Input::none()).now_or_never().unwrap().unwrap();
    assert_eq!(texts(&session), ["as said before", "going on"]);
}
