//! Paths below the user's home.

use std::path::{Path, PathBuf};

/// Returns the path with `~` as the home, or nothing where the home is not known.
pub(crate) fn expand(path: &Path, home: Option<&Path>) -> Option<PathBuf> {
    match path.strip_prefix("~") {
        Ok(rest) => home.map(|home| home.join(rest)),
        Err(_) => Some(path.to_path_buf()),
    }
}
