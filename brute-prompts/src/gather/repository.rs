//! Whether a folder lies in a git repository.

use std::path::{Path, PathBuf};

/// Returns the root of the repository in which the folder lies: the nearest folder, itself or
/// above, that holds `.git`, be it a folder or the file of a linked work tree.
pub fn repository_root(folder: &Path) -> Option<PathBuf> {
    root_above(folder).map(Path::to_path_buf)
}

pub(super) fn root_above(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| folder.join(".git").exists())
}
