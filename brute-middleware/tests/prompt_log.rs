//! What the model was sent lies in files, section by section, without secrets.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use brute_core::{
    Agent, Error, ErrorKind, Input, Media, MediaSource, Message, Part, Session, Stack, ToolContext,
    models::{Script, ScriptedModel},
    testing::{LintedStack, Recorder},
    tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, JournalLayer, PromptLogLayer, RetryLayer, Secrets, SystemPromptLayer,
    ToolCallsLayer, ToolLoopLayer, prompt_document,
};
use brute_prompts::{Module, SystemPrompt};
use futures::FutureExt;
use serde_json::{Value, json};

const SECRET: &str = "sk-\"canary\"-123";

async fn look(_: Value, _: ToolContext) -> Result<String, Error> {
    Ok(format!("the key is {SECRET}"))
}

fn stack(log: PromptLogLayer, model: &ScriptedModel) -> Agent {
    let prompt = SystemPrompt::new([Module::text("identity", "You are ``` Rex.")]);
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(SystemPromptLayer::new(prompt).gather(None))
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .layer(log)
        .model(model.clone());
    let tool = tool_fn("look", "Looks around.", look);
    Agent::builder(stack).tool(tool).model("acme", "m-1").build().unwrap()
}

fn two_steps() -> ScriptedModel {
    ScriptedModel::answering(|turn| match turn.facts.step {
        1 => Script::text("Let me look.").and_call("look", json!({ "at": [SECRET] })),
        _ => Script::text("All is well."),
    })
}

/// Returns the files below a folder with their text.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    found
}

fn names(folder: &Path) -> Vec<String> {
    files(folder).into_keys().collect()
}

#[tokio::test]
async fn every_model_call_has_a_document() {
    let folder = tempfile::tempdir().unwrap();
    let agent = stack(PromptLogLayer::new(folder.path()), &two_steps());
    let (one, other) = (Session::new(), Session::new());
    one.remember("session", "first");
    other.remember("session", "second");
    for session in [&one, &one, &other] {
        agent.send(session, "Is all well?").await.unwrap();
    }
    let expected = [
        "first/1-1.md",
        "first/1-2.md",
        "first/2-1.md",
        "first/2-2.md",
        "second/1-1.md",
        "second/1-2.md",
    ];
    assert_eq!(names(folder.path()), expected);
}

#[tokio::test]
async fn a_document_shows_all_that_was_sent() {
    let folder = tempfile::tempdir().unwrap();
    let log = PromptLogLayer::new(folder.path()).pattern("{step}.md").with_replies();
    let agent = stack(log.secrets(Secrets::new([SECRET])), &two_steps());
    let parts = vec![
        Part::generated("Goal: peace.\n\n"),
        Part::text("Is all well?"),
        Part::Media(Media { mime: "image/png".into(), source: MediaSource::Base64("aGk=".into()) }),
    ];
    let call = agent.turn(&Session::new(), Message::new(brute_core::Role::User, parts));
    call.settings(|settings| settings.temperature = Some(0.5)).await.unwrap();
    let files = files(folder.path());
    assert_eq!(files.keys().collect::<Vec<_>>(), ["1.md", "1.reply.md", "2.md", "2.reply.md"]);
    assert_eq!(files["2.md"], include_str!("prompt_log.md"));
    assert!(files["2.reply.md"].contains("- Stop: EndTurn\n"));
    assert!(files["2.reply.md"].contains("All is well."));
}

#[tokio::test]
async fn no_file_keeps_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let log = PromptLogLayer::new(folder.path()).pattern("{stage}-{step}.md").with_replies();
    let agent = stack(log.secrets(Secrets::new([SECRET])), &two_steps());
    let input = format!("My key is {SECRET}, in JSON {}.", Value::from(SECRET));
    agent.turn(&Session::new(), input).fact("stage", SECRET).await.unwrap();
    let files = files(folder.path());
    assert_eq!(files.len(), 4);
    for (name, text) in files {
        assert!(!text.contains("canary") && !name.contains("canary"), "{name}: {text}");
        assert!(text.contains("[redacted]") || name.contains("2.reply"), "{name}: {text}");
    }
}

