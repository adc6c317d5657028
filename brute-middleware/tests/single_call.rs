//! One model call without tools, with the prompt of an agent or only the project's documents.

use std::fs;

use brute_core::{
    Agent, Error, Part, Role, Session, ToolChoice, ToolContext,
    models::{Script, ScriptedModel},
    testing::{MemoryStore, assert_paired},
    tool_fn,
};
use brute_middleware::{SingleCall, SystemPromptLayer, single_call};
use brute_prompts::{SystemPrompt, gather::GatherOptions};
use serde_json::{Value, json};

async fn look(_: Value, _: ToolContext) -> Result<String, Error> {
    Ok("seen".into())
}

/// An agent in an empty folder, with a tool that should not be on offer.
fn agent(stack: SingleCall, model: &ScriptedModel, folder: &tempfile::TempDir) -> Agent {
    let builder = Agent::builder(stack.model(model.clone())).cwd(folder.path());
    let builder = builder.tool(tool_fn("read", "Looks.", look));
    builder.fact("custom_rules", "Answer in rhymes.").build().unwrap()
}

fn calm(prompt: SystemPrompt) -> SystemPromptLayer {
    SystemPromptLayer::new(prompt).gather(None)
}

#[tokio::test]
async fn the_model_is_called_once_and_sees_no_tools() {
    let (folder, session) = (tempfile::tempdir().unwrap(), Session::new());
    let model = ScriptedModel::text("Blue.");
    let stack = single_call().system_prompt(calm(SystemPrompt::default()));
    let call = agent(stack, &model, &folder);
    let reply = call
        .turn(&session, "Which?")
        .settings(|settings| settings.tool_choice = ToolChoice::Required)
        .await
        .unwrap();
    assert_eq!(reply.answer(), "Blue.");
    let [request] = &model.requests()[..] else { panic!("{:?}", model.requests()) };
    assert!(request.tools.is_empty());
    assert_eq!(request.settings.tool_choice, ToolChoice::Auto);
    let system = request.log.get(0).unwrap();
    assert_eq!(system.role, Role::System);
    assert!(system.text().contains("Answer in rhymes.") && !system.text().contains("`read`"));
}

#[tokio::test]
async fn the_prompt_may_be_the_documents_alone() {
    let folder = tempfile::tempdir().unwrap();
    let model = ScriptedModel::answering(|_| Script::text("ok"));
    let stack = single_call().system_prompt(calm(SystemPrompt::default())).docs_only();
    agent(stack, &model, &folder).send(&Session::new(), "Which?").await.unwrap();
    let system = model.requests()[0].log.get(0).unwrap().clone();
    let names: Vec<_> = system.sections().map(|section| section.name.to_string()).collect();
    assert_eq!(names, ["instructions"]);
    assert!(system.text().contains("Answer in rhymes."));
}

#[tokio::test]
async fn without_documents_there_is_no_system_message() {
    let folder = tempfile::tempdir().unwrap();
    let model = ScriptedModel::text("ok");
    let options = GatherOptions::default().home(folder.path());
    let layer = SystemPromptLayer::default().gather(options);
    let stack = single_call().system_prompt(layer).docs_only().model(model.clone());
    let agent = Agent::builder(stack).cwd(folder.path()).build().unwrap();
    agent.send(&Session::new(), "Which?").await.unwrap();
    assert!(!model.requests()[0].log.has_system());
}

#[tokio::test]
async fn commands_are_not_expanded() {
    let folder = tempfile::tempdir().unwrap();
    let skill = folder.path().join(".brute/skills/greet");
    fs::create_dir_all(&skill).unwrap();
    fs::write(skill.join("SKILL.md"), "---\nname: greet\ndescription: x\n---\nHello").unwrap();
    let model = ScriptedModel::text("ok");
    let options = GatherOptions::default().home(folder.path());
    let stack = single_call().system_prompt(SystemPromptLayer::default().gather(options));
    agent(stack, &model, &folder).send(&Session::new(), "/greet").await.unwrap();
    assert_eq!(model.requests()[0].log.last().unwrap().text(), "/greet");
}

#[tokio::test]
async fn a_tool_that_the_model_makes_up_is_not_run_and_the_record_stays_whole() {
    let (folder, store) = (tempfile::tempdir().unwrap(), MemoryStore::default());
    let model = ScriptedModel::new([Script::call("read", json!({})), Script::text("ok")]);
    let stack = single_call().system_prompt(calm(SystemPrompt::default()));
    let call = agent(stack, &model, &folder);
    let session = Session::with_store(std::sync::Arc::new(store));
    let reply = call.send(&session, "Which?").await.unwrap();
    assert_eq!(model.requests().len(), 1);
    assert!(reply.added.iter().all(|message| message.role == Role::Assistant));
    call.send(&session, "And now?").await.unwrap();
    assert_paired(&session.log());
    let is_result = |part: &Part| matches!(part, Part::ToolResult(result) if result.is_error);
    assert!(session.log().iter().any(|message| message.parts.iter().any(is_result)));
}

#[test]
fn the_picture_shows_what_stands_where() {
    let picture = single_call().model(ScriptedModel::text("ok")).to_string();
    for line in ["no tools are on offer", "├ AcceptInput", "├ SystemPrompt", "├ Journal"] {
        assert!(picture.contains(line), "{line:?} is not in\n{picture}");
    }
}
