//! Reads the files that are there, each once.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    InstructionImports, InstructionOptions,
    import::Importer,
    walk::{Walk, walk},
};
use crate::{
    Diagnostic, InstructionScope, Severity,
    gather::read::{FileText, is_missing, read_text},
    normalise::normalise,
};

/// The most bytes that are read of one file.
pub(super) const MAX_BYTES: u64 = 2 << 20;

/// A file with something to say.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) text: String,
    /// Whether the file goes on behind the text.
    pub(super) is_cut: bool,
    pub(super) scope: InstructionScope,
}

/// Returns the files in the order in which they count.
pub(super) fn collect(
    cwd: &Path,
    options: &InstructionOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Found> {
    let Walk { folders, root } = walk(cwd, options);
    let mut collector =
        Collector { options, diagnostics, seen: BTreeSet::new(), found: Vec::new() };
    for path in options.global_paths() {
        let folder = path.parent().unwrap_or(&path).to_path_buf();
        collector.take(path, &folder, InstructionScope::Global);
    }
    let names = options.names.of(&options.family);
    for path in folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name))) {
        collector.take(path, &root, InstructionScope::Project);
    }
    collector.found
}

struct Collector<'a> {
    options: &'a InstructionOptions,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// The real paths of what was taken in.
    seen: BTreeSet<PathBuf>,
    found: Vec<Found>,
}

impl Collector<'_> {
    /// Takes in the file, if it is there and says something new.
    fn take(&mut self, path: PathBuf, root: &Path, scope: InstructionScope) {
        let file = match read_text(&path, MAX_BYTES) {
            Ok(file) => file,
            Err(error) => return self.diagnostics.extend(unreadable(&path, &error)),
        };
        let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        if !self.seen.insert(real.clone()) && !self.options.same_path {
            return self.report(&path, "duplicate", "the file was taken in before");
        }
        self.diagnostics.extend(oddities(&path, &file));
        let text = self.imported(&path, real, root, &normalise(&file.text));
        let text = text.trim_end();
        if text.is_empty() {
            return;
        }
        if !self.options.same_content && self.found.iter().any(|other| other.text == text) {
            return self.report(&path, "duplicate", "another file with the same text was taken in");
        }
        self.found.push(Found { path, text: text.to_owned(), is_cut: file.is_cut, scope });
    }

    fn imported(&mut self, path: &Path, real: PathBuf, root: &Path, text: &str) -> String {
        if self.options.imports == InstructionImports::Off {
            return text.to_owned();
        }
        Importer::new(self.options, root, &mut self.seen, self.diagnostics).expand(path, real, text)
    }

    fn report(&mut self, path: &Path, kind: &'static str, message: &str) {
        let (path, message) = (path.to_path_buf(), message.to_owned());
        self.diagnostics.push(Diagnostic { path, kind, severity: Severity::Info, message });
    }
}

/// Reports a file that is there and cannot be read.
fn unreadable(path: &Path, error: &io::Error) -> Option<Diagnostic> {
    let (kind, severity, message) = match error.kind() {
        _ if is_missing(error) => return None,
        io::ErrorKind::IsADirectory => {
            ("not_a_file", Severity::Info, "it is not a file; rename it or leave it".to_owned())
        }
        _ => ("unreadable", Severity::Warning, format!("the file cannot be read: {error}")),
    };
    Some(Diagnostic { path: path.to_path_buf(), kind, severity, message })
}

/// Reports what is odd about a file that was read.
pub(super) fn oddities(path: &Path, file: &FileText) -> Vec<Diagnostic> {
    let warn = |kind, message: &str| Diagnostic {
        path: path.to_path_buf(),
        kind,
        severity: Severity::Warning,
        message: message.to_owned(),
    };
    let empty = file.text.is_empty().then(|| warn("empty", "the file is empty; fill or remove it"));
    let lossy = file.is_lossy.then(|| {
        warn(
            "not_utf8",
            "what is not UTF-8 was read as replacement characters; save the file as UTF-8",
        )
    });
    empty.into_iter().chain(lossy).collect()
}