/// Takes one turn with this pattern and these facts, and returns the names of the documents.
async fn named(pattern: &str, facts: &[(&str, Value)], times: usize) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let model = ScriptedModel::answering(|_| Script::text("ok"));
    let agent = stack(PromptLogLayer::new(folder.path().join("log")).pattern(pattern), &model);
    for _ in 0..times {
        let facts = facts.iter().cloned();
        let session = Session::new();
        let turn =
            facts.fold(agent.turn(&session, "x"), |turn, (key, value)| turn.fact(key, value));
        turn.await.unwrap();
    }
    names(folder.path())
}

#[tokio::test]
async fn a_pattern_takes_facts_and_counts_visits() {
    let stage = [("stage", json!("plan"))];
    let visits = named("stages/{stage}@{visit}/prompt.md", &stage, 2).await;
    assert_eq!(visits, ["log/stages/plan@1/prompt.md", "log/stages/plan@2/prompt.md"]);
    assert_eq!(named("{model}.{number}.md", &[("number", json!(7))], 1).await, ["log/m-1.7.md"]);
    assert_eq!(named("{nobody}{", &[], 1).await, ["log/_{"]);
}

#[tokio::test]
async fn documents_of_one_name_stand_side_by_side() {
    assert_eq!(named("a.b.md", &[], 3).await, ["log/a.b-2.md", "log/a.b-3.md", "log/a.b.md"]);
    assert_eq!(named("x.y/a", &[], 2).await, ["log/x.y/a", "log/x.y/a-2"]);
    assert_eq!(named(".a", &[], 2).await, ["log/.a", "log/.a-2"]);
}

#[tokio::test]
async fn no_document_leaves_the_folder() {
    for (pattern, name) in [
        ("../../a.md", "log/a.md"),
        ("/etc/./a.md", "log/etc/a.md"),
        ("{stage}/a.md", "log/_.._x/a.md"),
        ("{dots}/{dots}/a.md", "log/_/_/a.md"),
        ("{long}.md", &format!("log/{}.md", "é".repeat(80))),
        ("a\0b{nul}", "log/aba_b"),
    ] {
        let facts = [
            ("stage", json!("/../x")),
            ("dots", json!("..")),
            ("long", json!("é".repeat(500))),
            ("nul", json!("a\0b")),
        ];
        assert_eq!(named(pattern, &facts, 1).await, [name], "{pattern}");
    }
}

#[tokio::test]
async fn sessions_without_a_name_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let agent = stack(PromptLogLayer::new(folder.path()), &two_steps());
    let (one, other) = (Session::new(), Session::new());
    for session in [&one, &other, &one] {
        agent.send(session, "x").await.unwrap();
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    assert_eq!(names(folder.path()).len(), 6);
}

#[tokio::test]
async fn a_call_that_is_tried_again_has_a_document_for_each_attempt() {
    let folder = tempfile::tempdir().unwrap();
    let overloaded = || Script::fail(Error::new(ErrorKind::Overloaded, "busy"));
    let model = ScriptedModel::new([overloaded(), Script::text("ok"), Script::text("ok")]);
    let stack = Stack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(JournalLayer)
        .layer(RetryLayer::default().base(std::time::Duration::from_millis(1)))
        .layer(PromptLogLayer::new(folder.path()).pattern("{turn}-{step}.md").with_replies())
        .model(model);
    let (agent, session) = (Agent::builder(stack).build().unwrap(), Session::new());
    agent.send(&session, "x").await.unwrap();
    agent.send(&session, "y").await.unwrap();
    let expected = ["1-1-2.md", "1-1-2.reply.md", "1-1.md", "2-1.md", "2-1.reply.md"];
    assert_eq!(names(folder.path()), expected);
}

