//! A tool from an async function: its schema, and what happens to arguments that do not fit.

use std::{
    collections::HashMap,
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use brute_core::{
    Effect, Error, ErrorKind, Facts, Tool, ToolCall, ToolContext, ToolOutput, tool_fn,
};
use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
struct Edit {
    /// The file to change.
    path: String,
    changes: Vec<Change>,
    mode: Option<Mode>,
}

#[derive(Deserialize, JsonSchema)]
struct Change {
    line: u32,
    #[serde(default)]
    text: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Replace,
    Insert,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only its schema is asked for")]
struct Tree {
    name: String,
    children: Vec<Tree>,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only its schema is asked for")]
struct Forest {
    trees: Vec<Tree>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[allow(dead_code, reason = "only its schema is asked for")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

fn context() -> ToolContext {
    ToolContext {
        call: ToolCall::new("1", "tool", json!({})),
        facts: Facts::default(),
        events: brute_core::Events::default(),
    }
}

fn schema<A: DeserializeOwned + JsonSchema + Send + 'static>() -> Value {
    let tool = tool_fn("t", "", async |_: A, _| Ok::<_, Error>(""));
    Value::clone(&tool.spec().parameters)
}

/// Collects what a schema refers to.
fn references(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|member| references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[track_caller]
fn check_self_contained(schema: &Value) {
    assert_eq!(schema["type"], "object", "{schema}");
    assert!(schema["properties"].is_object(), "{schema}");
    assert!(schema.get("$schema").is_none() && schema.get("title").is_none(), "{schema}");
    let mut found = Vec::new();
    references(schema, &mut found);
    for reference in found {
        let pointer = reference.strip_prefix('#').expect("it points into the schema itself");
        assert!(schema.pointer(pointer).is_some(), "{reference} in {schema}");
    }
}

#[test]
fn every_schema_is_one_self_contained_object() {
    for schema in [
        schema::<Edit>(),
        schema::<Nothing>(),
        schema::<Tree>(),
        schema::<Forest>(),
        schema::<Shape>(),
        schema::<Option<Edit>>(),
        schema::<()>(),
        schema::<Value>(),
        schema::<HashMap<String, String>>(),
    ] {
        check_self_contained(&schema);
    }
}

#[test]
fn a_schema_says_what_the_type_says() {
    let schema = schema::<Edit>();
    assert_eq!(schema["required"], json!(["path", "changes"]));
    assert_eq!(schema["properties"]["path"]["description"], "The file to change.");
    let change = &schema["properties"]["changes"]["items"];
    assert_eq!(change["properties"]["line"]["type"], "integer");
    assert!(schema["properties"]["mode"].to_string().contains(r#""replace","insert""#));
}

#[test]
fn a_schema_is_the_same_text_every_time() {
    assert_eq!(schema::<Edit>().to_string(), schema::<Edit>().to_string());
}

/// A tool that counts how often it ran.
fn counted() -> (impl Tool, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    let tool = tool_fn("edit", "Edits a file.", move |edit: Edit, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        let lines: u32 = edit.changes.iter().map(|change| change.line).sum();
        let is_insert = matches!(edit.mode, Some(Mode::Insert));
        let texts: String = edit.changes.into_iter().map(|change| change.text).collect();
        async move { Ok::<_, Error>(format!("{} {lines} {is_insert} {texts}", edit.path)) }
    });
    (tool, count)
}

#[tokio::test]
async fn arguments_that_fit_reach_the_function_typed() {
    let (tool, count) = counted();
    let arguments =
        json!({ "path": "a", "changes": [{ "line": 4, "text": "x" }], "mode": "insert" });
    let output = tool.call(&arguments, &context()).await.unwrap();
    assert_eq!(output, ToolOutput::from("a 4 true x"));
    assert_eq!(count.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn arguments_that_do_not_fit_name_the_member_and_the_tool_does_not_run() {
    let (tool, count) = counted();
    for (arguments, pieces) in [
        (json!({ "path": 7, "changes": [] }), ["`path`", "integer `7`"]),
        (json!({ "changes": [] }), ["missing field", "`path`"]),
        (json!({ "path": "a", "changes": {} }), ["`changes`", "map"]),
        (
            json!({ "path": "a", "changes": [{ "line": 1 }, { "line": "2" }] }),
            ["`changes[1].line`", "\"2\""],
        ),
        (json!({ "path": "a", "changes": [{ "line": -1 }] }), ["`changes[0].line`", "-1"]),
        (json!({ "path": "a", "changes": [], "mode": "burn" }), ["`mode`", "burn"]),
    ] {
        let error = tool.call(&arguments, &context()).await.unwrap_err();
        let text = error.to_string();
        assert_eq!(error.kind(), ErrorKind::Tool);
        assert!(text.contains("\"edit\""), "{text}");
        assert!(pieces.iter().all(|piece| text.contains(piece)), "{text}");
    }
    assert_eq!(count.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_member_that_the_type_does_not_know_is_named() {
    let tool = tool_fn("wait", "", async |_: Nothing, _| Ok::<_, Error>("waited"));
    let error = tool.call(&json!({ "minutes": 3 }), &context()).await.unwrap_err().to_string();
    assert!(error.contains("minutes") && error.contains("\"wait\""), "{error}");
}

#[tokio::test]
async fn a_tool_without_arguments_may_take_the_unit() {
    let tool = tool_fn("now", "", async |(): (), _| Ok::<_, Error>("noon"));
    assert_eq!(tool.call(&json!({}), &context()).await.unwrap(), "noon".into());
    assert!(tool.call(&json!({ "zone": "UTC" }), &context()).await.is_err());
}

#[tokio::test]
async fn what_the_function_fails_with_comes_out_with_its_cause() {
    let own = tool_fn("own", "", async |_: Nothing, _| {
        Err::<&str, _>(Error::new(ErrorKind::Network, "offline"))
    });
    let foreign =
        tool_fn("foreign", "", async |_: Nothing, _| Err::<&str, _>(io::Error::other("disk full")));
    let error = own.call(&json!({}), &context()).await.unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Network, "offline"));
    let error = foreign.call(&json!({}), &context()).await.unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Other, "disk full"));
}

#[tokio::test]
async fn the_function_sees_what_it_is_called_with() {
    let tool = tool_fn("who", "", async |_: Nothing, context: ToolContext| {
        let cwd = context.facts.cwd().unwrap().display().to_string();
        Ok::<_, Error>(format!("{} in {cwd}", context.call.id))
    });
    let mut context = context();
    context.facts.set_cwd("/somewhere");
    assert_eq!(tool.call(&json!({}), &context).await.unwrap(), "1 in /somewhere".into());
}

#[test]
fn a_tool_writes_and_runs_beside_others_unless_it_says_otherwise() {
    let tool = || tool_fn("t", "Does it.", async |_: Nothing, _| Ok::<_, Error>(""));
    let spec = tool().spec();
    assert_eq!((&*spec.name, &*spec.description), ("t", "Does it."));
    assert_eq!((spec.effect, spec.sequential), (Effect::Writes, false));
    let spec = tool().read_only().sequential().spec();
    assert_eq!((spec.effect, spec.sequential), (Effect::ReadOnly, true));
}
