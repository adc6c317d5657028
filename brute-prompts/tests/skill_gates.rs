//! Which sound skills are on offer on this machine and to this agent.

use std::fs;

use brute_prompts::skill::{DiscoverOptions, Discovery, Machine, SkillRoot, ThisMachine, discover};

/// A machine on which `git` and `TOKEN` are there, and the setting `web.on`.
#[derive(Debug)]
struct Fake;

impl Machine for Fake {
    fn os(&self) -> String {
        "macos".into()
    }

    fn has_program(&self, name: &str) -> bool {
        name == "git"
    }

    fn has_env(&self, name: &str) -> bool {
        name == "TOKEN"
    }

    fn is_configured(&self, name: &str) -> bool {
        name == "web.on"
    }
}

fn find(metadata: &str, options: &DiscoverOptions) -> Discovery {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("x")).unwrap();
    let content = format!("---\nname: x\ndescription: d\nmetadata:\n  note: y\n{metadata}\n---\n");
    fs::write(root.path().join("x/SKILL.md"), content).unwrap();
    discover(&[SkillRoot::project(root.path())], options)
}

/// Checks why a skill with this metadata is not on offer; an empty reason means that it is.
#[track_caller]
fn check(metadata: &str, reason: &str) {
    let found = find(metadata, &DiscoverOptions::default().machine(Fake));
    let reasons: Vec<_> = found.ineligible.iter().map(|skill| skill.reason.as_str()).collect();
    assert_eq!(reasons.concat(), reason);
    assert_eq!(found.skills.len(), 1 - reasons.len());
}

#[test]
fn flat_keys_name_what_a_skill_needs() {
    check("  requires-os: linux darwin", "");
    check("  requires-os: linux, win32", "it is for linux or win32, this is macos");
    check("  requires-bins: git", "");
    check("  requires-bins: git gh", "the program \"gh\" is missing");
    check("  requires-any-bins: gh git", "");
    check("  requires-any-bins: gh hub", "none of the programs gh, hub is there");
    check("  requires-env: TOKEN", "");
    check("  requires-env: TOKEN KEY", "the environment variable \"KEY\" is missing");
    check("  requires-config: web.on", "");
    check("  requires-config: web.off", "the setting \"web.off\" is missing");
    check("  os: linux", "");
}

#[test]
fn a_block_under_any_name_does_too() {
    check("  host: {os: [linux]}", "it is for linux, this is macos");
    check("  host: {requires: {bins: [git, gh]}}", "the program \"gh\" is missing");
    check("  host: {requires: {anyBins: [gh, git], env: [TOKEN], config: [web.on]}}", "");
    check(
        "  host:\n    requires:\n      env:\n        - KEY",
        "the environment variable \"KEY\" is missing",
    );
}

#[test]
fn always_waves_everything_through_but_the_system() {
    check("  host: {always: true, requires: {bins: [gh]}}", "");
    check("  requires-always: true\n  requires-env: KEY", "");
    check("  host: {always: true, os: [linux]}", "it is for linux, this is macos");
}

#[test]
fn names_can_be_allowed_and_switched_off() {
    let offered = |options: DiscoverOptions| find("", &options).skills.len();
    assert_eq!(offered(DiscoverOptions::default()), 1);
    assert_eq!(offered(DiscoverOptions::default().allow(["x", "y"])), 1);
    assert_eq!(offered(DiscoverOptions::default().allow(["y"])), 0);
    assert_eq!(offered(DiscoverOptions::default().allow([""; 0])), 0);
    assert_eq!(offered(DiscoverOptions::default().disable(["x"])), 0);
}

#[test]
fn without_a_machine_every_gate_is_open() {
    let options = DiscoverOptions { machine: None, ..DiscoverOptions::default() };
    assert_eq!(find("  requires-bins: no-such-program", &options).skills.len(), 1);
}

#[test]
fn this_machine_knows_its_programs_variables_and_settings() {
    let settings =
        serde_json::json!({"web": {"on": true, "off": false, "zero": 0, "text": "x", "blank": ""}});
    let machine = ThisMachine::with_settings(settings);
    assert_eq!(machine.os(), std::env::consts::OS);
    assert!(
        machine.has_env("PATH")
            && !machine.has_env("BRUTE_NO_SUCH_VARIABLE")
            && !machine.has_env("A=B")
    );
    assert!(machine.has_program("cargo") && !machine.has_program("no-such-program"));
    let on = ["web", "web.on", "web.text"].map(|name| machine.is_configured(name));
    let off = ["web.off", "web.zero", "web.blank", "web.none", "other", ""]
        .map(|name| machine.is_configured(name));
    assert_eq!((on, off), ([true; 3], [false; 6]));
}
