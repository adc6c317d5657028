//! A tool is described by its type, and answers with what becomes a result.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use brute_core::{
    Effect, Error, ErrorKind, Media, MediaSource, Tool, ToolContext, ToolOutput, ToolResult,
    ToolSpec,
};
use serde_json::{Value, json};

struct ReadFile;
struct Generic<T>(T);

#[async_trait]
impl Tool for ReadFile {
    async fn call(&self, _: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        Ok("text".into())
    }
}

#[async_trait]
impl<T: Send + Sync + 'static> Tool for Generic<T> {
    async fn call(&self, _: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        Ok("text".into())
    }
}

#[test]
fn a_tool_is_named_after_its_type_in_snake_case() {
    assert_eq!(&*ReadFile.spec().name, "read_file");
    assert_eq!(&*Generic(Some(ReadFile)).spec().name, "generic");
}

#[test]
fn a_description_starts_without_arguments_and_as_one_that_writes() {
    let spec = ToolSpec::new("t", "Does it.");
    assert_eq!(*spec.parameters, json!({ "type": "object", "properties": {} }));
    assert_eq!((spec.effect, spec.sequential), (Effect::Writes, false));
    assert_eq!(spec.known_name(), "t");
}

#[test]
fn a_description_can_be_set_piece_by_piece() {
    let schema = json!({ "type": "object", "properties": { "a": {} } });
    let spec =
        ToolSpec::new("t", "").parameters(schema.clone()).effect(Effect::Idempotent).sequential();
    assert_eq!(*spec.parameters, schema);
    assert_eq!((spec.effect, spec.sequential), (Effect::Idempotent, true));
}

#[test]
fn an_output_becomes_a_result_and_loses_nothing() {
    let media = Media { mime: "image/png".into(), source: MediaSource::Base64("AA==".into()) };
    let output = ToolOutput {
        text: "cut".into(),
        media: vec![media.clone()],
        is_error: true,
        truncated: true,
        pinned: true,
    };
    let expected = ToolResult {
        call_id: "1".into(),
        text: "cut".into(),
        media: vec![media],
        is_error: true,
        truncated: true,
        pinned: true,
    };
    assert_eq!(output.into_result("1".into()), expected);
}

#[test]
fn text_in_any_form_is_an_output_that_worked() {
    let expected = ToolOutput { text: "ok".into(), ..ToolOutput::default() };
    for output in [ToolOutput::from("ok"), "ok".to_owned().into(), Arc::<str>::from("ok").into()] {
        assert_eq!(output, expected);
    }
    assert!(ToolOutput::error("no").is_error);
}

#[test]
fn a_value_is_answered_as_json() {
    let output = ToolOutput::json(&json!({ "b": 1, "a": [null] })).unwrap();
    assert_eq!(&*output.text, r#"{"b":1,"a":[null]}"#);
}

#[test]
fn a_value_without_a_json_form_is_an_error() {
    let keyed_by_lists = BTreeMap::from([(vec![1], 2)]);
    let error = ToolOutput::json(&keyed_by_lists).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Tool);
    assert!(std::error::Error::source(&error).is_some());
}
