//! A session is shown with the prompt that it keeps.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use brute_core::{Agent, Session, models::ScriptedModel};
use brute_middleware::{RenderPolicy, SystemPromptLayer, default_stack};
use brute_prompts::{PromptSettings, gather::PromptFileOptions};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A project with a prompt file for everybody and some for roles.
fn project() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| {
        fs::create_dir_all(folder.path().join(".brute")).unwrap();
        fs::write(folder.path().join(".brute").join(name), text).unwrap();
    };
    write("SYSTEM.md", "You are Rex.");
    write("scout.md", "You are a scout.");
    write("boss.md", "You are the boss.");
    let role = |name: &str, file: &str| format!("[{name}]\nsystem_prompt_file = \"{file}\"\n");
    let config = role("subagents.scout", "scout.md") + &role("supervisor", "boss.md");
    write("config.toml", &config);
    folder
}

fn options(project: &TempDir) -> PromptFileOptions {
    PromptFileOptions::brute(None, Some(project.path()))
}

fn of_files(options: PromptFileOptions) -> SystemPromptLayer {
    SystemPromptLayer::default().prompt_files(options, PromptSettings::default())
}

/// Takes a turn of a session.
async fn turn(session: &Session, layer: SystemPromptLayer, project: &TempDir) {
    let stack = default_stack().system_prompt(layer).model(ScriptedModel::text("Yes."));
    let agent = Agent::builder(stack).model("offline", "").cwd(project.path()).build().unwrap();
    agent.send(session, "hi").await.unwrap();
}

/// Shows a session when the files of its project are gone.
fn dump(session: &Session, project: TempDir, more: &[&str]) -> Output {
    drop(project);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("session.json");
    fs::write(&file, session.to_json().unwrap()).unwrap();
    run(folder.path(), &[&["dump", "session.json"], more].concat())
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brute"));
    command.current_dir(folder).env("HOME", folder).args(arguments).output().unwrap()
}

#[track_caller]
fn check_shown(output: &Output, wanted: &str, unwanted: &str, told: &str) {
    let complaint = String::from_utf8_lossy(&output.stderr);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && complaint.contains(told), "{complaint}");
    assert!(!told.is_empty() || complaint.is_empty(), "{complaint}");
    assert!(shown.contains(wanted) && !shown.contains(unwanted), "{shown}");
}

#[tokio::test]
async fn the_prompt_of_a_role_is_shown() {
    let (session, project) = (Session::new(), project());
    turn(&session, of_files(options(&project).role("scout")), &project).await;
    assert!(session.meta().get("system_prompt.role.scout").is_some());
    let output = dump(&session, project, &[]);
    check_shown(&output, "You are a scout.", "You are Brute", "this is that of role scout");
}

#[tokio::test]
async fn of_several_prompts_one_can_be_chosen() {
    let shown = async |more: &[&str]| {
        let (session, project) = (Session::new(), project());
        turn(&session, of_files(options(&project)), &project).await;
        turn(&session, of_files(options(&project).role("scout")), &project).await;
        dump(&session, project, more)
    };
    let both = "(that of no role, that of role scout) this is that of no role";
    check_shown(&shown(&[]).await, "You are Rex.", "scout", both);
    check_shown(&shown(&["--role", "scout"]).await, "You are a scout.", "Rex", "");
    let refused = shown(&["--role", "cook"]).await;
    let complaint = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && complaint.contains("that of role scout"), "{complaint}");
}

#[tokio::test]
async fn where_only_the_file_is_kept_the_prompt_is_rendered_from_it() {
    for (role, wanted) in [(None, "You are Rex."), (Some("scout"), "You are a scout.")] {
        let (session, project) = (Session::new(), project());
        let options = options(&project);
        let options = role.map_or(options.clone(), |role| options.role(role));
        let layer = of_files(options).policy(RenderPolicy::WhenMissing);
        turn(&session, layer, &project).await;
        let meta = session.meta();
        assert!(meta.iter().all(|(key, _)| !key.starts_with("system_prompt")), "{meta:?}");
        let told = role.map_or("", |_| "this is that of role scout");
        check_shown(&dump(&session, project, &[]), wanted, "You are Brute", told);
    }
}

#[tokio::test]
async fn a_prompt_that_was_given_up_is_rendered_anew_from_its_file() {
    let (session, project) = (Session::new(), project());
    turn(&session, of_files(options(&project)), &project).await;
    session.remember("system_prompt", Value::Null);
    check_shown(&dump(&session, project, &[]), "You are Rex.", "You are Brute", "");
}

#[tokio::test]
async fn the_prompt_of_a_supervisor_is_shown() {
    let (session, project) = (Session::new(), project());
    turn(&session, SystemPromptLayer::supervisor(options(&project)), &project).await;
    assert!(session.meta().get("prompt_file.supervisor").is_some());
    let output = dump(&session, project, &[]);
    check_shown(&output, "You are the boss.", "You are Brute", "that of the supervisor");
}

#[tokio::test]
async fn a_kept_prompt_that_cannot_be_read_is_told() {
    let told = |key: &str| format!("what the session keeps as \"{key}\" cannot be read");
    for (role, name) in [(None, ""), (Some("scout"), ".role.scout")] {
        for broken in [json!(17), json!({ "sections": [] }), json!("You are Rex.")] {
            let (session, project) = (Session::new(), project());
            let options = options(&project);
            let options = role.map_or(options.clone(), |role| options.role(role));
            turn(&session, of_files(options), &project).await;
            let (prompt, file) = (format!("system_prompt{name}"), format!("prompt_file{name}"));
            // The prompt is there, so nobody asks for the file.
            session.remember(file.as_str(), broken.clone());
            let shown = dump(&session, self::project(), &[]);
            assert!(!String::from_utf8_lossy(&shown.stderr).contains("cannot be read"));

            session.remember(prompt.as_str(), broken);
            for key in [prompt, file] {
                let shown = dump(&session, self::project(), &[]);
                check_shown(&shown, "# Prompt", "You are Rex.", &told(&key));
            }
        }
    }
}

#[tokio::test]
async fn facts_that_cannot_be_read_are_told() {
    let (session, project) = (Session::new(), project());
    turn(&session, SystemPromptLayer::default(), &project).await;
    check_shown(&dump(&session, self::project(), &[]), "You are Brute", "You are Rex.", "");
    session.remember("prompt_facts", json!(17));
    let told = "what the session keeps as \"prompt_facts\" cannot be read";
    check_shown(&dump(&session, project, &[]), "You are Brute", "You are Rex.", told);
}
