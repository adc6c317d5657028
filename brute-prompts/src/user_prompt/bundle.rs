//! Files that prompts refer to, kept in memory.

use std::collections::BTreeMap;

use super::{References, Referred, reference::not_found};
use crate::PromptError;

/// Files in memory, by path; for programs that carry their prompts with them.
///
/// # Example
///
/// ```
/// use brute_prompts::user_prompt::{Bundle, References};
///
/// let bundle = Bundle::new([("flows/review.md", "Review it."), ("rules.md", "Be kind.")]);
/// let beside_review = bundle.beside("flows/review.md");
/// assert_eq!(beside_review.read("../rules.md")?.text, "Be kind.");
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    files: BTreeMap<String, String>,
    folder: String,
}

impl Bundle {
    /// Keeps these files; `.` and `..` in a path are resolved, and one that leads out is dropped.
    pub fn new<P, T>(files: impl IntoIterator<Item = (P, T)>) -> Self
    where
        P: AsRef<str>,
        T: Into<String>,
    {
        let files = files.into_iter();
        let files =
            files.filter_map(|(path, text)| Some((resolved("", path.as_ref())?, text.into())));
        Self { files: files.collect(), folder: String::new() }
    }

    /// Returns the same files, looked for from the folder of the file that refers to them.
    #[must_use]
    pub fn beside(&self, file: &str) -> Self {
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        Self { files: self.files.clone(), folder: folder.to_owned() }
    }
}

impl References for Bundle {
    fn read(&self, path: &str) -> Result<Referred, PromptError> {
        let found = resolved(&self.folder, path).and_then(|path| self.files.get_key_value(&path));
        let Some((path, text)) = found else {
            return Err(not_found(path, "it is not in the bundle").with_known(self.files.keys()));
        };
        Ok(Referred::file(text, path))
    }
}

/// Returns the path without `.` and `..`, or nothing where it leads out of the bundle.
fn resolved(folder: &str, path: &str) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    if path.starts_with('/') {
        return None;
    }
    for name in folder.split('/').chain(path.split('/')) {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()?),
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}
