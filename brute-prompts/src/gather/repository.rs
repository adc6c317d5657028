//! Whether a folder lies in a git repository.

use std::path::{Path, PathBuf};

/// Returns the root of the repository in which the folder lies: the nearest folder, itself or
/// above, that holds `.git`, be it a folder or the file of a linked work tree.
pub fn repository_root(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_path_buf)
}
