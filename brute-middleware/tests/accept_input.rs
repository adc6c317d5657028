//! The input is recorded before anything acts on it, and once.

use brute_core::{
    Agent, ErrorKind, Input, Media, MediaSource, Message, Next, Session, Turn, from_fn,
    models::{Script, ScriptedModel},
    testing::LintedStack,
};
use brute_middleware::AcceptInputLayer;

fn agent(model: &ScriptedModel) -> Agent {
    Agent::builder(LintedStack::new().layer(AcceptInputLayer).model(model.clone())).build().unwrap()
}

#[tokio::test]
async fn the_input_is_the_last_message_that_the_model_sees() {
    let model = ScriptedModel::text("Hello.");
    agent(&model).send(&Session::new(), "Hi!").await.unwrap();
    let request = &model.requests()[0];
    assert!(request.input.is_empty());
    assert_eq!(request.log.last().unwrap().text(), "Hi!");
}

#[tokio::test]
async fn the_input_is_recorded_when_the_model_fails() {
    let model = ScriptedModel::new([Script::fail(brute_core::Error::new(ErrorKind::Model, "no"))]);
    let session = Session::new();
    agent(&model).send(&session, "Hi!").await.unwrap_err();
    assert_eq!(session.log().last().unwrap().text(), "Hi!");
}

#[tokio::test]
async fn a_layer_above_shapes_what_is_recorded() {
    let expand = from_fn(|mut turn: Turn, next: Next| async move {
        for part in turn.input.parts_mut() {
            *part = brute_core::Part::generated("expanded");
        }
        next.run(turn).await
    });
    let stack =
        LintedStack::new().layer(expand).layer(AcceptInputLayer).model(ScriptedModel::text("ok"));
    let session = Session::new();
    Agent::builder(stack).build().unwrap().send(&session, "/expand").await.unwrap();
    assert_eq!(session.log().get(0).unwrap().text(), "expanded");
}

#[tokio::test]
async fn a_blank_input_is_refused_and_not_recorded() {
    for blank in ["", " \n\t"] {
        let session = Session::new();
        let error = agent(&ScriptedModel::text("ok")).send(&session, blank).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(session.log().is_empty());
    }
}

#[tokio::test]
async fn a_picture_alone_is_an_input() {
    let source = MediaSource::Url("https://example.org/cat.png".into());
    let input = Input::none().with_media(Media { mime: "image/png".into(), source });
    let session = Session::new();
    agent(&ScriptedModel::text("A cat.")).send(&session, input).await.unwrap();
    assert_eq!(session.log().len(), 2);
}

#[tokio::test]
async fn no_input_goes_on_from_where_the_log_is() {
    let session = Session::new();
    session.push(Message::user("Hi!")).unwrap();
    agent(&ScriptedModel::text("Hello.")).send(&session, Input::none()).await.unwrap();
    assert_eq!(session.log().len(), 2);
}
