//! A file that stands among those of the workspace is not told again as an instruction file.

use std::{fs, path::Path};

use brute_prompts::{
    Budget, InstructionPlacement, PromptContext, SystemPrompt,
    gather::{GatherOptions, WorkspaceOptions, gather},
};
use tempfile::TempDir;

fn write(folder: &Path, name: &str, text: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join(name), text).unwrap();
}

/// How often the prompt, and what stands beside it, says a word.
fn count(prompt: &SystemPrompt, ctx: &PromptContext, word: &str) -> usize {
    let beside = prompt.messages(ctx).unwrap();
    let texts = beside.iter().map(|message| message.section.text.to_string());
    let texts = texts.chain([prompt.prepare(ctx).unwrap().text()]);
    texts.map(|text| text.matches(word).count()).sum()
}

/// The facts of a project whose workspace lies there.
fn facts(project: &Path, workspace: &Path, budget: Budget) -> PromptContext {
    let options = WorkspaceOptions::default().budget(budget);
    let options = GatherOptions::new(project)
        .home(project.join("home"))
        .workspace(Some(workspace.to_path_buf()), options);
    let mut ctx = PromptContext::default();
    gather(&options).facts.apply(&mut ctx);
    ctx
}

#[test]
fn a_file_is_told_once_wherever_instruction_files_stand() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), "AGENTS.md", "Use tabs.");
    let ctx = facts(folder.path(), folder.path(), Budget::WORKSPACE);
    for placement in [
        InstructionPlacement::System,
        InstructionPlacement::Developer,
        InstructionPlacement::Preamble,
    ] {
        let prompt = SystemPrompt::default().instruction_placement(placement);
        assert_eq!(count(&prompt, &ctx, "Use tabs."), 1, "{placement:?}");
        let without = prompt.without("workspace_files");
        assert_eq!(count(&without, &ctx, "Use tabs."), 1, "{placement:?}, no place for files");
    }
    let docs_only = SystemPrompt::new(["identity", "instructions"]);
    assert_eq!(count(&docs_only, &ctx, "Use tabs."), 1);
}

#[test]
fn a_file_with_the_same_text_is_told_once_and_one_with_another_text_is_told_too() {
    let folder = TempDir::new().unwrap();
    let (project, workspace) = (folder.path().join("project"), folder.path().join("ws"));
    for (text, told) in [("Use tabs.", 1), ("Use tabs. Or spaces.", 2)] {
        write(&project, "AGENTS.md", "Use tabs.");
        write(&workspace, "AGENTS.md", text);
        let ctx = facts(&project, &workspace, Budget::WORKSPACE);
        assert_eq!(count(&SystemPrompt::default(), &ctx, "Use tabs."), told, "{text}");
    }
}

#[test]
fn a_file_that_was_cut_or_left_out_there_is_told_whole_here() {
    let folder = TempDir::new().unwrap();
    let text = format!("{}middle of it\n{}", "a\n".repeat(7_000), "z\n".repeat(7_000));
    write(folder.path(), "AGENTS.md", &text);
    for budget in [Budget::WORKSPACE, Budget { total: 0, ..Budget::WORKSPACE }] {
        let ctx = facts(folder.path(), folder.path(), budget);
        assert_eq!(count(&SystemPrompt::default(), &ctx, "middle of it"), 1);
    }
}
