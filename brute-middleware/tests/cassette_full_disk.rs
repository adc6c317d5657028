//! A disk that is full costs a cassette nothing that it holds.
#![cfg(unix)]

use std::{fs, path::Path, process::Command};

use brute_core::{
    Log, Message, Turn,
    models::{Script, ScriptedModel},
};
use brute_middleware::{Cassette, CassetteLayer};
use tempfile::TempDir;
use tower::{Layer, Service, ServiceExt};

/// Names the folder in which the part of the test that may write little works.
const FOLDER: &str = "BRUTE_TEST_FULL_DISK";

fn recording(path: &Path) -> Cassette<ScriptedModel> {
    CassetteLayer::record(path).layer(ScriptedModel::answering(|_| Script::text("Yes.")))
}

/// Says something of this length to the model; returns what went wrong.
async fn say(service: &mut Cassette<ScriptedModel>, length: usize) -> Option<String> {
    let log: Log = [Message::user("x".repeat(length))].into_iter().collect();
    let reply = service.ready().await.unwrap().call(Turn { log, ..Turn::default() }).await;
    reply.err().map(|error| error.to_string())
}

/// Runs a test of this file in a process whose files may have 8 KB, as if the disk were full.
fn run_with_little_room(test: &str, folder: &Path) {
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" --exact --ignored --nocapture \"$1\"";
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(program).arg(test).env(FOLDER, folder);
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("1 passed"), "{told}{output:?}");
}

#[track_caller]
fn check_untouched(path: &Path, before: &[u8]) {
    assert_eq!(fs::read(path).unwrap(), before);
    assert!(CassetteLayer::replay(path).is_ok());
    let names = fs::read_dir(path.parent().unwrap()).unwrap();
    assert_eq!(names.count(), 1, "something is left beside the cassette");
}

#[test]
fn an_exchange_that_finds_no_room_takes_nothing_with_it() {
    let folder = TempDir::new().unwrap();
    run_with_little_room("with_little_room", folder.path());
}

#[tokio::test]
#[ignore = "it needs a full disk, and is run by the test above"]
async fn with_little_room() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let path = Path::new(&folder).join("cassette.jsonl");
    assert_eq!(say(&mut recording(&path), 10).await, None);
    let old = fs::read(&path).unwrap();

    let mut service = recording(&path);
    let told = say(&mut service, 40_000).await.unwrap();
    assert!(told.contains("cannot be written") && told.contains("cassette.jsonl"), "{told}");
    check_untouched(&path, &old);

    assert_eq!(say(&mut service, 20).await, None);
    let first = fs::read(&path).unwrap();
    assert_ne!(first, old);
    assert!(say(&mut service, 40_000).await.is_some());
    check_untouched(&path, &first);

    assert_eq!(say(&mut service, 30).await, None);
    assert!(fs::read(&path).unwrap().starts_with(&first));
    assert!(CassetteLayer::replay(&path).is_ok());
}

#[tokio::test]
async fn a_link_stays_a_link_and_a_mode_stays_as_it_is() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = TempDir::new().unwrap();
    let (file, link) = (folder.path().join("file.jsonl"), folder.path().join("link.jsonl"));
    symlink("file.jsonl", &link).unwrap();
    for mode in [0o600, 0o640] {
        let mut service = recording(&link);
        for length in 1..3 {
            assert_eq!(say(&mut service, length).await, None);
        }
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 2);
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    }
    assert_eq!(say(&mut recording(&link), 1).await, None);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
}
