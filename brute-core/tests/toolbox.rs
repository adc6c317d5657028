//! The tools on offer: no two of one name, always in one order, each with its own stack.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use brute_core::models::ScriptedModel;
use brute_core::{
    Agent, Arguments, Dispatch, Effect, Error, ErrorKind, Events, Facts, Next, Reply, Stack, Tool,
    ToolCall, ToolContext, ToolOutput, ToolRequest, ToolSpec, Toolbox, Turn, from_fn,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use tower::{ServiceExt, timeout::TimeoutLayer, util::MapRequestLayer};

/// A tool that says its name and counts how often it ran.
struct Says {
    spec: ToolSpec,
    runs: Arc<AtomicUsize>,
}

#[async_trait]
impl Tool for Says {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    async fn call(&self, _: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        Ok(format!("ran {}", self.spec.name).into())
    }
}

/// A tool that never answers.
struct Hangs;

#[async_trait]
impl Tool for Hangs {
    async fn call(&self, _: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        std::future::pending().await
    }
}

fn says(name: &str) -> Says {
    Says { spec: ToolSpec::new(name, format!("Says {name}.")), runs: Arc::default() }
}

fn toolbox(names: &[&str]) -> Toolbox {
    names.iter().fold(Toolbox::default(), |tools, name| tools.with(says(name)).unwrap())
}

fn names(tools: &Toolbox) -> Vec<&str> {
    tools.specs().map(|spec| &*spec.name).collect()
}

/// Calls a tool as the loop does: whatever the model names, through the tool stack.
async fn call(
    tools: &Toolbox,
    name: &str,
    arguments: impl Into<Arguments>,
) -> Result<String, Error> {
    let request = ToolRequest {
        tool: tools.get(name).cloned(),
        context: ToolContext {
            call: ToolCall::new("1", name, arguments),
            facts: Facts::default(),
            events: Events::default(),
        },
        on_offer: tools.clone(),
    };
    Dispatch.oneshot(request).await.map(|output| output.text.to_string())
}

#[test]
fn two_tools_of_one_name_are_an_error_that_names_both() {
    let second = ToolSpec::new("read", "Reads something else.");
    let second = Says { spec: second, runs: Arc::default() };
    let error = toolbox(&["list", "read"]).with(second).unwrap_err();
    let text = error.to_string();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    for piece in ["\"read\"", "Says read.", "Reads something else."] {
        assert!(text.contains(piece), "{text}");
    }
}

#[test]
fn an_agent_with_two_tools_of_one_name_is_not_built() {
    let builder = || Agent::builder(ScriptedModel::text("hi")).tool(says("a"));
    let error = builder().tool(says("a")).tool(says("b")).build().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains("\"a\""), "{error}");
    assert_eq!(names(builder().tool(says("b")).build().unwrap().tools()), ["a", "b"]);
}

/// Builds an agent with these tools over a stack of two layers that each offer a tool.
fn build(one: &str, other: &str, tools: &[&str]) -> Result<Agent, Error> {
    let stack = Stack::new()
        .layer(from_fn(librarian))
        .offers(one)
        .layer(from_fn(porter))
        .offers(other)
        .model(ScriptedModel::text("hi"));
    Agent::builder(stack).tools(toolbox(tools)).build()
}

async fn librarian(turn: Turn, next: Next) -> Result<Reply, Error> {
    next.run(turn).await
}

async fn porter(turn: Turn, next: Next) -> Result<Reply, Error> {
    next.run(turn).await
}