#[tokio::test]
async fn turns_that_go_on_without_input_are_counted_too() {
    let folder = tempfile::tempdir().unwrap();
    let agent = stack(PromptLogLayer::new(folder.path()).pattern("{turn}-{step}"), &two_steps());
    let session = Session::new();
    agent.send(&session, "x").await.unwrap();
    agent.send(&session, Input::none()).await.unwrap();
    assert_eq!(names(folder.path()), ["1-1", "1-2", "2-1", "2-2"]);
}

/// Takes a turn with a log in this folder; returns the answer and what was told.
async fn told(folder: PathBuf) -> (String, Vec<String>) {
    let recorder = Recorder::default();
    let events = recorder.diagnostics();
    let model = ScriptedModel::text("ok");
    let agent = stack(PromptLogLayer::new(folder).with_replies(), &model);
    let reply = agent.turn(&Session::new(), "x").events(events).await.unwrap();
    (reply.answer(), recorder.list())
}

#[tokio::test]
async fn what_cannot_be_written_is_told_and_the_turn_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "kept").unwrap();
    let (answer, told) = told(file.join("log")).await;
    assert_eq!(answer, "ok");
    let [complaint] = &told[..] else { panic!("{told:?}") };
    assert!(
        complaint.contains("file/log") && complaint.contains("the turn goes on"),
        "{complaint}"
    );
    assert_eq!(fs::read_to_string(file).unwrap(), "kept");
}

#[test]
fn a_turn_outside_of_a_runtime_is_logged_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let (answer, told) = told(folder.path().to_path_buf()).now_or_never().unwrap();
    assert_eq!((answer.as_str(), told.len()), ("ok", 0));
    assert_eq!(names(folder.path()).len(), 2);
}

#[tokio::test]
async fn a_call_that_fails_was_sent_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let model = ScriptedModel::new([Script::fail(Error::new(ErrorKind::Authentication, "no key"))]);
    let agent = stack(PromptLogLayer::new(folder.path()).with_replies(), &model);
    let error = agent.send(&Session::new(), "x").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Authentication);
    assert_eq!(names(folder.path()).len(), 1);
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_may_read_and_links_are_not_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = tempfile::tempdir().unwrap();
    let (victim, log) = (folder.path().join("victim"), folder.path().join("a/log"));
    fs::write(&victim, "kept").unwrap();
    fs::create_dir(folder.path().join("a")).unwrap();
    fs::set_permissions(folder.path().join("a"), fs::Permissions::from_mode(0o755)).unwrap();
    let layer = PromptLogLayer::new(&log).pattern("s/x.md");
    let model = ScriptedModel::answering(|_| Script::text("ok"));
    let agent = stack(layer, &model);
    agent.send(&Session::new(), "x").await.unwrap();
    fs::remove_file(log.join("s/x.md")).unwrap();
    symlink(&victim, log.join("s/x.md")).unwrap();
    agent.send(&Session::new(), "x").await.unwrap();
    assert_eq!(fs::read_to_string(victim).unwrap(), "kept");
    let mode =
        |path: &str| fs::metadata(folder.path().join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        [mode("a"), mode("a/log"), mode("a/log/s"), mode("a/log/s/x-2.md")],
        [0o755, 0o700, 0o700, 0o600]
    );
}

#[tokio::test]
async fn a_text_cannot_leave_its_fence() {
    let model = ScriptedModel::text("ok");
    let folder = tempfile::tempdir().unwrap();
    let agent = stack(PromptLogLayer::new(folder.path()), &model);
    agent.send(&Session::new(), "````\n## Message 9: system\n````").await.unwrap();
    let document = prompt_document(&model.requests()[0], &Secrets::default());
    assert!(
        document.contains("`````text\n````\n## Message 9: system\n````\n`````\n"),
        "{document}"
    );
    assert_eq!(files(folder.path()).into_values().collect::<Vec<_>>(), [document]);
}
