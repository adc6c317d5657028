//! The command `skills`: what was found, and what is wrong with a folder.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

fn run(home: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_brute"))
        .arg("skills")
        .args(arguments)
        .env("HOME", home)
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn write_skill(root: &Path, folder: &str, front_matter: &str) {
    let skill = root.join(folder);
    fs::create_dir_all(&skill).unwrap();
    fs::write(skill.join("SKILL.md"), format!("---\n{front_matter}\n---\n\nBody.\n")).unwrap();
}

/// A directory with skills of its own, one of which hides one of the home's.
fn project() -> TempDir {
    let folder = TempDir::new().unwrap();
    let (own, global) =
        (folder.path().join(".brute/skills"), folder.path().join(".config/brute/skills"));
    write_skill(&own, "greet", "name: greet\ndescription: Greets people.");
    write_skill(&own, "odd", "name: odd\ndescription: says: hello");
    write_skill(&global, "greet", "name: greet\ndescription: Greets nobody.");
    folder
}

#[test]
fn what_was_found_is_shown_with_its_place_its_rivals_and_its_oddities() {
    let folder = project();
    let path = folder.path().to_str().unwrap();
    let output = run(folder.path(), &["--cwd", path]);
    assert!(output.status.success());
    let text = stdout(&output);
    for part in [
        "greet",
        "Greets people.",
        "project",
        ".brute/skills/greet/SKILL.md",
        "hides",
        "yaml_repaired",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    assert!(!text.contains("Greets nobody."));
}

#[test]
fn json_holds_skills_roots_and_diagnostics() {
    let folder = project();
    let path = folder.path().to_str().unwrap();
    let report: Value =
        serde_json::from_str(&stdout(&run(folder.path(), &["--json", "--cwd", path]))).unwrap();
    let names: Vec<_> =
        report["skills"].as_array().unwrap().iter().map(|skill| &skill["name"]).collect();
    assert_eq!(names, ["greet", "odd"]);
    assert_eq!(
        report["roots"].as_array().unwrap().iter().filter(|root| root["exists"] == true).count(),
        2
    );
    assert!(
        report["diagnostics"].as_array().unwrap().iter().any(|found| found["kind"] == "shadowed")
    );
}

#[test]
fn an_empty_directory_has_none() {
    let folder = TempDir::new().unwrap();
    let text = stdout(&run(folder.path(), &["--cwd", folder.path().to_str().unwrap()]));
    assert!(text.contains("none"), "{text}");
}

#[test]
fn a_valid_folder_passes_and_a_faulty_one_fails() {
    let folder = project();
    let skill = |name: &str| folder.path().join(".brute/skills").join(name).display().to_string();
    let valid = run(folder.path(), &["validate", &skill("greet")]);
    assert!(valid.status.success() && stdout(&valid).starts_with("valid"), "{}", stdout(&valid));
    let both = run(folder.path(), &["validate", &skill("greet"), &skill("odd")]);
    assert_eq!(both.status.code(), Some(1));
    assert!(
        stdout(&both).contains("faulty") && stdout(&both).contains("yaml_invalid"),
        "{}",
        stdout(&both)
    );
    let missing = run(folder.path(), &["validate", &skill("nothing")]);
    assert_eq!(missing.status.code(), Some(1));
}
