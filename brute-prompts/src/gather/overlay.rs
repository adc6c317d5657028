//! Reads a folder of words.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    PromptError, PromptErrorKind, Texts,
    text::{SourceFile, source_file},
};

/// Returns the texts with those of the folder laid over them.
pub(crate) fn overlay(texts: &Texts, folder: &Path) -> Result<Texts, PromptError> {
    let modules = entries(folder)?.into_iter().filter(|path| path.is_dir() && !is_hidden(path));
    let (mut names, mut files) = (Vec::new(), Vec::new());
    for module in modules {
        names.push(Arc::from(name(&module)?));
        let texts = entries(&module)?.into_iter().filter(|path| is_text(path));
        for path in texts {
            files.push(read(&path)?);
        }
    }
    texts.overlaid(&names, &files)
}

fn read(path: &Path) -> Result<SourceFile, PromptError> {
    let label = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| unreadable(path, error))?;
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(path, error))?;
    let module = path.parent().map(name).transpose()?.unwrap_or_default();
    let file = source_file(&format!("{module}/{}", name(path)?), &text)?;
    Ok(SourceFile { label: label.into(), ..file })
}

/// Returns what lies in the folder, sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, PromptError> {
    let paths = fs::read_dir(folder).and_then(|entries| {
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()
    });
    let mut paths = paths.map_err(|error| unreadable(folder, error))?;
    paths.sort();
    Ok(paths)
}

/// Returns true for a file with words, and also for a link that leads nowhere: it must fail, or
/// the module would lose its words without a sound.
fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "txt")
        && !is_hidden(path)
        && fs::metadata(path).map_or(true, |metadata| metadata.is_file())
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

fn name(path: &Path) -> Result<&str, PromptError> {
    let name = path.file_name().and_then(|name| name.to_str());
    name.ok_or_else(|| {
        let message = "the name of a file in a folder of words is not UTF-8";
        PromptError::new(PromptErrorKind::NotUtf8, message).in_file(path.display().to_string())
    })
}

fn unreadable(path: &Path, error: io::Error) -> PromptError {
    let message = format!("cannot read words: {error}");
    PromptError::new(PromptErrorKind::Io, message)
        .in_file(path.display().to_string())
        .caused_by(error)
}

fn not_utf8(path: &Path, error: std::string::FromUtf8Error) -> PromptError {
    PromptError::new(PromptErrorKind::NotUtf8, "a text is not UTF-8; save it as UTF-8")
        .in_file(path.display().to_string())
        .caused_by(error)
}
