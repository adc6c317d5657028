//! Finds the files that user prompts refer to.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use crate::{
    PromptError, PromptErrorKind, plain,
    user_prompt::{References, Referred, not_found},
};

/// Where `@path` is looked for: beside the file that refers to it, then where the user keeps the
/// configuration.
///
/// `@~/path` means the user's home, and nothing else. `..` may be used, and links are followed,
/// unless references are confined. Only regular files are read.
///
/// # Example
///
/// ```
/// use brute_prompts::gather::ReferenceFolders;
///
/// let folders = ReferenceFolders::beside("/srv/flows/review.toml").confined();
/// ```
#[derive(Clone, Debug)]
pub struct ReferenceFolders {
    base: PathBuf,
    config: Option<PathBuf>,
    home: Option<PathBuf>,
    confined: bool,
}

impl ReferenceFolders {
    /// Looks into this folder first, then into `~/.config/brute`.
    pub fn new(base: impl Into<PathBuf>) -> Self {
        Self { base: base.into(), config: None, home: None, confined: false }.home(env::home_dir())
    }

    /// Looks into the folder of the file that refers to others.
    pub fn beside(file: impl AsRef<Path>) -> Self {
        Self::new(file.as_ref().parent().unwrap_or(Path::new("")))
    }

    /// Takes this folder as the user's home; `None` is nowhere.
    #[must_use]
    pub fn home(mut self, folder: impl Into<Option<PathBuf>>) -> Self {
        self.home = folder.into();
        self.config = self.home.as_ref().map(|home| home.join(".config/brute"));
        self
    }

    /// Looks into this folder second; `None` is nowhere.
    #[must_use]
    pub fn config(mut self, folder: impl Into<Option<PathBuf>>) -> Self {
        self.config = folder.into();
        self
    }

    /// Refuses files that lie, once links are followed, outside of both folders.
    #[must_use]
    pub fn confined(mut self) -> Self {
        self.confined = true;
        self
    }

    /// Returns the places where the file may lie, best first.
    fn candidates(&self, path: &str) -> Vec<PathBuf> {
        let path = Path::new(path);
        if let Ok(rest) = path.strip_prefix("~") {
            return self.home.iter().map(|home| home.join(rest)).collect();
        }
        let folders = [Some(&self.base), self.config.as_ref()];
        let mut places: Vec<_> =
            folders.into_iter().flatten().map(|folder| folder.join(path)).collect();
        places.dedup();
        places
    }

    fn check_inside(&self, real: &Path) -> Result<(), PromptError> {
        let folders = [Some(&self.base), self.config.as_ref()].into_iter().flatten();
        let mut roots = folders.filter_map(|folder| in_current(folder).canonicalize().ok());
        if !self.confined || roots.any(|root| real.starts_with(root)) {
            return Ok(());
        }
        let message = "the file lies outside of the folders that references are confined to";
        Err(PromptError::new(PromptErrorKind::Outside, message).in_file(shown(real)))
    }

    fn read_file(&self, real: &Path) -> Result<Referred, PromptError> {
        self.check_inside(real)?;
        let bytes = fs::read(real).map_err(|error| unreadable(real, error))?;
        let text = String::from_utf8(bytes).map_err(|error| not_utf8(real, error))?;
        Ok(Referred::file(text, shown(real)))
    }
}

impl References for ReferenceFolders {
    fn read(&self, path: &str) -> Result<Referred, PromptError> {
        let mut tried = Vec::new();
        let mut is_nowhere = true;
        for place in self.candidates(path) {
            match regular_file(&place) {
                Ok(real) => return self.read_file(&real),
                Err(Obstacle::Failed(error)) => return Err(unreadable(&place, error)),
                Err(obstacle) => {
                    is_nowhere &= matches!(obstacle, Obstacle::Missing);
                    tried.push(format!("{} {}", shown(&place), obstacle.says()));
                }
            }
        }
        Err(nowhere(path, &tried, is_nowhere))
    }
}

/// Why there is no text at a place.
enum Obstacle {
    Missing,
    Folder,
    Special,
    Failed(io::Error),
}

impl Obstacle {
    fn says(&self) -> &'static str {
        match self {
            Self::Missing => "does not exist",
            Self::Folder => "is a folder",
            Self::Special => "is no regular file",
            Self::Failed(_) => "cannot be looked at",
        }
    }
}

/// Returns the path of the file with all links followed; whatever is no regular file, such as a
/// pipe, is not even opened, because it might never end.
fn regular_file(place: &Path) -> Result<PathBuf, Obstacle> {
    let real = in_current(place).canonicalize().map_err(obstacle)?;
    let kind = fs::metadata(&real).map_err(obstacle)?.file_type();
    if kind.is_dir() {
        return Err(Obstacle::Folder);
    }
    if kind.is_file() { Ok(real) } else { Err(Obstacle::Special) }
}

fn obstacle(error: io::Error) -> Obstacle {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Obstacle::Missing,
        _ => Obstacle::Failed(error),
    }
}

/// Returns the path with the empty one, which is that of the current folder, as `.`.
fn in_current(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

fn nowhere(path: &str, tried: &[String], is_nowhere: bool) -> PromptError {
    if tried.is_empty() {
        return not_found(path, "there is no folder to look into");
    }
    let error = not_found(path, &tried.join(", and "));
    if is_nowhere { error } else { PromptError::new(PromptErrorKind::Io, error.to_string()) }
}

fn unreadable(place: &Path, error: io::Error) -> PromptError {
    let message = format!("cannot read the file of a prompt: {error}");
    PromptError::new(PromptErrorKind::Io, message).in_file(shown(place)).caused_by(error)
}

fn not_utf8(place: &Path, error: std::string::FromUtf8Error) -> PromptError {
    PromptError::new(
        PromptErrorKind::NotUtf8,
        "the file of a prompt is not UTF-8; save it as UTF-8",
    )
    .in_file(shown(place))
    .caused_by(error)
}

fn shown(path: &Path) -> String {
    plain::visible(&path.to_string_lossy()).into_owned()
}
