//! Cuts the files to their limits and puts them in order.

use std::path::Path;

use serde_json::Value;

use super::{WorkspaceOptions, WorkspaceSource, candidates::is_optional};
use crate::{
    Diagnostic, FileStatus, Severity, WorkspaceFile, WorkspaceFiles,
    budget::{Kept, Purse, Share},
    phrase::Phrases,
};

/// Returns the files as they stand in the prompt.
pub(super) fn trim(
    sources: Vec<WorkspaceSource>,
    options: &WorkspaceOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> WorkspaceFiles {
    let phrases = Phrases::new(&options.texts);
    let mut purse = Purse::new(options.budget);
    let mut files = Vec::new();
    for source in unique(sources, diagnostics) {
        files.extend(file(&source, &mut purse, &phrases));
    }
    diagnostics.extend(files.iter().filter_map(report));
    diagnostics.extend(phrases.into_failures());
    files.sort_by_cached_key(|file| rank(file, &options.order));
    WorkspaceFiles { files, budget: options.budget, warning: None }
}

/// Leaves out files without a path, and all but the first of one path.
fn unique(
    sources: Vec<WorkspaceSource>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<WorkspaceSource> {
    let mut unique: Vec<WorkspaceSource> = Vec::new();
    for source in sources {
        if source.path.is_none() {
            diagnostics.push(without_path(&source.name));
        } else if unique.iter().all(|other| other.path != source.path) {
            unique.push(source);
        }
    }
    unique
}

/// Returns what stands in the prompt of one file; an empty one and an absent optional one say
/// nothing.
fn file(
    source: &WorkspaceSource,
    purse: &mut Purse,
    phrases: &Phrases<'_>,
) -> Option<WorkspaceFile> {
    let path = source.path.as_deref()?.to_string_lossy();
    let whole = WorkspaceFile {
        name: source.name.as_str().into(),
        path: path.as_ref().into(),
        ..WorkspaceFile::default()
    };
    let Some(text) = &source.text else {
        return (!is_optional(&source.name)).then(|| missing(whole, purse, phrases));
    };
    let text = text.trim_end();
    if text.is_empty() {
        return None;
    }
    let whole = WorkspaceFile { raw_chars: text.chars().count(), raw_bytes: text.len(), ..whole };
    let marker = |kept| format!("\n{}\n", phrases.say("workspace_cut", cut_facts(&path, kept)));
    Some(match purse.take(text, marker) {
        Share::Whole => WorkspaceFile { text: text.into(), ..whole },
        Share::Cut(text, causes) => {
            let status = FileStatus::Truncated;
            WorkspaceFile { text: text.into(), causes, status, ..whole }
        }
        Share::Nothing => WorkspaceFile { status: FileStatus::Dropped, ..whole },
    })
}

/// The marker of a missing file spends the budget like a text.
fn missing(file: WorkspaceFile, purse: &mut Purse, phrases: &Phrases<'_>) -> WorkspaceFile {
    let marker = phrases.say("missing_file", [("path", Value::from(&*file.path))]);
    match purse.take(&marker, |_| String::new()) {
        Share::Whole => WorkspaceFile { status: FileStatus::Missing, text: marker.into(), ..file },
        Share::Cut(text, _) => {
            WorkspaceFile { status: FileStatus::Missing, text: text.into(), ..file }
        }
        Share::Nothing => WorkspaceFile { status: FileStatus::Dropped, ..file },
    }
}

fn cut_facts(path: &str, kept: Kept) -> [(&'static str, Value); 4] {
    [
        ("path", Value::from(path)),
        ("head", Value::from(kept.head)),
        ("tail", Value::from(kept.tail)),
        ("total", Value::from(kept.total)),
    ]
}

fn without_path(name: &str) -> Diagnostic {
    Diagnostic {
        path: name.into(),
        kind: "path_missing",
        severity: Severity::Warning,
        message: "a transform added a file without a path, which is left out".to_owned(),
    }
}

fn report(file: &WorkspaceFile) -> Option<Diagnostic> {
    let (kind, message) = match file.status {
        FileStatus::Ok | FileStatus::Missing => return None,
        FileStatus::Truncated => {
            let (raw, injected) = (file.raw_chars, file.injected_chars());
            (
                "truncated",
                format!(
                    "of {raw} characters {injected} are in the prompt; shorten it or raise the limits"
                ),
            )
        }
        FileStatus::Dropped => (
            "dropped",
            "the files before it left no room; shorten them or raise the limit".to_owned(),
        ),
    };
    let path = Path::new(&*file.path).to_path_buf();
    Some(Diagnostic { path, kind, severity: Severity::Warning, message })
}

/// Returns where the file stands in the prompt.
fn rank(file: &WorkspaceFile, order: &[String]) -> (usize, String, String) {
    let known = order.iter().position(|name| **name == *file.name);
    match known {
        Some(place) => (place, String::new(), file.path.to_string()),
        None => (order.len(), file.name.to_string(), file.path.to_string()),
    }
}