#[test]
fn an_agent_with_a_tool_named_like_one_that_a_layer_offers_is_not_built() {
    let error = build("lend", "carry", &["carry", "read"]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    let text = error.to_string();
    for piece in
        ["\"carry\"", "porter", "Says carry.", "Toolbox::rename", "let the layer not offer it"]
    {
        assert!(text.contains(piece), "{text}");
    }
    assert!(build("lend", "carry", &["read"]).is_ok());
}

#[test]
fn an_agent_over_two_layers_that_offer_tools_of_one_name_is_not_built() {
    let error = build("carry", "carry", &[]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    let text = error.to_string();
    for piece in ["\"carry\"", "librarian", "porter"] {
        assert!(text.contains(piece), "{text}");
    }
}

#[test]
fn a_tool_that_is_renamed_makes_room_for_that_of_a_layer() {
    let stack = || {
        let layers = Stack::new().layer(from_fn(librarian)).offers("lend");
        layers.model(ScriptedModel::text("hi"))
    };
    let tools = toolbox(&["lend"]);
    assert!(Agent::builder(stack()).tools(tools.clone()).build().is_err());
    let renamed = tools.rename("lend", "hand_out").unwrap();
    assert!(Agent::builder(stack()).tools(renamed).build().is_ok());
}

#[test]
fn tools_of_other_names_do_not_hide_a_duplicate() {
    let error = Agent::builder(ScriptedModel::text("hi"))
        .tool(says("a"))
        .tool(says("a"))
        .tools(toolbox(&[]));
    assert!(error.build().is_err());
}

proptest! {
    #[test]
    fn the_order_is_that_of_the_names_however_they_came(
        mut shuffled in Just(vec!["edit", "list", "read", "search", "write"]).prop_shuffle(),
    ) {
        let tools = toolbox(&shuffled);
        shuffled.sort_unstable();
        prop_assert_eq!(names(&tools), shuffled);
    }
}

#[test]
fn a_change_is_not_seen_by_a_clone() {
    let tools = toolbox(&["a"]);
    let more = tools.clone().with(says("b")).unwrap();
    let none = tools.clone().filter(|_| false);
    assert_eq!((tools.len(), more.len(), none.len()), (1, 2, 0));
    assert!(none.is_empty() && Toolbox::default().is_empty());
}

#[tokio::test]
async fn a_renamed_tool_is_called_by_its_new_name_and_known_by_its_old_one() {
    let tools = toolbox(&["read"]).rename("read", "read_file").unwrap();
    let spec = tools.get("read_file").unwrap().spec();
    assert_eq!((&*spec.name, spec.known_name()), ("read_file", "read"));
    assert_eq!(call(&tools, "read_file", json!({})).await.unwrap(), "ran read");
    assert!(tools.get("read").is_none());
}

#[test]
fn a_tool_renamed_twice_is_known_by_its_first_name() {
    let tools = toolbox(&["read"]).rename("read", "cat").unwrap().rename("cat", "type").unwrap();
    assert_eq!(tools.get("type").unwrap().spec().known_name(), "read");
}

#[test]
fn a_rename_needs_a_tool_and_a_free_name() {
    let error = toolbox(&["a", "b"]).rename("c", "d").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains("\"c\"") && error.to_string().contains("a, b"), "{error}");
    let error = toolbox(&["a", "b"]).rename("a", "b").unwrap_err();
    assert!(error.to_string().contains("Says a.") && error.to_string().contains("Says b."));
}

const LONGEST: &str = "a_name_of_64_letters-that_every_provider_takes_0123456789_ABCDEF";
const NO_NAMES: [&str; 7] = ["", " ", "read file", "a.b", "server/read", "lösche", "read\n"];

#[test]
fn a_name_that_some_provider_refuses_is_refused_with_the_rule_and_the_way_out() {
    assert_eq!(LONGEST.len(), 64);
    let too_long = format!("{LONGEST}x");
    let rename = |name: &str| toolbox(&["read"]).rename("read", name);
    for name in NO_NAMES.into_iter().chain([too_long.as_str()]) {
        for error in [Toolbox::default().with(says(name)).unwrap_err(), rename(name).unwrap_err()] {
            let text = error.to_string();
            assert_eq!(error.kind(), ErrorKind::Invalid);
            for piece in [&format!("{name:?}"), "1 to 64", "`_` and `-`", "Toolbox::rename"] {
                assert!(text.contains(piece), "{text}");
            }
        }
    }
}

#[test]
fn a_name_that_every_provider_takes_is_taken() {
    for name in ["a", "7", "_", "read_file", "Read-File-2", LONGEST] {
        assert_eq!(names(&toolbox(&[name])), [name]);
        assert_eq!(names(&toolbox(&["x"]).rename("x", name).unwrap()), [name]);
    }
}

#[tokio::test]
async fn a_tool_whose_own_name_is_none_is_added_under_another_one() {
    let tools = Toolbox::default().with_named("server_read", says("server/read")).unwrap();
    let spec = tools.get("server_read").unwrap().spec();
    assert_eq!((&*spec.name, spec.known_name()), ("server_read", "server/read"));
    assert_eq!(call(&tools, "server_read", json!({})).await.unwrap(), "ran server/read");
    assert!(Toolbox::default().with_named("a b", says("read")).is_err());
    assert!(tools.with_named("server_read", says("other")).is_err());
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_that_lists_those_on_offer() {
    let error = call(&toolbox(&["list", "read"]), "raed", json!({})).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Tool);
    assert!(error.to_string().contains("\"raed\""), "{error}");
    assert!(error.to_string().contains("list, read"), "{error}");
    let error = call(&Toolbox::default(), "read", json!({})).await.unwrap_err();
    assert!(error.to_string().contains("no tools are on offer"), "{error}");
}

#[tokio::test]
async fn a_tool_that_is_filtered_out_is_refused_as_unknown_and_does_not_run() {
    let write = says("write");
    let runs = write.runs.clone();
    let tools = toolbox(&["read"]).with(write).unwrap();
    let visible = tools.clone().filter(|spec| &*spec.name != "write");
    let error = call(&visible, "write", json!({})).await.unwrap_err().to_string();
    assert!(error.contains("unknown tool \"write\"") && error.contains("read"), "{error}");
    assert_eq!(runs.load(Ordering::Relaxed), 0);
    call(&tools, "write", json!({})).await.unwrap();
    assert_eq!(runs.load(Ordering::Relaxed), 1);
}

#[test]
fn a_filter_that_keeps_all_keeps_the_same_tools() {
    let looks =
        Says { spec: ToolSpec::new("look", "").effect(Effect::ReadOnly), runs: Arc::default() };
    let tools = toolbox(&["write"]).with(looks).unwrap();
    assert_eq!(names(&tools.clone().filter(|_| true)), ["look", "write"]);
    assert_eq!(names(&tools.filter(|spec| spec.effect == Effect::ReadOnly)), ["look"]);
}

#[tokio::test]
async fn arguments_that_are_no_object_are_refused_with_the_complaint_and_the_schema() {
    let tool = says("read");
    let runs = tool.runs.clone();
    let tools = toolbox(&[]).with(tool).unwrap();
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(110), "]".repeat(110));
    for (raw, complaint) in [
        ("{\"path\": ", "EOF while parsing"),
        ("[1]", "no json object"),
        ("\"text\"", "no json object"),
        ("nonsense", "expected"),
        (deep.as_str(), "too deeply"),
    ] {
        let error = call(&tools, "read", Arguments::parse(raw)).await.unwrap_err();
        let text = error.to_string();
        assert_eq!(error.kind(), ErrorKind::Tool);
        for piece in ["\"read\"", complaint, "did not run", r#""type":"object""#] {
            assert!(text.contains(piece), "{text}");
        }
    }
    assert_eq!(runs.load(Ordering::Relaxed), 0);
}

