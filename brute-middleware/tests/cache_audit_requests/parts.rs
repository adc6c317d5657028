//! No byte of a prefix changes without a word.

use std::sync::Arc;

use async_trait::async_trait;
use brute_core::{
    Arguments, Error, Log, Message, Part, Reasoning, Role, Section, Tool, ToolCall, ToolContext,
    ToolOutput, ToolResult, ToolSpec, Toolbox, Zone,
};
use brute_prompts::{PromptContext, SystemPrompt};
use proptest::{prelude::*, sample::Index};
use serde_json::{Value, json};

use crate::helpers::told;

fn section(name: &str, text: &str) -> Part {
    Part::Section(Section { name: name.into(), zone: Zone::Static, text: text.into() })
}

fn system(parts: &[Part]) -> Message {
    Message::new(Role::System, parts.to_vec())
}

/// Compares two requests that hold these messages and no tools.
async fn between(before: &[Message], now: &[Message]) -> Vec<String> {
    let log = |messages: &[Message]| messages.iter().cloned().collect::<Log>();
    told([before, now].map(|messages| (log(messages), Toolbox::default()))).await
}

#[tokio::test]
async fn a_second_section_of_a_name_is_told_as_such() {
    let texts = |second: &str| {
        let second = second.to_owned();
        let prompt = SystemPrompt::build(move |prompt, _| {
            prompt.text("You are a poet.");
            prompt.text(second.as_str());
            Ok(())
        });
        let rendered = prompt.prepare(&PromptContext::new("a", "b")).unwrap();
        let parts = rendered.iter().map(|part| section(&part.name, &part.text));
        system(&parts.collect::<Vec<_>>())
    };
    let told = between(&[texts("Be brief.")], &[texts("Be kind.")]).await;
    assert_eq!(told, ["section host (number 2 of that name) changed"]);
    let fewer = [section("host", "one")];
    let more = [section("host", "one"), section("host", "two")];
    let added = between(&[system(&fewer)], &[system(&more)]).await;
    assert_eq!(added, ["section host (number 2 of that name) was added"]);
    let first = [section("host", "other"), section("host", "two")];
    assert_eq!(between(&[system(&more)], &[system(&first)]).await, ["section host changed"]);
}

#[tokio::test]
async fn a_text_beside_sections_is_told() {
    let with = |text: &str| {
        system(&[section("identity", "You are a poet."), Part::text("first"), Part::text(text)])
    };
    let told = between(&[with("one")], &[with("two")]).await;
    assert_eq!(told, ["system message 1 (text 2) changed"]);
    let plain = between(&[Message::system("one")], &[Message::system("two")]).await;
    assert_eq!(plain, ["system message 1 changed"]);
}

#[tokio::test]
async fn a_part_that_moves_is_told_also_beside_other_changes() {
    let (a, b, c) = (section("a", "1"), section("b", "2"), section("c", "3"));
    let order = "the order of the sections";
    let (abc, ba) = (system(&[a.clone(), b.clone(), c]), system(&[b.clone(), a.clone()]));
    assert_eq!(between(&[abc], &[ba]).await, ["section c was removed", order]);
    let (ab, a, b) = (system(&[a.clone(), b.clone()]), system(&[a]), system(&[b]));
    assert_eq!(between(&[ab], &[a.clone(), b]).await, [order]);
    let hi = Message::user("hi");
    assert_eq!(between(&[a.clone(), hi.clone()], &[hi, a]).await, [order]);
}

