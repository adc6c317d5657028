//! The file that a session goes on from and is kept in.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use brute_core::Session;
use tower::BoxError;

use crate::{folder, own_file};

/// A file with a session, or the place for one.
#[derive(Clone, Debug)]
pub(super) struct SessionFile {
    path: PathBuf,
    text: Option<String>,
}

impl SessionFile {
    /// Reads the file, if there is one, and checks that it can be written.
    ///
    /// # Errors
    /// Fails where it cannot be read or replaced, and names it.
    pub(super) fn open(path: &Path) -> Result<Self, BoxError> {
        Self::read(path).map_err(|error| {
            format!("cannot keep the session in {}: {error}", folder::shown(path)).into()
        })
    }

    fn read(path: &Path) -> io::Result<Self> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            text => Some(text?),
        };
        let path = own_file::place(path)?;
        // Better to hear it now than after a turn.
        own_file::check(&path)?;
        Ok(Self { path, text })
    }

    /// Returns the session that the file holds, or a new one.
    ///
    /// # Errors
    /// Fails where it holds something else.
    pub(super) fn session(&self) -> Result<Session, BoxError> {
        let Some(text) = &self.text else { return Ok(Session::new()) };
        Session::from_json(text).map_err(|error| {
            let file = folder::shown(&self.path);
            format!("cannot go on from {file}, which stays as it is: {error}").into()
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts a session in the place of what the file holds, at once or not at all.
    ///
    /// # Errors
    /// Fails where it cannot be written, and names the file.
    pub(super) fn write(&self, session: &Session) -> Result<(), BoxError> {
        let text = session.to_json()?;
        own_file::replace(&self.path, &text)
            .map_err(|error| format!("cannot write {}: {error}", folder::shown(&self.path)).into())
    }
}
