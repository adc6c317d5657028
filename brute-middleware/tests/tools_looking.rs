//! What the looking tools have in common.

use std::{fs, path::Path};

use brute_core::{
    Dispatch, Effect, Error, Events, Facts, ToolCall, ToolContext, ToolOutput, ToolRequest,
};
use brute_middleware::tools::looking;
use futures::FutureExt;
use serde_json::{Value, json};
use tower::ServiceExt;

async fn call(name: &str, cwd: Option<&Path>, arguments: Value) -> Result<ToolOutput, Error> {
    let mut facts = Facts::default();
    if let Some(cwd) = cwd {
        facts.set_cwd(cwd);
    }
    let context = ToolContext {
        call: ToolCall::new("call_1", name, arguments),
        facts,
        events: Events::default(),
    };
    let toolbox = looking();
    let tool = toolbox.get(name).cloned();
    Dispatch.oneshot(ToolRequest { tool, context, on_offer: toolbox }).await
}

const CALLS: [(&str, &str, &str); 3] = [
    ("list", "path", "."),
    ("read", "file_path", "Cargo.toml"),
    ("search", "pattern", "brute-middleware"),
];

#[test]
fn all_of_them_are_read_only_and_describe_themselves_and_their_arguments() {
    for spec in looking().specs() {
        assert_eq!(spec.effect, Effect::ReadOnly);
        assert!(!spec.description.is_empty());
        let properties = spec.parameters["properties"].as_object().expect("arguments");
        for (name, property) in properties {
            assert!(property["description"].is_string(), "{} {name}", spec.name);
            let kind = property["type"].as_str().expect("one type");
            assert!(["string", "integer", "boolean"].contains(&kind), "{} {name}", spec.name);
            // Formats and a default of null are refused by some providers.
            assert!(property.get("format").is_none(), "{} {name}", spec.name);
            assert_ne!(property.get("default"), Some(&Value::Null), "{} {name}", spec.name);
        }
    }
}

#[test]
fn only_what_a_call_cannot_do_without_is_required() {
    let required: Vec<_> =
        looking().specs().map(|spec| spec.parameters["required"].clone()).collect();
    assert_eq!(required, [json!(null), json!(["file_path"]), json!(["pattern"])]);
}

#[tokio::test]
async fn without_a_directory_of_the_turn_that_of_the_process_counts() {
    for (name, argument, value) in CALLS {
        let output = call(name, None, json!({ argument: value })).await.expect("an output");
        assert!(output.text.contains("brute-middleware") || output.text.contains("Cargo.toml"));
    }
}

#[test]
fn without_a_runtime_they_work_at_once() {
    for (name, argument, value) in CALLS {
        let output = call(name, None, json!({ argument: value })).now_or_never();
        assert!(output.is_some_and(|output| output.is_ok()), "{name}");
    }
}

#[tokio::test]
async fn a_working_directory_that_is_missing_or_a_file_is_an_error() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("file"), "").expect("a file");
    for (cwd, reason) in [("gone", "cannot be used"), ("file", "is no directory")] {
        for (name, argument, value) in CALLS {
            let cwd = directory.path().join(cwd);
            let error = call(name, Some(&cwd), json!({ argument: value })).await.expect_err(name);
            let message = error.to_string();
            assert!(message.starts_with("the working directory"), "{message}");
            assert!(message.contains(reason), "{message}");
            assert!(message.contains(&*cwd.to_string_lossy()), "{message}");
        }
    }
}

#[tokio::test]
async fn arguments_of_the_wrong_type_name_the_member() {
    for (name, argument, _) in CALLS {
        let error = call(name, None, json!({ argument: 7 })).await.expect_err(name).to_string();
        assert!(error.contains(&format!("`{argument}`")), "{error}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn what_may_not_be_read_is_said_and_does_not_hide_the_rest() {
    use std::os::unix::fs::PermissionsExt;

    let directory = tempfile::tempdir().expect("a directory");
    let locked = directory.path().join("locked");
    fs::create_dir(&locked).expect("a directory");
    fs::write(directory.path().join("open.txt"), "zebra").expect("a file");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).expect("permissions");
    // The superuser may read everything, so there is nothing to be seen then.
    let is_locked = fs::read_dir(&locked).is_err();
    let cwd = Some(directory.path());
    let list = call("list", cwd, json!({ "depth": 2 })).await.expect("a listing");
    let search = call("search", cwd, json!({ "pattern": "zebra" })).await.expect("a report");
    assert!(list.text.contains("locked/\nopen.txt\n"), "{}", list.text);
    assert!(search.text.contains("open.txt:1: zebra\n"), "{}", search.text);
    assert_eq!(list.text.contains("[1 directory could not be read, such as locked]"), is_locked);
    assert_eq!(search.text.contains("[1 place could not be read"), is_locked);
    let read = call("read", cwd, json!({ "file_path": "locked" })).await;
    assert_eq!(read.is_err(), is_locked);
}
