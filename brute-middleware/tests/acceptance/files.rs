//! Which files come into a prompt, and how much of them.

use brute_core::{ErrorKind, Session};
use brute_middleware::SystemPromptLayer;
use brute_prompts::{
    FileStatus, PromptSettings, SystemPrompt, Texts, WorkspaceFile,
    gather::{PromptFileOptions, WORKSPACE_FILES, Workspace, WorkspaceOptions, workspace_files},
};

use crate::host::{Host, names, section};

const FILE: &str = "project/.builder/SYSTEM.md";

pub(crate) async fn of_instructions_are_cut() {
    let host = Host::new([]);
    host.write("project/AGENTS.md", &"~".repeat(30_000));
    host.write("project/CLAUDE.md", &"^".repeat(5_000));
    let system = host.system(host.layer(SystemPrompt::default()), &Session::new()).await.unwrap();
    let rules = section(&system, "instructions");
    let (first, second) = (rules.matches('~').count(), rules.matches('^').count());
    assert!(first == 30_000 && second > 2_500 && first + second < 32_768, "{first} {second}");
    assert!(rules.contains("Truncated"), "the cut is told");
}

/// Reads a workspace whose files have these sizes, in the order in which they are read.
fn workspace(host: &Host, sizes: &[usize], told: &[String]) -> Workspace {
    for (name, size) in WORKSPACE_FILES.into_iter().zip(sizes) {
        host.write(&format!("project/{name}"), &"~".repeat(*size));
    }
    let options = WorkspaceOptions::default().new_workspace(true).told(told.to_vec());
    workspace_files(&host.path("project"), &options)
}

/// Returns what becomes of a file of which a hundred characters are there and `left` have room.
fn status_with(left: usize) -> FileStatus {
    let sizes = [12_000, 12_000, 12_000, 12_000, 12_000 - left, 100];
    let read = workspace(&Host::new([]), &sizes, &[]);
    read.files.files.iter().find(|file| &*file.name == WORKSPACE_FILES[5]).unwrap().status
}

pub(crate) async fn of_a_workspace_are_cut() {
    let host = Host::new([]);
    let cut = workspace(&host, &[20_000; 8], &[]);
    let sizes: Vec<_> = cut.files.files.iter().map(WorkspaceFile::injected_chars).collect();
    assert!(sizes.iter().all(|size| *size <= 12_000), "{sizes:?}");
    assert!((59_900..=60_000).contains(&sizes.iter().sum::<usize>()), "{sizes:?}");
    assert_eq!([status_with(64), status_with(63)], [FileStatus::Truncated, FileStatus::Dropped]);
    let is_warned = |size| workspace(&host, &[size; 8], &cut.told).files.warning.is_some();
    assert!(cut.files.warning.is_some() && !is_warned(20_000), "the same cut is told once");
    assert!(is_warned(30_000), "another cut is told");
}

/// Returns the layer of a prompt that a file may replace.
fn layer(host: &Host, settings: PromptSettings) -> SystemPromptLayer {
    let (home, project) = (host.path("home"), host.path("project"));
    let options = PromptFileOptions::builder(Some(&home), Some(&project)).role("scout");
    host.layer(SystemPrompt::new(["identity", "environment"])).prompt_files(options, settings)
}

async fn system(host: &Host, session: &Session) -> String {
    let layer = layer(host, PromptSettings::default());
    host.system(layer, session).await.unwrap().text()
}

const CONFIG: &str =
    "system_prompt_file = 'own.md'\n[subagents.scout]\nsystem_prompt_file = 'scout.md'\n";

/// The levels from the strongest to the weakest.
const LEVELS: [&str; 6] = [
    "project/.builder/scout.md",
    "home/.builder/scout.md",
    "project/.builder/own.md",
    "project/.builder/SYSTEM.md",
    "home/.builder/own.md",
    "home/.builder/SYSTEM.md",
];

pub(crate) async fn of_prompts_have_six_levels() {
    let configs = [("home/.builder/config.toml", CONFIG), ("project/.builder/config.toml", CONFIG)];
    let host = Host::new(configs);
    for path in LEVELS {
        host.write(path, &format!("From {path}."));
    }
    for path in LEVELS {
        let said = system(&host, &Session::new()).await;
        assert!(said.starts_with(&format!("From {path}.")), "{said}");
        host.write(path, " \n");
    }
    assert!(!system(&host, &Session::new()).await.contains("From"));
}

pub(crate) async fn of_prompts_are_fixed() {
    let host = Host::new([(FILE, "You are Rex.")]);
    let session = Session::new();
    let first = system(&host, &session).await;
    assert!(first.starts_with("You are Rex."), "{first}");
    host.write(FILE, "You are Ada.");
    let reopened = Session::from_json(&session.to_json().unwrap()).unwrap();
    assert_eq!(system(&host, &session).await, first);
    assert_eq!(system(&host, &reopened).await, first);
    assert!(system(&host, &Session::new()).await.starts_with("You are Ada."));
}

pub(crate) async fn cannot_ask_for_what_they_are() {
    let host = Host::new([(FILE, "{{.DefaultSystemPrompt}}")]);
    let words = [("identity/default.txt", "Again: {{ default_system_prompt }}")];
    let prompt = SystemPrompt::new(["identity"]).texts(Texts::shipped().with(words).unwrap());
    let files = PromptFileOptions::builder(None, Some(&host.path("project")));
    let layer = host.layer(prompt).prompt_files(files, PromptSettings::default());
    let error = host.system(layer, &Session::new()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Prompt);
    assert!(error.to_string().contains("default_system_prompt"), "{error}");
}

pub(crate) async fn come_with_tool_preambles() {
    let host = Host::new([(FILE, "You are Rex.")]);
    for locked in [true, false] {
        let session = Session::new();
        for asked in [locked, !locked] {
            let settings = PromptSettings { tool_preambles: asked, ..PromptSettings::default() };
            let system = host.system(layer(&host, settings), &session).await.unwrap();
            let is_there = names(&system).iter().any(|name| name == "tool_preambles");
            assert_eq!(is_there, locked, "{:?}", names(&system));
        }
    }
}

pub(crate) async fn know_how_many_calls_fit() {
    let host = Host::new([(FILE, "About {{ estimated_tool_calls }} calls fit.")]);
    for (context_window, calls) in [(272_000, 185), (400_000, 271)] {
        let settings = PromptSettings { context_window, ..PromptSettings::default() };
        let system = host.system(layer(&host, settings), &Session::new()).await.unwrap();
        assert!(
            system.text().starts_with(&format!("About {calls} calls fit.")),
            "{}",
            system.text()
        );
    }
}