#[test]
fn a_tool_whose_schema_is_no_object_is_refused_by_name() {
    for schema in [json!(true), json!({ "type": "integer" }), json!(["object"])] {
        let spec = ToolSpec::new("odd", "").parameters(schema);
        let error = toolbox(&[]).with(Says { spec, runs: Arc::default() }).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.to_string().contains("\"odd\""), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_layer_stands_around_one_tool_only() {
    let tools = toolbox(&["fast"])
        .with(Hangs)
        .unwrap()
        .layer("hangs", TimeoutLayer::new(Duration::from_secs(3)))
        .unwrap();
    let error = call(&tools, "hangs", json!({})).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert_eq!(call(&tools, "fast", json!({})).await.unwrap(), "ran fast");
    assert_eq!(names(&tools), ["fast", "hangs"]);
}

#[tokio::test]
async fn the_layer_that_is_put_last_is_the_outermost() {
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let note = |name: &'static str| {
        let seen = seen.clone();
        MapRequestLayer::new(move |request: ToolRequest| {
            seen.lock().unwrap().push(name);
            request
        })
    };
    let tools = toolbox(&["a"]).layer("a", note("first")).unwrap();
    let tools = tools.layer("a", note("second")).unwrap();
    assert_eq!(call(&tools, "a", json!({})).await.unwrap(), "ran a");
    assert_eq!(*seen.lock().unwrap(), ["second", "first"]);
}

#[tokio::test]
async fn a_layer_stays_with_its_tool_under_another_name() {
    let tools = toolbox(&["a"])
        .layer("a", tower::util::MapResponseLayer::new(|_: ToolOutput| ToolOutput::from("layered")))
        .unwrap()
        .rename("a", "b")
        .unwrap();
    assert_eq!(call(&tools, "b", json!({})).await.unwrap(), "layered");
}

#[test]
fn a_layer_needs_a_tool_to_stand_around() {
    let error = toolbox(&["a"]).layer("b", TimeoutLayer::new(Duration::ZERO)).unwrap_err();
    assert!(error.to_string().contains("unknown tool \"b\""), "{error}");
}

#[tokio::test]
async fn arguments_that_are_no_object_do_not_reach_a_layered_tool_either() {
    let tool = says("a");
    let runs = tool.runs.clone();
    let tools = toolbox(&[]).with(tool).unwrap();
    let tools = tools.layer("a", TimeoutLayer::new(Duration::from_secs(3))).unwrap();
    let error = call(&tools, "a", Arguments::parse("[")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Tool);
    assert_eq!(runs.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_shared_tool_keeps_its_state_between_toolboxes() {
    let shared = Arc::new(says("a"));
    for _ in 0..2 {
        let tools = Toolbox::default().with_shared(shared.clone()).unwrap();
        call(&tools, "a", json!({})).await.unwrap();
    }
    assert_eq!(shared.runs.load(Ordering::Relaxed), 2);
}
