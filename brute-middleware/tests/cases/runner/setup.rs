//! Creates the files of a case.

use std::{fs, io, path::Path};

use base64::{Engine, prelude::BASE64_STANDARD};
use tower::BoxError;

use super::{
    case::{Content, Part, Setup},
    git,
};

/// Creates everything in the root, in the order that the format asks for.
pub(crate) fn build(setup: &Setup, root: &Path) -> Result<(), BoxError> {
    for folder in &setup.dirs {
        fs::create_dir_all(root.join(folder)).map_err(|error| failed(folder, &error))?;
    }
    for (path, content) in &setup.files {
        write(&root.join(path), &bytes(content)?).map_err(|error| failed(path, &error))?;
    }
    for (path, target) in &setup.symlinks {
        link(&root.join(path), Path::new(target)).map_err(|error| failed(path, &error))?;
    }
    setup.git.iter().try_for_each(|step| git::take(step, root))
}

/// Writes a file and the folders that it lies in.
pub(crate) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    create_parent(path)?;
    fs::write(path, content)
}

fn create_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

fn failed(path: &str, error: &io::Error) -> BoxError {
    format!("cannot create {path}: {error}").into()
}

fn bytes(content: &Content) -> Result<Vec<u8>, BoxError> {
    match content {
        Content::Text(text) => Ok(text.as_bytes().to_vec()),
        Content::Bytes { base64 } => {
            BASE64_STANDARD.decode(base64).map_err(|error| error.to_string().into())
        }
        Content::Parts { parts } => Ok(parts.iter().map(part).collect::<String>().into_bytes()),
    }
}

fn part(part: &Part) -> String {
    match part {
        Part::Text(text) => text.clone(),
        Part::Repeated { repeat, times } => repeat.repeat(*times),
    }
}

#[cfg(unix)]
fn link(path: &Path, target: &Path) -> io::Result<()> {
    create_parent(path)?;
    std::os::unix::fs::symlink(target, path)
}

#[cfg(windows)]
fn link(path: &Path, target: &Path) -> io::Result<()> {
    create_parent(path)?;
    match path.parent().is_some_and(|folder| folder.join(target).is_dir()) {
        true => std::os::windows::fs::symlink_dir(target, path),
        false => std::os::windows::fs::symlink_file(target, path),
    }
}
