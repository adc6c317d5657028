//! Which folders are looked into.

use std::path::{Path, PathBuf};

use super::{InstructionOptions, InstructionWalk};
use crate::gather::repository_root;

/// The folders of a project, and the place that links of its files should not leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Walk {
    pub(super) folders: Vec<PathBuf>,
    pub(super) root: PathBuf,
}

/// Returns the folders from the root down to the working directory.
///
/// Without a root only the directory is looked into; where the directory lies outside the root
/// that the host gave, only the root is.
pub(super) fn walk(cwd: &Path, options: &InstructionOptions) -> Walk {
    let root = options.root.clone().or_else(|| repository_root(cwd));
    let root = root.unwrap_or_else(|| cwd.to_path_buf());
    let folders = match options.walk {
        InstructionWalk::WorkspaceOnly => vec![root.clone()],
        InstructionWalk::RootToCwd => between(&root, cwd),
    };
    Walk { folders, root }
}

fn between(root: &Path, cwd: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = cwd
        .ancestors()
        .take_while(|folder| folder.starts_with(root))
        .map(Path::to_path_buf)
        .collect();
    if folders.is_empty() {
        folders.push(root.to_path_buf());
    }
    folders.reverse();
    folders
}
