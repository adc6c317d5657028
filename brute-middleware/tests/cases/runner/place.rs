//! The empty directory in which a case takes place.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use tempfile::TempDir;
use tower::BoxError;

/// A fresh directory outside any repository, gone when it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    /// Fully resolved.
    root: PathBuf,
    _directory: TempDir,
}

impl Place {
    /// Creates the directory.
    pub(crate) fn new() -> Result<Self, BoxError> {
        let directory = tempfile::Builder::new().prefix("case-").tempdir_in(free_folder()?)?;
        Ok(Self { root: directory.path().canonicalize()?, _directory: directory })
    }

    /// Returns the directory.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Tells whether the machine has what a case needs.
    pub(crate) fn has(&self, need: &str) -> Result<bool, BoxError> {
        match need {
            "case_sensitive_fs" => Ok(self.tells_cases_apart()?),
            _ => Err(format!("the runner does not know the need `{need}`").into()),
        }
    }

    fn tells_cases_apart(&self) -> io::Result<bool> {
        let probe = tempfile::tempdir_in(&self.root)?;
        fs::write(probe.path().join("name"), "")?;
        Ok(!probe.path().join("NAME").exists())
    }
}

/// Returns a folder for temporary files above which there is no repository.
fn free_folder() -> Result<PathBuf, BoxError> {
    let candidates = [env::temp_dir(), "/tmp".into(), "/var/tmp".into()];
    let resolved = candidates.iter().filter_map(|folder| folder.canonicalize().ok());
    let is_free = |folder: &PathBuf| !folder.ancestors().any(|above| above.join(".git").exists());
    let mut free = resolved.filter(is_free);
    free.next().ok_or_else(|| "every folder for temporary files lies in a repository".into())
}
