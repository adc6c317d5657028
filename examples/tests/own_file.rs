//! Files that the program writes for their owner go where they should, or nothing is begun.
#![cfg(unix)]

use std::{
    fs,
    os::unix::{
        fs::{MetadataExt, PermissionsExt, symlink},
        process::CommandExt,
    },
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

fn brute(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brute"));
    command.current_dir(folder).env("HOME", folder).stdin(Stdio::null()).args(arguments);
    command
}

const ASK: [&str; 5] = ["ask", "What is here?", "--provider", "offline", "--export"];
const CHAT: [&str; 4] = ["chat", "--provider", "offline", "--session"];

fn run(folder: &Path, arguments: &[&str], file: &str) -> Output {
    brute(folder, &[arguments, &[file]].concat()).output().unwrap()
}

#[track_caller]
fn check_session(file: &Path) {
    let session: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(session["messages"][0]["parts"][0]["text"], "What is here?");
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[track_caller]
fn check_done(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_link_stays_a_link_and_its_target_is_written() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("there")).unwrap();
    symlink("there/inner.json", folder.path().join("outer.json")).unwrap();
    symlink("session.json", folder.path().join("there/inner.json")).unwrap();
    for _ in ["without a target", "with one"] {
        check_done(&run(folder.path(), &ASK, "outer.json"));
        check_session(&folder.path().join("there/session.json"));
        for link in ["outer.json", "there/inner.json"] {
            assert!(folder.path().join(link).is_symlink(), "{link}");
        }
    }
}

/// Runs the program as somebody who is not root, who may do everything.
fn run_as_nobody(folder: &Path, arguments: &[&str], file: &str) -> Option<Output> {
    let is_root = fs::metadata("/proc/self").is_ok_and(|found| found.uid() == 0);
    if !is_root {
        return Some(run(folder, arguments, file));
    }
    let mut command = brute(folder, &[arguments, &[file]].concat());
    // Where root may not become somebody else, or the program lies where nobody may look.
    command.uid(65_534).gid(65_534).output().ok()
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_file_in_a_directory_that_may_not_be_written_is_written_over() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("session.json");
    let before = "x".repeat(100_000);
    fs::write(&file, &before).unwrap();
    let id = fs::metadata(&file).unwrap().ino();
    set_mode(&file, 0o666);
    set_mode(folder.path(), 0o555);
    let output = run_as_nobody(folder.path(), &ASK, "session.json");
    let refused = run_as_nobody(folder.path(), &ASK, "other.json");
    set_mode(folder.path(), 0o755);
    let (Some(output), Some(refused)) = (output, refused) else { return };
    check_done(&output);
    let session: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(session["messages"][0]["parts"][0]["text"], "What is here?");
    let now = fs::metadata(&file).unwrap().ino();
    assert_eq!(now, id);
    assert!(!refused.status.success() && refused.stdout.is_empty());
}

#[test]
fn a_place_where_nothing_can_be_written_is_refused_before_the_turn() {
    let folder = TempDir::new().unwrap();
    symlink("circle.json", folder.path().join("circle.json")).unwrap();
    symlink("nodir/x.json", folder.path().join("nowhere.json")).unwrap();
    fs::write(folder.path().join("locked.json"), "").unwrap();
    set_mode(&folder.path().join("locked.json"), 0o400);
    for file in ["nodir/x.json", ".", "circle.json", "nowhere.json", "locked.json"] {
        for arguments in [&ASK[..], &CHAT[..]] {
            let output = run(folder.path(), arguments, file);
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{file}: {complaint}");
            assert!(output.stdout.is_empty(), "{file}: it began");
            assert!(complaint.contains(file), "{complaint}");
        }
    }
}