#[tokio::test]
async fn members_in_another_order_are_other_bytes() {
    let calling = |arguments: &str| {
        let call = ToolCall::new("call-1", "look", Arguments::parse(arguments));
        Message::new(Role::Assistant, vec![Part::ToolCall(call)])
    };
    let (one, other) = (r#"{"a": 1, "b": 2}"#, r#"{"b": 2, "a": 1}"#);
    let told = between(&[calling(one)], &[calling(other)]).await;
    assert_eq!(told, ["message 1 (Assistant) changed"]);
    let offering = |members: &str| {
        let parameters = format!(r#"{{"type": "object", "properties": {members}}}"#);
        let spec = ToolSpec::new("look", "").parameters(serde_json::from_str(&parameters).unwrap());
        (Log::default(), Toolbox::default().with(Described(spec)).unwrap())
    };
    let schemas = [r#"{"a": {}, "b": {}}"#, r#"{"b": {}, "a": {}}"#];
    assert_eq!(self::told(schemas.map(offering)).await, ["tool look changed"]);
}

/// A conversation with every kind of part, some of them under one name.
fn messages() -> Vec<Message> {
    let call = ToolCall::new("call-1", "look", Arguments::Object(Arc::new(json!({ "path": "a" }))));
    let thought = Reasoning { text: "hm".into(), native: Some(Arc::new(json!({ "sign": "xy" }))) };
    let mut result = ToolResult::ok("call-1", "seen");
    result.truncated = true;
    vec![
        system(&[section("host", "one"), section("host", "two"), Part::text("beside")]),
        system(&[Part::text("three"), section("host", "four"), Part::text("five")]),
        Message::user("hi"),
        Message::new(Role::Assistant, vec![Part::Reasoning(thought), Part::ToolCall(call)]),
        Message::tool_result(result),
        Message::developer("in between"),
        Message::new(Role::Assistant, vec![Part::text("done"), Part::generated("and more")]),
    ]
}

/// A tool that is described and never called.
struct Described(ToolSpec);

#[async_trait]
impl Tool for Described {
    fn spec(&self) -> ToolSpec {
        self.0.clone()
    }

    async fn call(&self, _: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        Ok("seen".into())
    }
}

/// What is put to the model: messages, and names, descriptions and schemas of tools.
fn sent() -> Value {
    let tool = |name: &str| json!([name, "Looks.", { "type": "object", "title": "Where" }]);
    json!({ "messages": messages(), "tools": [tool("look"), tool("peek")] })
}

fn request(sent: &Value) -> Option<(Log, Toolbox)> {
    let messages: Vec<Message> = serde_json::from_value(sent["messages"].clone()).ok()?;
    let mut tools = Toolbox::default();
    for tool in sent["tools"].as_array()? {
        let spec = ToolSpec::new(tool[0].as_str()?, tool[1].as_str()?);
        tools = tools.with(Described(spec.parameters(tool[2].clone()))).ok()?;
    }
    Some((messages.into_iter().collect(), tools))
}

/// Returns the paths of all texts in a value.
fn texts(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::String(text) if !text.is_empty() => found.push(path.to_owned()),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                texts(item, &format!("{path}/{index}"), found);
            }
        }
        Value::Object(members) => {
            for (key, member) in members.iter().filter(|(key, _)| *key != "origin") {
                texts(member, &format!("{path}/{key}"), found);
            }
        }
        _ => {}
    }
}

/// Changes one letter of one text of a request; nothing where that makes no request.
fn changed(text: Index, letter: Index, into: char) -> Option<((Log, Toolbox), String)> {
    let mut sent = sent();
    let mut paths = Vec::new();
    texts(&sent, "", &mut paths);
    let path = text.get(&paths).clone();
    let Some(Value::String(text)) = sent.pointer_mut(&path) else { return None };
    let mut letters: Vec<char> = text.chars().collect();
    let place = letter.index(letters.len());
    if letters[place] == into {
        return None;
    }
    letters[place] = into;
    *text = letters.into_iter().collect();
    Some((request(&sent)?, path))
}

proptest! {
    #[test]
    fn whatever_byte_changes_is_told(text: Index, letter: Index, into in "[a-zA-Z ]") {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let into = into.chars().next().expect("a letter");
        if let Some((other, path)) = changed(text, letter, into) {
            let before = request(&sent()).expect("a request");
            let told = runtime.block_on(told([before, other]));
            prop_assert!(!told.is_empty(), "nothing is told of {}", path);
        }
    }
}

#[tokio::test]
async fn the_same_request_read_anew_is_no_change() {
    let again = || request(&sent()).unwrap();
    assert_eq!(told([again(), again(), again()]).await, Vec::<String>::new());
}
