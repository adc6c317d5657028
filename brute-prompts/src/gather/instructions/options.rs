//! Which instruction files are read, and how much of them.

use std::path::{Path, PathBuf};

use super::InstructionNames;
use crate::{Budget, Family, Texts, gather::home::expand};

/// Which folders of a project hold instruction files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InstructionWalk {
    /// Every folder from the root of the repository to the working directory.
    #[default]
    RootToCwd,
    /// The root of the repository, or the working directory outside of one.
    WorkspaceOnly,
}

/// Whether a file takes the place of a line that is only an at sign and its path.
///
/// The path is relative to the file that holds the line. Lines in fenced code stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InstructionImports {
    /// Every line stays as it is.
    #[default]
    Off,
    /// Files of the project are taken in; for a global file, those of its folder.
    Inside,
    /// Files from anywhere are taken in, which is for projects that are trusted.
    Anywhere,
}

/// Which instruction files are read, and how much of them.
///
/// # Example
///
/// ```
/// use brute_prompts::{
///     Budget, Family,
///     gather::{InstructionImports, InstructionOptions},
/// };
///
/// let options = InstructionOptions::default()
///     .family(&Family::GOOGLE)
///     .global_file("~/.config/acme/AGENTS.md")
///     .budget(Budget { total: 16_384, ..Budget::INSTRUCTIONS })
///     .imports(InstructionImports::Inside);
/// ```
#[derive(Clone, Debug)]
pub struct InstructionOptions {
    pub(super) names: InstructionNames,
    pub(super) family: Family,
    pub(super) root: Option<PathBuf>,
    pub(super) walk: InstructionWalk,
    pub(super) global_files: Vec<PathBuf>,
    pub(super) home: Option<PathBuf>,
    pub(super) budget: Budget,
    pub(super) reread_budget: Budget,
    pub(super) imports: InstructionImports,
    pub(super) same_path: bool,
    pub(super) same_content: bool,
    pub(super) texts: Texts,
}

impl Default for InstructionOptions {
    fn default() -> Self {
        Self {
            names: InstructionNames::default(),
            family: Family::DEFAULT,
            root: None,
            walk: InstructionWalk::default(),
            global_files: vec!["~/.config/brute/AGENTS.md".into()],
            home: None,
            budget: Budget::INSTRUCTIONS,
            reread_budget: Budget::REREAD,
            imports: InstructionImports::Off,
            same_path: false,
            same_content: false,
            texts: Texts::default(),
        }
    }
}

impl InstructionOptions {
    /// Reads `AGENTS.md` of `~/.builder`, then that of the project's root, for every family.
    pub fn builder() -> Self {
        Self::default()
            .file_names(["AGENTS.md"])
            .global_file("~/.builder/AGENTS.md")
            .walk(InstructionWalk::WorkspaceOnly)
    }

    /// Looks for the files that this family reads, besides those that all do.
    #[must_use]
    pub fn family(mut self, family: &Family) -> Self {
        self.family = family.clone();
        self
    }

    /// Decides by this table what the files of a family are called.
    #[must_use]
    pub fn names(mut self, names: InstructionNames) -> Self {
        self.names = names;
        self
    }

    /// Looks for files of these names, whatever the family.
    #[must_use]
    pub fn file_names<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Self {
        self.names(InstructionNames::new(names))
    }

    /// Takes this folder for the root of the repository.
    #[must_use]
    pub fn root(mut self, folder: impl Into<PathBuf>) -> Self {
        self.root = Some(folder.into());
        self
    }

    /// Decides which folders of the project are looked into.
    #[must_use]
    pub fn walk(mut self, walk: InstructionWalk) -> Self {
        self.walk = walk;
        self
    }

    /// Reads this file before those of the project; `~` stands for the user's home.
    #[must_use]
    pub fn global_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.global_files = vec![path.into()];
        self
    }

    /// Reads no file but those of the project.
    #[must_use]
    pub fn without_global_file(mut self) -> Self {
        self.global_files.clear();
        self
    }

    /// Takes this folder as the user's home; without one, files in it are left out.
    #[must_use]
    pub fn home(mut self, folder: impl Into<PathBuf>) -> Self {
        self.home = Some(folder.into());
        self
    }

    /// Limits how much of the files is kept.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Limits how much of the files is kept when they are read again after a compaction.
    #[must_use]
    pub fn reread_budget(mut self, budget: Budget) -> Self {
        self.reread_budget = budget;
        self
    }

    /// Decides whether a file takes the place of a line that is only an at sign and its path.
    #[must_use]
    pub fn imports(mut self, imports: InstructionImports) -> Self {
        self.imports = imports;
        self
    }

    /// Keeps files that are the same on disk, or that say the same; by default the first counts.
    #[must_use]
    pub fn keep_duplicates(mut self, same_path: bool, same_content: bool) -> Self {
        (self.same_path, self.same_content) = (same_path, same_content);
        self
    }

    /// Takes the words of the cut marker from these texts.
    #[must_use]
    pub fn texts(mut self, texts: Texts) -> Self {
        self.texts = texts;
        self
    }

    /// Takes the home of the host where none is set.
    pub(in crate::gather) fn or_home(mut self, home: Option<&Path>) -> Self {
        self.home = self.home.or_else(|| home.map(Path::to_path_buf));
        self
    }

    /// Returns the global files, without those in a home that is not known.
    pub(super) fn global_paths(&self) -> impl Iterator<Item = PathBuf> {
        self.global_files.iter().filter_map(|path| expand(path, self.home.as_deref()))
    }
}
