//! A folder for one cell, and how an odd file is made in it.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use crate::Input;

/// A folder with a project, an agent's home and something outside of both.
pub(crate) struct Disk(TempDir);

impl Disk {
    /// Lays the input at a path; without an oddity the file would say `sound`.
    pub(crate) fn with(input: Input, path: &str, sound: &str) -> Self {
        let disk = Self(TempDir::new().unwrap());
        disk.lay(input, path, sound);
        disk
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn lay(&self, input: Input, path: &str, sound: &str) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        match input {
            Input::Missing => {}
            Input::Empty => self.write(path, ""),
            Input::Blank => self.write(path, " \n\t\n"),
            Input::NotUtf8 => self.write(path, [sound.as_bytes(), b"\xe9"].concat()),
            Input::Mark => self.write(path, format!("\u{feff}{sound}")),
            Input::Crlf => self.write(path, sound.replace('\n', "\r\n")),
            Input::Folder => self.write(&format!("{path}/note.md"), sound),
            Input::Denied => self.close(path, sound),
            Input::LinkLoop => self.link(path, Path::new(path).file_name().unwrap()),
            Input::TemplateError => self.write(path, format!("{sound} {{{{ gaol }}}}")),
            Input::LinkInside => self.lay_link(path, &beside(path), sound),
            Input::LinkOutside => self.lay_link(path, "outside/real.md", sound),
            Input::OverBudget | Input::Duplicate | Input::UnknownModel => self.write(path, sound),
        }
    }

    fn close(&self, path: &str, sound: &str) {
        self.write(path, sound);
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(0o000)).unwrap();
    }

    fn lay_link(&self, path: &str, target: &str, sound: &str) {
        self.write(target, sound);
        self.link(path, self.path(target));
    }

    fn link(&self, path: &str, target: impl AsRef<Path>) {
        symlink(target, self.path(path)).unwrap();
    }
}

/// Returns the path of another file in the folder of a file.
fn beside(path: &str) -> String {
    format!("{}/real.md", path.rsplit_once('/').unwrap().0)
}
