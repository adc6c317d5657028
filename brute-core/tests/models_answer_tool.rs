//! The tool that a model answers with must not be named like one of the agent's own.
#![cfg(feature = "rig")]

use std::sync::Arc;

use brute_core::{Error, ErrorKind, Message, Toolbox, Turn, models, tool_fn};
use serde_json::{Value, json};
use tower::ServiceExt;

/// Asks a server that is not there for an answer of a schema, with a tool of this name on offer.
async fn error_with(tool: &str) -> Error {
    let own = tool_fn(tool, "Is the host's own.", async |_: Value, _| Ok::<_, Error>("done"));
    let mut turn = Turn { tools: Toolbox::default().with(own).unwrap(), ..Turn::default() };
    turn.log.push(Message::user("hi"));
    turn.settings_mut().response_schema = Some(Arc::new(json!({ "type": "object" })));
    let model = models::openai_compatible("http://127.0.0.1:9/v1").model("mine").unwrap();
    model.oneshot(turn).await.unwrap_err()
}

#[tokio::test]
async fn a_tool_named_like_the_one_to_answer_with_is_an_error_that_names_both() {
    let error = error_with("final_answer").await;
    assert_eq!(error.kind(), ErrorKind::Invalid);
    let text = error.to_string();
    for piece in ["\"final_answer\"", "Is the host's own.", "Toolbox::rename"] {
        assert!(text.contains(piece), "{text}");
    }
    assert_ne!(error_with("look").await.kind(), ErrorKind::Invalid);
}
