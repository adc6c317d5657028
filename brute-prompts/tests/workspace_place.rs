//! Files that were gathered have a place in every stack.

use std::{fs, sync::Arc};

use brute_prompts::{
    Module, Profile, PromptContext, PromptMode, SystemPrompt,
    gather::{WorkspaceOptions, workspace_files},
};
use tempfile::TempDir;

/// The names of the sections of a prompt that is told of files.
fn sections_with_files(prompt: &SystemPrompt, mode: PromptMode) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("SOUL.md"), "Be kind.").unwrap();
    fs::write(folder.path().join("HEARTBEAT.md"), "Look.").unwrap();
    let files = workspace_files(folder.path(), &WorkspaceOptions::default()).files;
    let ctx = PromptContext {
        workspace_files: Some(Arc::new(files)),
        custom_rules: Some("Use tabs.".into()),
        prompt_mode: mode,
        ..PromptContext::default()
    };
    let rendered = prompt.prepare(&ctx).unwrap();
    let is_asked =
        |name: &str| ["workspace_files", "heartbeat_file", "instructions"].contains(&name);
    rendered.iter().map(|it| it.name.to_string()).filter(|name| is_asked(name)).collect()
}

#[test]
fn files_that_were_gathered_have_a_place_in_every_profile_and_stand_there_once() {
    let all = ["workspace_files", "instructions", "heartbeat_file"];
    for profile in Profile::ALL {
        let prompt = SystemPrompt::profile(profile);
        assert_eq!(sections_with_files(&prompt, PromptMode::Full), all, "{profile:?}");
        let minimal = sections_with_files(&prompt, PromptMode::Minimal);
        assert_eq!(minimal, ["workspace_files"], "{profile:?}");
    }
    let own = SystemPrompt::default().append("workspace_files").append("heartbeat_file");
    assert_eq!(sections_with_files(&own, PromptMode::Full).len(), 3);
}

#[test]
fn their_place_can_be_changed_and_a_list_of_modules_has_only_its_own() {
    let full = |prompt: &SystemPrompt| sections_with_files(prompt, PromptMode::Full);
    let prompt = SystemPrompt::default();
    assert_eq!(
        full(&prompt.clone().without("workspace_files")),
        ["instructions", "heartbeat_file"]
    );
    let own = Module::text("workspace_files", "Mine.");
    assert_eq!(full(&prompt.clone().replace("workspace_files", own)).len(), 3);
    let first = full(&prompt.after("identity", "heartbeat_file"));
    assert_eq!(first, ["workspace_files", "instructions", "heartbeat_file"]);
    assert_eq!(full(&SystemPrompt::new(["identity", "instructions"])), ["instructions"]);
}
