//! An agent takes turns on sessions, and keeps nothing of its own between them.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use brute_core::models::{Script, ScriptedModel};
use brute_core::testing::LintedStack;
use brute_core::{
    Agent, Error, ErrorKind, Event, Events, Input, Next, Reply, ReplyFuture, Session, Settings,
    Stack, StopReason, ToolChoice, Turn, TurnItem, TurnStream, Usage, from_fn,
};
use futures::{FutureExt, StreamExt};
use serde_json::json;

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

async fn outcome(mut stream: TurnStream) -> Result<Reply, Error> {
    loop {
        if let TurnItem::End(outcome) = stream.next().await.expect("a stream ends with its outcome")
        {
            return outcome;
        }
    }
}

#[tokio::test]
async fn streamed_or_not_a_turn_has_the_same_outcome_and_leaves_the_same_record() {
    let scripts = || {
        let usage = Usage { input: 3, output: 4, ..Usage::default() };
        ScriptedModel::new([
            Script::text("long answer").and_reasoning("why").pieces(4).usage(usage),
            Script::text("cut").stop(StopReason::MaxTokens),
            Script::text("half").and_fail(Error::new(ErrorKind::Network, "reset")),
            Script::empty(),
        ])
    };
    let (plain, streamed) = (Session::new(), Session::new());
    let (one, two) = (agent(scripts()), agent(scripts()));
    for text in ["a", "b", "c", "d"] {
        let left = one.send(&plain, text).await;
        let right = outcome(two.stream(&streamed, text)).await;
        match (left, right) {
            (Ok(left), Ok(right)) => assert_eq!(left, right),
            (Err(left), Err(right)) => assert_eq!(left.to_string(), right.to_string()),
            (left, right) => panic!("{left:?} is not {right:?}"),
        }
        assert_eq!(plain.log(), streamed.log());
    }
    assert_eq!(texts(&plain), ["a", "long answer", "b", "cut", "c", "d", ""]);
}

#[test]
fn what_an_agent_hands_out_can_go_to_another_thread_and_outlive_it() {
    fn travels<T: Send + 'static>(_: &T) {}
    let agent = agent(ScriptedModel::text("hi"));
    let session = Session::new();
    let future: ReplyFuture = agent.send(&session, "hi");
    let stream = agent.stream(&session, "hi");
    let call = agent.turn(&session, "hi");
    travels(&future);
    travels(&stream);
    travels(&call);
    travels(&agent);
    travels(&session);
    drop((agent, session));
    assert_eq!(future.now_or_never().unwrap().unwrap().answer(), "hi");
}

#[tokio::test]
async fn an_agent_is_shared_by_tasks() {
    let agent =
        agent(ScriptedModel::answering(|turn| Script::text(&turn.log.last().unwrap().text())));
    let turns = (0..20).map(|number| {
        let agent = agent.clone();
        tokio::spawn(async move { agent.send(&Session::new(), number.to_string()).await })
    });
    for (number, turn) in turns.collect::<Vec<_>>().into_iter().enumerate() {
        assert_eq!(turn.await.unwrap().unwrap().answer(), number.to_string());
    }
}

#[test]
fn a_turn_that_is_not_polled_has_not_begun() {
    let model = ScriptedModel::answering(|_| Script::text("hi"));
    let (agent, session) = (agent(model.clone()), Session::new());
    let future = agent.send(&session, "first");
    let stream = agent.stream(&session, "second");
    let call = agent.turn(&session, "third");
    assert!(!session.is_busy());
    agent.send(&session, "fourth").now_or_never().unwrap().unwrap();
    drop((future, stream, call));
    assert_eq!(texts(&session), ["fourth", "hi"]);
    assert_eq!(model.requests().len(), 1);
}

#[test]
fn what_a_turn_is_given_of_its_own_ends_with_it() {
    let model = ScriptedModel::answering(|_| Script::text("hi"));
    let builder = Agent::builder(model.clone())
        .model("anthropic", "claude")
        .settings(Settings { temperature: Some(0.5), ..Settings::default() })
        .cwd("/agent")
        .fact("rules", "of the agent");
    let (agent, session) = (builder.build().unwrap(), Session::new());
    let own = agent
        .turn(&session, "one")
        .cwd("/turn")
        .fact("rules", "of the turn")
        .fact("agent", "plan")
        .settings(|settings| settings.tool_choice = ToolChoice::None);
    own.send().now_or_never().unwrap().unwrap();
    agent.send(&session, "two").now_or_never().unwrap().unwrap();
    let requests = model.requests();
    let shown = requests.iter().map(|turn| {
        let facts = &turn.facts;
        let cwd = facts.cwd().unwrap().display().to_string();
        (cwd, facts.get("rules").unwrap().clone(), facts.agent(), turn.settings.tool_choice.clone())
    });
    assert!(shown.eq([
        ("/turn".to_owned(), json!("of the turn"), Some("plan"), ToolChoice::None),
        ("/agent".to_owned(), json!("of the agent"), None, ToolChoice::Auto),
    ]));
    assert!(requests.iter().all(|turn| turn.settings.temperature == Some(0.5)));
    assert!(requests.iter().all(|turn| turn.model.to_string() == "anthropic/claude"));
}

