//! A key never gets out: not by logs, events, errors, prompt logs, cassettes or exports.
#![cfg(feature = "rig")]

mod openai_server;

use std::{fs, path::Path, time::Duration};

use brute_core::{
    Agent, BoxStack, BuiltStack, Error, Events, Session, models::openai_compatible,
    testing::Recorder,
};
use brute_middleware::{CassetteLayer, PromptLogLayer, RetryLayer, Secrets, default_stack};
use openai_server::{Answer, Server};
use tempfile::TempDir;
use tower::ServiceExt;

const CANARY: &str = "sk-canary-8f14e45f-\"quoted\"";

const HELLO: Answer = Answer::Words(&["Hello."], Duration::ZERO, None);
const ANSWERS: [Answer; 4] = [HELLO, Answer::Status(503, 0), HELLO, Answer::Status(401, 0)];

/// An agent whose every trace is kept in a folder.
fn agent(server: &Server, folder: &Path) -> Agent {
    let model = openai_compatible(&server.url).key(CANARY).model("test").unwrap();
    assert!(!format!("{model:?}").contains("canary"));
    let secrets = Secrets::new([CANARY]);
    let stack = default_stack()
        .around_model(
            PromptLogLayer::new(folder.join("prompts")).secrets(secrets.clone()).with_replies(),
        )
        .around_model(CassetteLayer::record(folder.join("cassette.json")).secrets(secrets))
        .around_model(RetryLayer::new().base(Duration::from_millis(1)))
        .model(model);
    let stack: BuiltStack<BoxStack> = stack.map(|stack| BoxStack::new(stack.map_err(Error::wrap)));
    Agent::builder(stack).model("openai_compatible", "test").cwd(folder).build().unwrap()
}

/// Returns everything that was written below a folder, names included.
fn written(folder: &Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        all.push_str(&path.to_string_lossy());
        all.push_str(&if path.is_dir() {
            written(&path)
        } else {
            fs::read_to_string(&path).unwrap()
        });
    }
    all
}

#[tokio::test]
async fn a_key_that_the_user_even_pastes_gets_into_no_file_but_the_session_they_keep() {
    let server = Server::answering(&ANSWERS);
    let folder = TempDir::new().unwrap();
    let (agent, session) = (agent(&server, folder.path()), Session::new());
    let recorder = Recorder::default();
    let notes = recorder.clone();
    let events = || {
        let notes = notes.clone();
        Events::inline(move |event| notes.note(format!("{event:?}")))
    };
    agent.turn(&session, "Who is there?").events(events()).await.unwrap();
    agent.turn(&session, "And now?").events(events()).await.unwrap();
    let error = agent.turn(&session, "And then?").events(events()).await.unwrap_err();

    assert_eq!(server.asked().len(), 4);
    let told = format!("{error} {error:?} {:?}", recorder.list());
    let export = session.to_json().unwrap();
    assert!(!told.contains("canary") && !export.contains("canary"));
    // What the user says themselves is theirs to keep, and redacted wherever it is logged.
    drop(agent.send(&session, format!("My key is {CANARY}")).await);
    let files = written(folder.path());
    assert!(files.contains("Who is there?") && files.contains("[redacted]"), "{files}");
    assert!(!files.contains("canary"), "{files}");
}
