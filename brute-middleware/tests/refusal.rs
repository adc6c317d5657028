//! A refusal becomes an error that others can catch.

use brute_core::{
    Agent, ErrorKind, Session, StopReason,
    models::{Script, ScriptedModel},
    testing::LintedStack,
};
use brute_middleware::{AcceptInputLayer, RefusalLayer};

#[tokio::test]
async fn only_a_refusal_is_an_error_and_it_says_what_the_model_said() {
    let model = ScriptedModel::new([
        Script::text("I will not.").stop(StopReason::Refusal),
        Script::text("I will.").stop(StopReason::MaxTokens),
    ]);
    let stack = LintedStack::new().layer(AcceptInputLayer).layer(RefusalLayer).model(model);
    let agent = Agent::builder(stack).model("a", "b").build().unwrap();
    let session = Session::new();
    let error = agent.send(&session, "hi").await.unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ErrorKind::Refused, "a/b declined: I will not.")
    );
    assert_eq!(agent.send(&session, "hi").await.unwrap().answer(), "I will.");
}
