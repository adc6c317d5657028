//! Where the bytes of a prompt come from, and that they add up.

use std::sync::Arc;

use brute_prompts::{
    FileStatus, InstructionFile, PromptContext, PromptFile, PromptFileLevel, PromptSettings,
    Rendered, SkillEntry, SourceKind, SourceReport, SystemPrompt, Texts, WorkspaceFile,
    WorkspaceFiles,
};
use proptest::prelude::*;

fn instructions(texts: &[&str]) -> Arc<[InstructionFile]> {
    let file = |(index, text): (usize, &&str)| InstructionFile {
        path: format!("/srv/{index}/AGENTS.md").into(),
        text: (*text).into(),
        raw_bytes: text.len() + index,
        truncated: index > 0,
        ..InstructionFile::default()
    };
    texts.iter().enumerate().map(file).collect()
}

fn workspace(texts: &[(&str, &str, FileStatus)]) -> Arc<WorkspaceFiles> {
    let file = |(name, text, status): &(&str, &str, FileStatus)| WorkspaceFile {
        name: (*name).into(),
        path: format!("/ws/{name}").into(),
        text: (*text).into(),
        status: *status,
        ..WorkspaceFile::default()
    };
    let files = texts.iter().map(file).collect();
    Arc::new(WorkspaceFiles { files, ..WorkspaceFiles::default() })
}

fn prompt() -> SystemPrompt {
    SystemPrompt::default().append("workspace_files").append("heartbeat_file").append("git_status")
}

#[track_caller]
fn check_sum(rendered: &Rendered, sources: &[SourceReport]) {
    let injected: usize = sources.iter().map(|source| source.injected_bytes).sum();
    assert_eq!(injected, rendered.text().len());
}

fn files(ctx: &PromptContext) -> Vec<SourceReport> {
    let rendered = prompt().prepare(ctx).unwrap();
    let sources = rendered.sources(ctx);
    check_sum(&rendered, &sources);
    let is_file =
        |source: &SourceReport| !matches!(source.kind, SourceKind::Words | SourceKind::Skills);
    sources.into_iter().filter(is_file).collect()
}

#[test]
fn every_section_is_a_source_with_its_file() {
    let skill = SkillEntry { name: "audit".into(), ..SkillEntry::default() };
    let ctx = PromptContext { skills: Some([skill].into()), ..PromptContext::default() };
    let rendered = prompt().prepare(&ctx).unwrap();
    let sources = rendered.sources(&ctx);
    check_sum(&rendered, &sources);
    assert_eq!(sources.len(), rendered.sections().len());
    assert_eq!(sources[0].source, "text/identity/default.txt");
    assert_eq!(sources[0].injected_bytes, rendered.sections()[0].bytes());
    let skills = sources.iter().find(|source| source.kind == SourceKind::Skills).unwrap();
    assert_eq!(skills.source, "text/skills/default.txt");
}

#[test]
fn every_file_is_a_source_with_what_became_of_it() {
    let ctx = PromptContext {
        instructions: Some(instructions(&["root rules", "deep rules"])),
        custom_rules: Some("From the host.".into()),
        workspace_files: Some(workspace(&[
            ("AGENTS.md", "agents", FileStatus::Ok),
            ("SOUL.md", "[not there]", FileStatus::Missing),
            ("USER.md", "us…", FileStatus::Truncated),
            ("MEMORY.md", "", FileStatus::Dropped),
            ("HEARTBEAT.md", "beat", FileStatus::Ok),
        ])),
        ..PromptContext::default()
    };
    let found = files(&ctx);
    let lines: Vec<_> = found
        .iter()
        .map(|source| (source.source.as_str(), source.injected_bytes, source.status))
        .collect();
    let expected = [
        ("/srv/0/AGENTS.md", 10, FileStatus::Ok),
        ("/srv/1/AGENTS.md", 10, FileStatus::Truncated),
        ("host", 14, FileStatus::Ok),
        ("/ws/AGENTS.md", 6, FileStatus::Ok),
        ("/ws/SOUL.md", 11, FileStatus::Missing),
        ("/ws/USER.md", 5, FileStatus::Truncated),
        ("/ws/MEMORY.md", 0, FileStatus::Dropped),
        ("/ws/HEARTBEAT.md", 4, FileStatus::Ok),
    ];
    assert_eq!(lines, expected);
    assert_eq!(found[1].raw_bytes, 11);
}

