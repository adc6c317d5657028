//! Skills are found at a session's first turn; the tool that loads them is there when they are.

use std::{fs, path::Path};

use brute_core::{
    Agent, Error, Session,
    models::{Script, ScriptedModel},
    testing::{LintedStack, Recorder},
    tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, JournalLayer, SkillsLayer, SystemPromptLayer, ToolCallsLayer, ToolLoopLayer,
    reload_prompt_facts,
};
use brute_prompts::gather::GatherOptions;
use serde_json::json;

fn write_skill(folder: &Path, name: &str, front_matter: &str, body: &str) {
    let skill = folder.join(".brute/skills").join(name);
    fs::create_dir_all(&skill).unwrap();
    fs::write(skill.join("SKILL.md"), format!("---\nname: {name}\n{front_matter}\n---\n{body}\n"))
        .unwrap();
}

/// A folder with the skill `greet`, which has a file of its own.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_skill(
        folder.path(),
        "greet",
        "description: Greets people.",
        "Say hello to {{user_input}}.",
    );
    fs::write(folder.path().join(".brute/skills/greet/names.txt"), "Ann").unwrap();
    folder
}

fn agent(folder: &Path, layer: SkillsLayer, model: &ScriptedModel) -> Agent {
    let options = GatherOptions::default().home(folder.join("home"));
    let stack = LintedStack::new()
        .layer(layer.gather(options))
        .layer(AcceptInputLayer)
        .layer(SystemPromptLayer::default())
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(model.clone());
    Agent::builder(stack).cwd(folder).model("anthropic", "claude").build().unwrap()
}

fn tools(model: &ScriptedModel) -> Vec<Vec<String>> {
    let names =
        |turn: &brute_core::Turn| turn.tools.specs().map(|spec| spec.name.to_string()).collect();
    model.requests().iter().map(names).collect()
}

fn hello() -> ScriptedModel {
    ScriptedModel::answering(|_| Script::text("Hello."))
}

#[tokio::test]
async fn the_tool_is_offered_where_there_are_skills_and_the_prompt_names_it() {
    let (folder, model) = (project(), hello());
    agent(folder.path(), SkillsLayer::new(), &model).send(&Session::new(), "hi").await.unwrap();
    assert_eq!(tools(&model), [["skill"]]);
    let system = model.requests()[0].log.get(0).unwrap().text();
    assert!(system.contains("<name>greet</name>") && system.contains("`skill`"), "{system}");
}

#[tokio::test]
async fn nothing_is_offered_and_nothing_said_where_there_are_none() {
    let (folder, model) = (tempfile::tempdir().unwrap(), hello());
    agent(folder.path(), SkillsLayer::new(), &model).send(&Session::new(), "hi").await.unwrap();
    assert_eq!(tools(&model), [Vec::<String>::new()]);
    assert!(!model.requests()[0].log.get(0).unwrap().text().contains("available_skills"));
}

#[tokio::test]
async fn skills_that_are_for_people_only_offer_the_model_nothing() {
    let (folder, model) = (tempfile::tempdir().unwrap(), hello());
    let front_matter = "description: Ships it.\ndisable-model-invocation: true";
    write_skill(folder.path(), "ship", front_matter, "Ship.");
    agent(folder.path(), SkillsLayer::new(), &model).send(&Session::new(), "hi").await.unwrap();
    assert_eq!(tools(&model), [Vec::<String>::new()]);
}

/// Calls a tool once and returns what it answered.
async fn answer(
    layer: SkillsLayer,
    tool: &'static str,
    arguments: serde_json::Value,
) -> (String, bool, bool) {
    let folder = project();
    let model = ScriptedModel::new([Script::call(tool, arguments), Script::text("done")]);
    let session = Session::new();
    agent(folder.path(), layer, &model).send(&session, "hi").await.unwrap();
    let log = session.log();
    let result = log.iter().flat_map(|message| message.tool_results()).next().unwrap();
    (result.text.to_string(), result.is_error, result.pinned)
}

