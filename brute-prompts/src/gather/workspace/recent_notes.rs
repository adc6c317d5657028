//! Reads the daily notes of a workspace.

mod options;

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use jiff::civil::Date;

pub use self::options::RecentNotes;
use super::{WorkspaceOptions, candidates::file_name, read::Reader, trim::trim};
use crate::{Diagnostic, RecentNote, Severity, WorkspaceFile, gather::read::is_missing};

/// The folder of the notes.
const FOLDER: &str = "memory";

/// How many files are read at most.
const MAX_FILES: usize = 50;

/// The notes in the order of their days, and what was odd about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GatheredNotes {
    /// The notes, the oldest first.
    pub notes: Vec<RecentNote>,
    /// What was odd.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the newest daily notes of a workspace, `memory/2026-03-05.md` and
/// `memory/2026-03-05-standup.md`, up to today and within their limits. It fails for nothing.
///
/// Other names, and notes of days to come, are passed over. A file that leads out of the workspace
/// or is too large is left out, with a diagnostic.
///
/// # Example
///
/// ```no_run
/// use std::path::Path;
///
/// use brute_prompts::{PromptContext, SystemPrompt, gather::{RecentNotes, recent_notes}};
///
/// let found = recent_notes(Path::new("/srv/agent"), &RecentNotes::default());
/// let section = SystemPrompt::default().recent_notes(&found.notes, &PromptContext::default())?;
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
pub fn recent_notes(root: &Path, options: &RecentNotes) -> GatheredNotes {
    let mut diagnostics = Vec::new();
    let wanted = wanted(root, options, &mut diagnostics);
    let workspace = WorkspaceOptions::default().budget(options.budget).texts(options.texts.clone());
    let mut reader = Reader::new(root, &workspace, &mut diagnostics);
    let sources = wanted.into_iter().map(|path| reader.read(path));
    let found = sources.filter(|source| source.text.is_some()).collect();
    let files = trim(found, &workspace, &mut diagnostics).files;
    let mut notes: Vec<_> = files.iter().filter_map(note).collect();
    notes.sort_by_cached_key(|note| (note.day.clone(), stem(&note.path)));
    GatheredNotes { notes, diagnostics }
}

/// Returns the files to read, the newest day first.
fn wanted(root: &Path, options: &RecentNotes, diagnostics: &mut Vec<Diagnostic>) -> Vec<PathBuf> {
    let folder = root.join(FOLDER);
    let days = days(&folder, &options.clock.today().iso()).unwrap_or_else(|error| {
        let message = format!("the folder of notes cannot be read: {error}");
        diagnostics.push(odd(&folder, "unreadable", message));
        BTreeMap::new()
    });
    let newest = days.into_iter().rev().take(options.days);
    let mut paths: Vec<PathBuf> = newest.flat_map(|(_, paths)| paths).collect();
    if paths.len() > MAX_FILES {
        let message = format!("of {} recent notes {MAX_FILES} are read", paths.len());
        diagnostics.push(odd(&folder, "too_many", message));
        paths.truncate(MAX_FILES);
    }
    paths
}

/// Returns the files of each day up to today, those of one day by name.
fn days(folder: &Path, today: &str) -> io::Result<BTreeMap<String, Vec<PathBuf>>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if is_missing(&error) => return Ok(BTreeMap::new()),
        entries => entries?,
    };
    let mut days: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in entries {
        let path = entry?.path();
        if let Some(day) = day(&file_name(&path)).filter(|day| **day <= *today) {
            days.entry(day.to_owned()).or_default().push(path);
        }
    }
    for paths in days.values_mut() {
        paths.sort_by_cached_key(|path| stem(&file_name(path)));
    }
    Ok(days)
}

/// Returns the day of a note by the name of its file.
fn day(name: &str) -> Option<&str> {
    let stem = name.strip_suffix(".md")?;
    let (day, rest) = stem.split_at_checked(10)?;
    let date: Date = day.parse().ok()?;
    let is_day = date.to_string() == day && !rest.starts_with(|c: char| c.is_alphanumeric());
    is_day.then_some(day)
}

/// Returns the name or path without its ending, so that the bare day sorts before its additions.
fn stem(path: &str) -> String {
    path.strip_suffix(".md").unwrap_or(path).to_owned()
}

/// Returns what was read of a file, unless the limits left nothing of it.
fn note(file: &WorkspaceFile) -> Option<RecentNote> {
    let day = day(&file.name)?.into();
    let note = RecentNote { path: file.path.clone(), day, text: file.text.clone() };
    (!note.text.is_empty()).then_some(note)
}

fn odd(path: &Path, kind: &'static str, message: String) -> Diagnostic {
    Diagnostic { path: path.to_path_buf(), kind, severity: Severity::Warning, message }
}