#[tokio::test]
async fn events_go_to_the_agent_and_to_the_turn_that_asked_for_them() {
    let listed = || {
        let list = Arc::new(Mutex::new(Vec::new()));
        let kept = list.clone();
        (Events::inline(move |event| kept.lock().unwrap().push(event)), list)
    };
    let ((of_agent, all), (of_turn, some)) = (listed(), listed());
    let model = ScriptedModel::new([Script::text("one"), Script::text("two")]);
    let agent = Agent::builder(model).events(of_agent).build().unwrap();
    agent.turn(&Session::new(), Input::none()).events(of_turn).await.unwrap();
    agent.send(&Session::new(), Input::none()).await.unwrap();
    let text = |delta: &str| Event::Text { delta: delta.into() };
    assert_eq!(*some.lock().unwrap(), [text("one")]);
    assert_eq!(*all.lock().unwrap(), [text("one"), text("two")]);
}

#[tokio::test(start_paused = true)]
async fn two_sessions_on_one_agent_do_not_mix() {
    let model = ScriptedModel::answering(|turn| {
        let all: Vec<_> = turn.log.iter().map(|message| message.text()).collect();
        Script::text(&all.join("+")).pieces(3).delay(Duration::from_secs(1))
    });
    let agent = agent(model);
    let (one, two) = (Session::new(), Session::new());
    one.remember("name", "one");
    let (first, second) = tokio::join!(agent.send(&one, "a"), agent.send(&two, "x"));
    assert_eq!((first.unwrap().answer(), second.unwrap().answer()), ("a".into(), "x".into()));
    let (first, second) = tokio::join!(agent.send(&one, "b"), agent.send(&two, "y"));
    assert_eq!(first.unwrap().answer(), "a+a+b");
    assert_eq!(second.unwrap().answer(), "x+x+y");
    assert!(two.meta().get("name").is_none());
    assert_eq!((one.log().len(), two.log().len()), (4, 4));
}

#[tokio::test(start_paused = true)]
async fn fifty_sessions_on_one_agent_take_the_time_of_one() {
    let model = ScriptedModel::answering(|_| Script::text("hi").delay(Duration::from_secs(1)));
    let agent = agent(model);
    let start = tokio::time::Instant::now();
    let turns = (0..50).map(|_| agent.send(&Session::new(), "hi"));
    for reply in futures::future::join_all(turns.collect::<Vec<_>>()).await {
        reply.unwrap();
    }
    // One second before the text, one before the end.
    assert_eq!(start.elapsed().as_secs(), 2);
}

/// Something that a layer hands down for those below it.
#[derive(Clone, Debug, PartialEq)]
struct Private(u8);

#[test]
fn what_a_layer_hands_down_reaches_no_other_turn_and_no_other_agent() {
    let model = ScriptedModel::answering(|_| Script::text("hi"));
    let other = agent(model.clone());
    let marks = from_fn(move |mut turn: Turn, next: Next| {
        let other = other.clone();
        async move {
            if turn.log.is_empty() {
                turn.extensions.insert(Private(7));
                turn.facts.set("private", 7);
                turn.meta.set("private", json!(7));
            }
            other.send(&Session::new(), "aside").await?;
            next.run(turn).await
        }
    });
    let stack = LintedStack::new().layer(marks).layer(from_fn(keep)).model(model.clone());
    let (agent, session) = (Agent::builder(stack).build().unwrap(), Session::new());
    for _ in 0..2 {
        agent.send(&session, "hi").now_or_never().unwrap().unwrap();
    }
    let private = |turn: &Turn| {
        let known = [turn.facts.get("private").is_some(), turn.meta.get("private").is_some()];
        (turn.extensions.get::<Private>().cloned(), known)
    };
    let marked = (Some(Private(7)), [true, true]);
    let clean = (None, [false, false]);
    let seen: Vec<_> = model.requests().iter().map(private).collect();
    assert_eq!(seen, [clean.clone(), marked, clean.clone(), clean]);
    assert!(session.meta().get("private").is_none());
    assert!(!session.to_json().unwrap().contains("private"));
}

#[test]
fn an_agent_shows_its_stack_and_its_tools() {
    let agent = agent(ScriptedModel::text("hi"));
    assert!(agent.picture().names().any(|name| name == "ScriptedModel"));
    assert!(agent.tools().is_empty());
    let plain = Agent::builder(ScriptedModel::text("hi")).build().unwrap();
    assert_eq!(plain.picture().to_string(), "└ ScriptedModel\n");
    assert!(format!("{plain:?}").contains("ModelId"));
}

#[test]
fn a_stack_that_never_gets_ready_fails_without_beginning() {
    #[derive(Clone)]
    struct Refuses;
    impl tower::Service<Turn> for Refuses {
        type Response = Reply;
        type Error = Error;
        type Future = ReplyFuture;
        fn poll_ready(
            &mut self,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Result<(), Error>> {
            std::task::Poll::Ready(Err(Error::new(ErrorKind::Overloaded, "closed")))
        }
        fn call(&mut self, _: Turn) -> ReplyFuture {
            panic!("called although it is not ready")
        }
    }
    let agent = Agent::builder(Stack::new().layer(from_fn(keep)).model(Refuses)).build().unwrap();
    let session = Session::new();
    let error = agent.send(&session, "hi").now_or_never().unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Overloaded);
    assert!(session.log().is_empty() && !session.is_busy());
}