#[tokio::test]
async fn a_skill_is_loaded_with_its_folder_and_files_and_is_pinned() {
    let (text, is_error, pinned) =
        answer(SkillsLayer::new(), "skill", json!({ "name": "greet" })).await;
    assert!(text.contains("Say hello to {{user_input}}.") && text.contains("names.txt"), "{text}");
    assert_eq!((is_error, pinned), (false, true));
}

#[tokio::test]
async fn a_template_is_answered_as_it_is() {
    let layer = SkillsLayer::new().with_templates();
    let (text, _, pinned) = answer(layer, "use_skill", json!({ "skill_name": "greet" })).await;
    assert_eq!((text.trim(), pinned), ("Say hello to {{user_input}}.", true));
}

#[tokio::test]
async fn an_unknown_name_is_answered_with_the_known_ones() {
    let (text, is_error, _) = answer(SkillsLayer::new(), "skill", json!({ "name": "great" })).await;
    assert!(is_error && text.contains("greet"), "{text}");
    let (text, is_error, _) = answer(SkillsLayer::new(), "skill", json!({ "nam": "greet" })).await;
    assert!(is_error && text.contains("`name`"), "{text}");
}

#[tokio::test]
async fn a_skill_that_is_added_is_there_after_a_reload() {
    let (folder, model) = (project(), hello());
    let agent = agent(folder.path(), SkillsLayer::new(), &model);
    let session = Session::new();
    agent.send(&session, "hi").await.unwrap();
    write_skill(folder.path(), "wave", "description: Waves.", "Wave.");
    agent.send(&session, "hi").await.unwrap();
    reload_prompt_facts(&session);
    agent.send(&session, "hi").await.unwrap();
    let requests = model.requests();
    let lists: Vec<_> = requests
        .iter()
        .map(|turn| turn.log.get(0).unwrap().text().contains("<name>wave</name>"))
        .collect();
    assert_eq!(lists, [false, false, true]);
}

#[tokio::test]
async fn a_broken_skill_is_told_and_the_others_are_there() {
    let (folder, model) = (project(), hello());
    fs::create_dir_all(folder.path().join(".brute/skills/broken")).unwrap();
    fs::write(folder.path().join(".brute/skills/broken/SKILL.md"), "no front matter").unwrap();
    let recorder = Recorder::default();
    let events = recorder.diagnostics();
    let agent = agent(folder.path(), SkillsLayer::new(), &model);
    agent.turn(&Session::new(), "hi").events(events).await.unwrap();
    assert!(recorder.list().iter().any(|note| note.contains("broken")), "{:?}", recorder.list());
    assert_eq!(tools(&model), [["skill"]]);
}

#[test]
fn the_layer_knows_the_tool_that_it_may_offer() {
    let name = |layer: SkillsLayer| layer.tool_name().map(|name| name.to_string());
    assert_eq!(name(SkillsLayer::new()).as_deref(), Some("skill"));
    assert_eq!(name(SkillsLayer::new().with_templates()).as_deref(), Some("use_skill"));
    assert_eq!(name(SkillsLayer::new().gather(None)), None);
    let nowhere = GatherOptions::default().without_skills();
    assert_eq!(name(SkillsLayer::new().gather(nowhere)), None);
}

#[tokio::test]
async fn in_a_stack_that_does_not_say_what_is_offered_a_clash_is_an_error_at_the_first_turn() {
    let folder = project();
    let model = hello();
    let own = tool_fn("skill", "Is the host's own.", |_: serde_json::Value, _| {
        std::future::ready(Ok::<_, Error>("from the host"))
    });
    let stack = LintedStack::new()
        .layer(SkillsLayer::new().gather(GatherOptions::default().home(folder.path().join("home"))))
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(model.clone());
    let agent = Agent::builder(stack).cwd(folder.path()).tool(own).build().unwrap();
    let session = Session::new();
    let error = agent.send(&session, "hi").await.unwrap_err().to_string();
    assert!(error.contains("\"skill\"") && error.contains("Is the host's own."), "{error}");
    assert!(model.requests().is_empty());
}
