//! What becomes of every odd file on every surface on which files come into a prompt.
#![cfg(unix)]

mod disk;
mod surfaces;
mod table;

use std::{
    env, fs,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    process::Command,
};

use brute_prompts::PromptErrorKind;
use tempfile::TempDir;

use self::{
    surfaces::{by_option, seen},
    table::{BY_OPTION, CELLS},
};

/// What is odd about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    Missing,
    Empty,
    Blank,
    NotUtf8,
    Mark,
    Crlf,
    Folder,
    Denied,
    LinkLoop,
    OverBudget,
    Duplicate,
    TemplateError,
    LinkInside,
    LinkOutside,
    UnknownModel,
}

impl Input {
    const ALL: [Self; 15] = [
        Self::Missing,
        Self::Empty,
        Self::Blank,
        Self::NotUtf8,
        Self::Mark,
        Self::Crlf,
        Self::Folder,
        Self::Denied,
        Self::LinkLoop,
        Self::OverBudget,
        Self::Duplicate,
        Self::TemplateError,
        Self::LinkInside,
        Self::LinkOutside,
        Self::UnknownModel,
    ];
}

/// By which way a file comes into a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Surface {
    /// The words of a module, in a folder that lies over those that ship.
    Words,
    /// `AGENTS.md` of a project.
    Instructions,
    /// `AGENTS.md` of an agent's workspace.
    Workspace,
    /// `SKILL.md` of a project.
    Skill,
    /// `SYSTEM.md` of a project, with another one at home.
    PromptFile,
    /// `@file` in the prompt of a user who gave a label, too.
    Reference,
}

impl Surface {
    const ALL: [Self; 6] = [
        Self::Words,
        Self::Instructions,
        Self::Workspace,
        Self::Skill,
        Self::PromptFile,
        Self::Reference,
    ];
}

/// What becomes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// There is no such file, or no such rule, on this surface.
    NotApplicable,
    /// Nothing of it stands in the prompt.
    Omitted,
    /// This stands in the prompt.
    Says(&'static str),
    /// A line in the prompt tells that the file is missing.
    Marker,
    /// It stands there in part, and the prompt says so.
    Cut,
    /// It stands there whole, however long it is.
    Whole,
    /// The next candidate stands in for it.
    Next,
    /// The label of the prompt stands in for it.
    Label,
    /// Stack and words are those for models that nobody knows.
    DefaultStack,
    /// An error that names the file.
    Error(PromptErrorKind),
    /// An error that leaves the user to search for the file.
    Nameless(PromptErrorKind),
}

/// What became of a file, and the kinds of what was told about it.
type Seen = (Outcome, &'static str);

#[test]
fn every_cell_has_the_outcome_that_the_table_names() {
    if !files_can_be_closed() {
        return run_as_somebody_else("every_cell_has_the_outcome_that_the_table_names");
    }
    let applicable = CELLS.iter().filter(|cell| cell.2 != Outcome::NotApplicable);
    let failures: Vec<_> = applicable
        .filter_map(|&(input, surface, outcome, told)| {
            let seen = seen(input, surface);
            let differs = seen != (outcome, told);
            differs.then(|| {
                format!("{input:?} / {surface:?}: {seen:?} instead of {:?}", (outcome, told))
            })
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_table_holds_every_cell_once() {
    for input in Input::ALL {
        for surface in Surface::ALL {
            let cells = CELLS.iter().filter(|cell| (cell.0, cell.1) == (input, surface)).count();
            assert_eq!(cells, 1, "{input:?} / {surface:?}");
        }
    }
    assert_eq!(CELLS.len(), Input::ALL.len() * Surface::ALL.len());
}

#[test]
fn an_option_of_the_host_changes_some_cells() {
    for &(input, surface, outcome, told) in BY_OPTION {
        assert_eq!(by_option(input, surface), (outcome, told), "{input:?} / {surface:?}");
    }
}

/// Returns false for the superuser, to whom no file is closed.
fn files_can_be_closed() -> bool {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("closed");
    fs::write(&path, "secret").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    fs::read(path).is_err()
}

/// Runs one test of this program again as a user who owns nothing.
fn run_as_somebody_else(test: &str) {
    let folder = TempDir::new().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let program = folder.path().join("test");
    fs::copy(env::current_exe().unwrap(), &program).unwrap();
    let mut again = Command::new(program);
    again.args(["--exact", test]).current_dir(folder.path()).env("TMPDIR", folder.path());
    let output = again.uid(65_534).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
