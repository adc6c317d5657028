//! Puts values aside that are too large for a preamble.

use std::{
    collections::BTreeSet,
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::{
    Diagnostic, Severity,
    preamble::{LARGE_VALUE, Run},
};

/// Writes every value and response of a run that is too large to be shown into a file of its own,
/// and notes the path in the run, so that a preamble refers to it.
///
/// A text is written as it is, everything else as JSON. Only the owner may read the files. What
/// cannot be written is told, and stays without a path.
pub fn store_large_values(run: &mut Run, folder: &Path) -> Vec<Diagnostic> {
    let mut names = BTreeSet::new();
    let mut diagnostics = Vec::new();
    for (key, text, extension) in large_values(run) {
        let path = folder.join(free_name(&key, extension, &mut names));
        match write(&path, &text) {
            Ok(()) => drop(run.stored.insert(key, path.to_string_lossy().into_owned())),
            Err(error) => diagnostics.push(not_written(path, &error)),
        }
    }
    diagnostics
}

/// Returns what is too large: a key, the text, and what sort of file it makes.
fn large_values(run: &Run) -> Vec<(String, String, &'static str)> {
    let values = run.context.iter().map(|(key, value)| match value {
        Value::String(text) => (key.clone(), text.clone(), "txt"),
        other => (key.clone(), other.to_string(), "json"),
    });
    let responses = run.stages.iter().filter_map(|stage| {
        Some((format!("response.{}", stage.id), stage.response.clone()?, "txt"))
    });
    values.chain(responses).filter(|(_, text, _)| text.len() > LARGE_VALUE).collect()
}

/// Returns a name for a file that is not taken yet.
fn free_name(key: &str, extension: &str, names: &mut BTreeSet<String>) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let plain: String = key.chars().map(|c| if is_plain(c) { c } else { '_' }).take(80).collect();
    let plain = plain.trim_start_matches('.');
    let numbered = (2..).map(|number| format!("{plain}-{number}.{extension}"));
    let mut free = std::iter::once(format!("{plain}.{extension}")).chain(numbered);
    free.find(|name| names.insert(name.to_lowercase())).unwrap_or_default()
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}

fn not_written(path: PathBuf, error: &io::Error) -> Diagnostic {
    let message = format!("a large value cannot be put here: {error}; it is left out");
    Diagnostic { path, kind: "value_not_stored", severity: Severity::Warning, message }
}
