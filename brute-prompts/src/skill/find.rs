//! Walks the roots and finds skill files, without reading one.

use std::{
    collections::HashSet,
    ffi::OsStr,
    fs::{self, Metadata},
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::{
    DiscoverOptions, Links, SkillRoot,
    entries::{Entry, FILE_NAME, entries, is_skill_file},
    fault::Fault,
    read::{file_size, not_a_file, unreadable},
};
use crate::{Diagnostic, Severity};

/// A skill file that was found and not read yet.
#[derive(Debug)]
pub(crate) struct Candidate {
    /// The path as the root leads to it.
    pub(crate) path: PathBuf,
    /// The path without links, which tells whether two candidates are one file.
    pub(crate) real: PathBuf,
    /// The name that stands in for a missing one.
    pub(crate) folder: String,
    pub(crate) size: u64,
    pub(crate) odd_case: bool,
    /// The place of its root in the list of roots.
    pub(crate) root: usize,
}

/// Finds the skill files of all roots: root after root, and in each by path.
pub(crate) fn find(
    roots: &[SkillRoot],
    options: &DiscoverOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Candidate> {
    let shared: Vec<_> = roots.iter().filter_map(trusted_folder).collect();
    let mut candidates = Vec::new();
    let mut budget = options.max_folders;
    for (index, root) in roots.iter().enumerate() {
        let mut bounds = shared.clone();
        bounds.extend(boundary(root));
        let max_depth = root.max_depth.unwrap_or(options.max_depth);
        let mut search = Search {
            root,
            index,
            max_depth,
            bounds,
            budget,
            candidates: &mut candidates,
            diagnostics,
            pending: Vec::new(),
            links: Vec::new(),
            entered: HashSet::new(),
        };
        search.run();
        budget = search.budget;
    }
    candidates
}

/// Returns the folder of a root, without links, unless a link took it out of its boundary.
fn trusted_folder(root: &SkillRoot) -> Option<PathBuf> {
    let real = fs::canonicalize(&root.path).ok()?;
    let stays = boundary(root).is_none_or(|boundary| real.starts_with(boundary));
    (root.links == Links::Anywhere || stays).then_some(real)
}

fn boundary(root: &SkillRoot) -> Option<PathBuf> {
    fs::canonicalize(root.boundary.as_ref()?).ok()
}

/// A folder that is still to be entered.
struct Folder {
    path: PathBuf,
    real: PathBuf,
    depth: usize,
}

/// The search of one root.
struct Search<'a> {
    root: &'a SkillRoot,
    index: usize,
    max_depth: usize,
    /// The folders that links may lead into, without links themselves.
    bounds: Vec<PathBuf>,
    /// How many folders may still be entered.
    budget: usize,
    candidates: &'a mut Vec<Candidate>,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// Folders to enter, the next one last.
    pending: Vec<Folder>,
    /// Folders behind links, entered when all others are done, so that a skill is known by its
    /// own path where it has one.
    links: Vec<Folder>,
    /// The folders that were entered, without links: a loop of links ends here.
    entered: HashSet<PathBuf>,
}

impl Search<'_> {
    fn run(&mut self) {
        let path = std::path::absolute(&self.root.path).unwrap_or_else(|_| self.root.path.clone());
        match fs::canonicalize(&path) {
            Ok(real) if !self.is_allowed(&real) => self.warn(&path, escape(&real)),
            Ok(real) if real.is_dir() => self.pending.push(Folder { path, real, depth: 0 }),
            Ok(real) => self.single_file(path, real),
            Err(error) if error.kind() == ErrorKind::NotFound => self.missing(&path),
            Err(error) => self.warn(&path, unreadable(&error)),
        }
        while let Some(folder) = self.next() {
            if self.budget == 0 {
                return self.warn(&folder.path, too_many());
            }
            self.budget -= 1;
            self.enter(&folder);
        }
    }

    /// Returns the next folder that was not entered yet.
    fn next(&mut self) -> Option<Folder> {
        loop {
            let folder = match self.pending.pop() {
                Some(folder) => folder,
                None if self.links.is_empty() => return None,
                None => self.links.remove(0),
            };
            if self.entered.insert(folder.real.clone()) {
                return Some(folder);
            }
        }
    }

    fn enter(&mut self, folder: &Folder) {
        let may_be_skill = folder.depth > 0 || self.root.explicit;
        if may_be_skill && self.takes_skill_file(folder) {
            return;
        }
        match entries(&folder.path) {
            Ok(entries) => self.sort_entries(folder, &entries, may_be_skill),
            Err(error) => self.warn(&folder.path, unreadable(&error)),
        }
    }

    /// Takes the skill file under its right name; asking for it saves listing the folder.
    fn takes_skill_file(&mut self, folder: &Folder) -> bool {
        let path = folder.path.join(FILE_NAME);
        match fs::symlink_metadata(&path) {
            Ok(metadata) => self.take(folder, path, &metadata, false),
            Err(error) if error.kind() == ErrorKind::NotFound => return false,
            Err(error) => self.warn(&folder.path, unreadable(&error)),
        }
        true
    }

    fn sort_entries(&mut self, folder: &Folder, entries: &[Entry], may_be_skill: bool) {
        if let Some(entry) = entries.iter().find(|entry| entry.is_skill_file()) {
            let path = folder.path.join(&entry.name);
            if may_be_skill {
                return self.take_odd_case(folder, path);
            }
            self.fail(&path, misplaced());
        }
        if folder.depth < self.max_depth {
            let waiting = self.pending.len();
            for entry in entries.iter().filter(|entry| entry.may_lead_on()) {
                self.lead_on(folder, entry);
            }
            // The next folder is taken from the end.
            self.pending[waiting..].reverse();
        }
    }

    fn take_odd_case(&mut self, folder: &Folder, path: PathBuf) {
        match fs::symlink_metadata(&path) {
            Ok(metadata) => self.take(folder, path, &metadata, true),
            Err(error) => self.warn(&path, unreadable(&error)),
        }
    }

    fn lead_on(&mut self, folder: &Folder, entry: &Entry) {
        let path = folder.path.join(&entry.name);
        let depth = folder.depth + 1;
        if entry.kind.is_dir() {
            let real = folder.real.join(&entry.name);
            self.pending.push(Folder { path, real, depth });
        } else if let Some(real) = self.follow(&path).filter(|real| real.is_dir()) {
            self.links.push(Folder { path, real, depth });
        }
    }

    /// Returns where a link leads, if it leads somewhere and may.
    fn follow(&mut self, path: &Path) -> Option<PathBuf> {
        match fs::canonicalize(path) {
            Ok(real) if self.is_allowed(&real) => return Some(real),
            Ok(real) => self.warn(path, escape(&real)),
            Err(error) => self.warn(path, broken(&error)),
        }
        None
    }

    fn is_allowed(&self, real: &Path) -> bool {
        self.root.links == Links::Anywhere
            || self.bounds.iter().any(|bound| real.starts_with(bound))
    }

    fn take(&mut self, folder: &Folder, path: PathBuf, metadata: &Metadata, odd_case: bool) {
        let name = path.file_name().unwrap_or_default();
        let (real, size) = if metadata.is_file() {
            (folder.real.join(name), Ok(metadata.len()))
        } else if metadata.is_symlink() {
            let Some(real) = self.follow(&path) else { return };
            let size = file_size(&real);
            (real, size)
        } else {
            return self.fail(&path, not_a_file());
        };
        let name = folder.path.file_name().or(folder.real.file_name()).unwrap_or_default();
        match size {
            Ok(size) => self.add(path, real, name, size, odd_case),
            Err(fault) => self.fail(&path, fault),
        }
    }

    /// Takes a file that a person named; one that is not `SKILL.md` goes by its own name.
    fn single_file(&mut self, path: PathBuf, real: PathBuf) {
        if !self.root.explicit || path.extension() != Some(OsStr::new("md")) {
            return self.warn(&path, neither());
        }
        let is_skill_file = path.file_name().is_some_and(is_skill_file);
        let folder =
            if is_skill_file { path.parent().and_then(Path::file_name) } else { path.file_stem() };
        let folder = folder.unwrap_or_default().to_owned();
        match file_size(&real) {
            Ok(size) => self.add(path, real, &folder, size, false),
            Err(fault) => self.fail(&path, fault),
        }
    }

    fn add(&mut self, path: PathBuf, real: PathBuf, folder: &OsStr, size: u64, odd_case: bool) {
        let (Some(_), Some(folder)) = (path.to_str(), folder.to_str()) else {
            return self.fail(&path, not_utf8());
        };
        let folder = folder.to_owned();
        self.candidates.push(Candidate { path, real, folder, size, odd_case, root: self.index });
    }

    fn missing(&mut self, path: &Path) {
        if self.root.explicit {
            self.warn(path, Fault::new("path_missing", "there is nothing at this path"));
        }
    }

    fn warn(&mut self, path: &Path, fault: Fault) {
        self.diagnostics.push(fault.with(path, Severity::Warning));
    }

    fn fail(&mut self, path: &Path, fault: Fault) {
        self.diagnostics.push(fault.fatal(path));
    }
}

fn misplaced() -> Fault {
    let message = "a skill file lies in the root itself; move it into a folder of its own";
    Fault::new("file_misplaced", message)
}

fn escape(real: &Path) -> Fault {
    let message = format!(
        "the link leads out of the folders for skills, to {}; it was not followed",
        real.display()
    );
    Fault::new("link_escape", message)
}

fn broken(error: &std::io::Error) -> Fault {
    Fault::new("link_broken", format!("the link leads nowhere: {error}"))
}

fn neither() -> Fault {
    Fault::new("path_invalid", "this is neither a folder nor a .md file")
}

fn not_utf8() -> Fault {
    Fault::new(
        "path_not_utf8",
        "the path is not UTF-8, so the model could not be told of it; rename it",
    )
}

fn too_many() -> Fault {
    let message = "too many folders; the search ended here, name a smaller root or raise the limit";
    Fault::new("too_many_folders", message)
}