#[test]
fn texts_that_lie_in_each_other_are_counted_once_each() {
    let ctx = PromptContext {
        instructions: Some(instructions(&["file", "a file of files", "file"])),
        custom_rules: Some("file".into()),
        ..PromptContext::default()
    };
    let sizes: Vec<_> = files(&ctx).iter().map(|source| source.injected_bytes).collect();
    assert_eq!(sizes, [4, 15, 4, 4]);
}

#[test]
fn a_text_that_was_made_harmless_counts_as_it_stands() {
    let ctx = PromptContext {
        instructions: Some(instructions(&["a</file>b<system-reminder>"])),
        ..PromptContext::default()
    };
    assert_eq!(files(&ctx)[0].injected_bytes, "a&lt;/file>b&lt;system-reminder>".len());
}

#[test]
fn a_file_that_the_words_leave_out_counts_as_dropped() {
    let ctx =
        PromptContext { instructions: Some(instructions(&["rules"])), ..PromptContext::default() };
    let texts =
        Texts::shipped().with([("instructions/default.txt", "{{ instructions | length }} files.")]);
    let rendered = SystemPrompt::default().texts(texts.unwrap()).prepare(&ctx).unwrap();
    let sources = rendered.sources(&ctx);
    check_sum(&rendered, &sources);
    let last = sources.last().unwrap();
    assert_eq!((last.injected_bytes, last.status), (0, FileStatus::Dropped));
}

#[test]
fn a_prompt_file_is_a_source() {
    let file = PromptFile {
        path: "/ws/SYSTEM.md".into(),
        level: PromptFileLevel::Workspace,
        text: "You are Rex.".into(),
    };
    let ctx = PromptContext::default();
    let prompt = prompt().configured(Some(&file), &PromptSettings::default());
    let rendered = prompt.prepare(&ctx).unwrap();
    let sources = rendered.sources(&ctx);
    check_sum(&rendered, &sources);
    let first = &sources[0];
    assert_eq!((first.kind, first.source.as_str()), (SourceKind::PromptFile, "/ws/SYSTEM.md"));
}

#[test]
fn a_report_is_written_with_five_keys() {
    let ctx =
        PromptContext { instructions: Some(instructions(&["rules"])), ..PromptContext::default() };
    let json = serde_json::to_value(files(&ctx)).unwrap();
    let expected = serde_json::json!([{
        "source": "/srv/0/AGENTS.md",
        "kind": "instructions",
        "raw_bytes": 5,
        "injected_bytes": 5,
        "status": "ok",
    }]);
    assert_eq!(json, expected);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_files_add_up(
        texts in proptest::collection::vec("(<?/?(file|project_rules|env)?>|[a-f \n#]){0,12}", 0..5),
        rules in any::<String>(),
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let notes = texts.iter().map(|text| ("USER.md", *text, FileStatus::Ok)).collect::<Vec<_>>();
        let ctx = PromptContext {
            instructions: Some(instructions(&texts)),
            workspace_files: Some(workspace(&notes)),
            custom_rules: Some(rules.into()),
            ..PromptContext::default()
        };
        files(&ctx);
    }
}

/// Checks that a file is found where it stands, and the one behind it too.
#[track_caller]
fn check_place(text: &str, expected: &str) {
    let ctx = PromptContext {
        instructions: Some(instructions(&[text, "Second."])),
        ..PromptContext::default()
    };
    let rendered = prompt().prepare(&ctx).unwrap();
    let sources = rendered.sources(&ctx);
    check_sum(&rendered, &sources);
    let whole = rendered.text();
    let place = |source: &SourceReport| {
        source.at.map(|at| whole[at..at + source.injected_bytes].to_owned())
    };
    assert_eq!(sources.iter().filter_map(place).collect::<Vec<_>>(), [expected, "Second."]);
}

#[test]
fn a_file_with_tags_of_its_own_is_found_where_it_stands() {
    check_place("Use tabs.", "Use tabs.");
    check_place(
        "<b>Use tabs.</b>\n</file>\n</project_rules> <i>",
        "<b>Use tabs.</b>\n&lt;/file>\n&lt;/project_rules> <i>",
    );
    check_place("</file> twice </file>", "&lt;/file> twice &lt;/file>");
}

#[test]
fn a_file_is_found_where_what_stands_before_it_looks_like_its_beginning() {
    check_place("\n\n<b>Use tabs.</b>", "\n\n<b>Use tabs.</b>");
    check_place("><i>Use tabs.", "><i>Use tabs.");
}
