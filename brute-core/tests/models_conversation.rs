//! What the user says reaches the model, or somebody is told.

use std::sync::{Arc, Mutex};

use brute_core::{
    Agent, Error, ErrorKind, Event, Events, Log, Message, ModelId, Next, Reply, Session, Stack,
    Turn, from_fn,
    models::{OfflineModel, ScriptedModel, conversation},
};
use tower::{Service, ServiceExt};

/// Returns a turn, and the list of what it tells.
fn turn(input: &str, step: u32) -> (Turn, Arc<Mutex<Vec<Event>>>) {
    let list = Arc::<Mutex<Vec<Event>>>::default();
    let kept = list.clone();
    let mut turn = Turn { input: input.into(), model: ModelId::new("a", "b"), ..Turn::default() };
    turn.events = Events::inline(move |event| kept.lock().unwrap().push(event));
    turn.log = Log::from_iter([Message::user("before")]);
    turn.facts.step = step;
    (turn, list)
}

fn diagnostics(list: &Mutex<Vec<Event>>) -> Vec<String> {
    let message = |event: &Event| match event {
        Event::Diagnostic { message } => Some(message.to_string()),
        _ => None,
    };
    list.lock().unwrap().iter().filter_map(message).collect()
}

fn texts(log: &Log) -> Vec<String> {
    log.iter().map(|message| message.text()).collect()
}

#[test]
fn an_input_that_no_layer_accepted_is_heard_and_a_diagnostic_says_that_it_is_forgotten() {
    let (turn, told) = turn("now", 0);
    assert_eq!(texts(&conversation(&turn).unwrap()), ["before", "now"]);
    assert_eq!(texts(&turn.log), ["before"]);
    let told = diagnostics(&told);
    assert!(told.len() == 1 && told[0].contains("put AcceptInputLayer above"), "{told:?}");
}

#[test]
fn where_the_input_was_accepted_nothing_is_added_and_nothing_told() {
    for step in [0, 1, 7] {
        let (mut turn, told) = turn("now", step);
        turn.input.take();
        assert_eq!(texts(&conversation(&turn).unwrap()), ["before"]);
        assert!(diagnostics(&told).is_empty());
    }
}

/// Sends a request to a model below a loop that nobody accepts the input above.
async fn error_of<M>(mut model: M) -> Error
where
    M: Service<Turn, Response = Reply, Error = Error>,
{
    let (turn, _) = turn("now", 1);
    model.ready().await.unwrap().call(turn).await.unwrap_err()
}

#[tokio::test]
async fn below_a_loop_it_is_an_error_for_every_model_that_says_what_is_missing() {
    for error in [error_of(OfflineModel).await, error_of(ScriptedModel::text("hi")).await] {
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.to_string().contains("put AcceptInputLayer above"), "{error}");
    }
}

#[tokio::test]
async fn the_offline_model_alone_answers_what_was_asked() {
    let agent = Agent::builder(OfflineModel).build().unwrap();
    let reply = agent.send(&Session::new(), "Where is the anchor?").await.unwrap();
    assert!(reply.answer().contains("Where is the anchor?"), "{}", reply.answer());
}

#[tokio::test]
async fn a_layer_that_answers_by_itself_needs_nobody_to_accept_the_input() {
    let answers = from_fn(|_, _: Next| async { Ok::<_, Error>(Reply::text("cached")) });
    let agent = Agent::builder(Stack::new().layer(answers).model(OfflineModel)).build().unwrap();
    assert_eq!(agent.send(&Session::new(), "hi").await.unwrap().answer(), "cached");
}
