//! Puts files in the place of lines that name them.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use super::{
    InstructionImports, InstructionOptions,
    collect::{MAX_BYTES, oddities},
};
use crate::{
    Diagnostic, Severity,
    gather::{
        home::expand,
        read::{FileText, read_text},
    },
    markdown::Fence,
    normalise::normalise,
};

/// How many files within files there may be.
const MAX_DEPTH: usize = 16;

/// How many bytes a file may take in by importing.
const MAX_IMPORTED: usize = 2 << 20;

/// Takes in the files that one file names.
pub(super) struct Importer<'a> {
    options: &'a InstructionOptions,
    /// The folder that imports stay in.
    root: PathBuf,
    seen: &'a mut BTreeSet<PathBuf>,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// The real paths of the files that are being taken in, from the outermost.
    open: Vec<PathBuf>,
    imported: usize,
}

/// What becomes of a line that names a file.
enum Import {
    /// The text stands in its place.
    Taken(String),
    /// It goes, because the text stands elsewhere.
    Gone,
    /// It stays, with the reason.
    Refused(&'static str, String),
}

impl<'a> Importer<'a> {
    pub(super) fn new(
        options: &'a InstructionOptions,
        root: &Path,
        seen: &'a mut BTreeSet<PathBuf>,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        let root = fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
        Self { options, root, seen, diagnostics, open: Vec::new(), imported: 0 }
    }

    /// Returns the text of a file with its imports in place.
    pub(super) fn expand(&mut self, path: &Path, real: PathBuf, text: &str) -> String {
        self.open.push(real);
        let mut fence = Fence::default();
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            let is_code = fence.holds(line);
            match import_path(line).filter(|_| !is_code) {
                Some(target) => self.replace(&mut out, line, path, target),
                None => out.push_str(line),
            }
        }
        self.open.pop();
        out
    }

    fn replace(&mut self, out: &mut String, line: &str, path: &Path, target: &str) {
        match self.import(path, target) {
            Import::Taken(text) => {
                out.push_str(text.trim_end());
                out.push_str(&line[line.trim_end_matches('\n').len()..]);
            }
            Import::Gone => {}
            Import::Refused(kind, reason) => {
                let message = format!("the line `@{target}` stays as it is, because {reason}");
                self.report(path, kind, message);
                out.push_str(line);
            }
        }
    }

    fn import(&mut self, path: &Path, target: &str) -> Import {
        let Some(target) = self.locate(path, target) else {
            return Import::Refused("import_missing", "the home is not known".to_owned());
        };
        let missing =
            |error| Import::Refused("import_missing", format!("it leads to no file: {error}"));
        let real = match fs::canonicalize(&target) {
            Ok(real) => real,
            Err(error) => return missing(error),
        };
        if let Some(refusal) = self.refusal(&real) {
            return refusal;
        }
        match read_text(&real, MAX_BYTES) {
            Ok(file) => self.take(&target, real, &file),
            Err(error) => missing(error),
        }
    }

    fn locate(&self, path: &Path, target: &str) -> Option<PathBuf> {
        let target = expand(Path::new(target), self.options.home.as_deref())?;
        Some(path.parent().map_or_else(|| target.clone(), |folder| folder.join(&target)))
    }

    fn refusal(&self, real: &PathBuf) -> Option<Import> {
        let refused = |kind, reason: &str| Some(Import::Refused(kind, reason.to_owned()));
        if self.open.contains(real) {
            return refused("import_cycle", "the file imports itself");
        }
        let stays_inside = self.options.imports == InstructionImports::Inside;
        if stays_inside && !real.starts_with(&self.root) {
            return refused("import_outside", "the file lies outside the project");
        }
        if self.open.len() >= MAX_DEPTH || self.imported > MAX_IMPORTED {
            return refused("import_limit", "too much was imported before");
        }
        (self.seen.contains(real) && !self.options.same_path).then_some(Import::Gone)
    }

    fn take(&mut self, target: &Path, real: PathBuf, file: &FileText) -> Import {
        self.diagnostics.extend(oddities(target, file));
        self.seen.insert(real.clone());
        self.imported += file.text.len();
        Import::Taken(self.expand(target, real, &normalise(&file.text)))
    }

    fn report(&mut self, path: &Path, kind: &'static str, message: String) {
        let severity = Severity::Warning;
        self.diagnostics.push(Diagnostic { path: path.to_path_buf(), kind, severity, message });
    }
}

/// Returns the path of a line that is only an at sign and a path.
fn import_path(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(' ');
    let path = text.trim_end().strip_prefix('@').filter(|_| line.len() - text.len() < 4)?;
    (!path.is_empty() && !path.contains(char::is_whitespace)).then_some(path)
}
