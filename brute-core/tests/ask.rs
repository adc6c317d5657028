//! An answer of a type is read, complained about once, and never guessed.

use brute_core::models::{Script, ScriptedModel};
use brute_core::{Agent, ErrorKind, Origin, Part, Session, Turn};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Verdict {
    /// Whether the change may go in.
    approved: bool,
    reasons: Vec<String>,
}

const GOOD: &str = r#"{"approved": true, "reasons": ["tested"]}"#;

fn good() -> Verdict {
    Verdict { approved: true, reasons: vec!["tested".to_owned()] }
}

async fn ask(model: &ScriptedModel) -> Result<Verdict, brute_core::Error> {
    let agent = Agent::builder(model.clone()).build().unwrap();
    agent.ask(&Session::new(), "Is it good?").await
}

fn said(turn: &Turn) -> String {
    turn.input.text()
}

#[tokio::test]
async fn an_answer_that_fits_is_the_value() {
    let model = ScriptedModel::text(GOOD);
    assert_eq!(ask(&model).await.unwrap(), good());
}

#[tokio::test]
async fn the_schema_goes_down_with_the_turn() {
    let model = ScriptedModel::text(GOOD);
    ask(&model).await.unwrap();
    let schema = model.requests()[0].settings.response_schema.clone().unwrap();
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["properties"]["approved"]["type"], "boolean");
}

#[tokio::test]
async fn an_answer_in_a_fence_is_taken_out_of_it() {
    let model = ScriptedModel::text(&format!("```json\n{GOOD}\n```\n"));
    assert_eq!(ask(&model).await.unwrap(), good());
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_complained_about_once() {
    let wrong = r#"{"approved": "perhaps", "reasons": []}"#;
    let model = ScriptedModel::new([Script::text(wrong), Script::text(GOOD)]);
    assert_eq!(ask(&model).await.unwrap(), good());
    let requests = model.requests();
    assert_eq!(requests.len(), 2);
    assert!(said(&requests[1]).contains("at `approved`"), "{}", said(&requests[1]));
    assert!(requests[1].settings.response_schema.is_some());
}

#[tokio::test]
async fn the_complaint_is_no_command_of_the_user() {
    let model = ScriptedModel::new([Script::text("/review"), Script::text(GOOD)]);
    ask(&model).await.unwrap();
    let input = model.requests()[1].input.message().unwrap().clone();
    assert!(matches!(&input.parts[..], [Part::Text(text)] if text.origin == Origin::Generated));
}

#[tokio::test]
async fn a_second_answer_that_does_not_fit_is_an_error() {
    let model = ScriptedModel::new([Script::text("no"), Script::text("never")]);
    let error = ask(&model).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Model);
    assert!(error.to_string().contains("neither of two tries"), "{error}");
    assert_eq!(model.requests().len(), 2);
}

#[tokio::test]
async fn a_value_that_is_no_object_is_asked_for_in_one() {
    let model = ScriptedModel::text(r#"{"answer": ["a", "b"]}"#);
    let agent = Agent::builder(model.clone()).build().unwrap();
    let list: Vec<String> = agent.ask(&Session::new(), "Which?").await.unwrap();
    assert_eq!(list, ["a", "b"]);
    let schema = model.requests()[0].settings.response_schema.clone().unwrap();
    assert_eq!(schema["properties"]["answer"]["type"], "array");
}

#[tokio::test]
async fn a_turn_with_settings_of_its_own_keeps_them() {
    let model = ScriptedModel::new([Script::text("no"), Script::text(GOOD)]);
    let agent = Agent::builder(model.clone()).build().unwrap();
    let turn = agent.turn(&Session::new(), "Is it good?");
    let verdict: Verdict =
        turn.settings(|settings| settings.temperature = Some(0.0)).ask().await.unwrap();
    assert_eq!(verdict, good());
    for request in model.requests() {
        assert_eq!(request.settings.temperature, Some(0.0));
    }
}
