//! Where prompt files and their configurations lie.

use std::path::{Path, PathBuf};

use crate::gather::repository::root_above;

/// Where prompt files and their configurations lie: in a folder of the user and in one of the
/// project, each with `SYSTEM.md` and `config.toml`.
///
/// # Example
///
/// ```
/// use std::path::Path;
///
/// use brute_prompts::gather::PromptFileOptions;
///
/// let (home, project) = (Path::new("/home/ada"), Path::new("/srv/app"));
/// let options = PromptFileOptions::brute(Some(home), Some(project)).role("explore");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptFileOptions {
    pub(super) home_folder: Option<PathBuf>,
    pub(super) workspace_folder: Option<PathBuf>,
    pub(super) home: Option<PathBuf>,
    pub(super) role: Option<String>,
    /// Where the folders lie in a home and in a project that are not known yet.
    in_home: Option<&'static str>,
    in_project: Option<&'static str>,
}

impl PromptFileOptions {
    /// Looks into `.config/brute` of the user's home and into `.brute` of the project.
    pub fn brute(home: Option<&Path>, project: Option<&Path>) -> Self {
        Self::of(".config/brute", ".brute").or_home(home).or_project(project)
    }

    /// Looks into `.builder` of both.
    pub fn builder(home: Option<&Path>, project: Option<&Path>) -> Self {
        Self::of(".builder", ".builder").or_home(home).or_project(project)
    }

    fn of(in_home: &'static str, in_project: &'static str) -> Self {
        Self { in_home: Some(in_home), in_project: Some(in_project), ..Self::default() }
    }

    /// Takes this folder as the user's home, where none was named before.
    #[must_use]
    pub fn or_home(mut self, home: Option<&Path>) -> Self {
        let inside = home.zip(self.in_home).map(|(home, folder)| home.join(folder));
        self.home_folder = self.home_folder.or(inside);
        self.home = self.home.or_else(|| home.map(Path::to_path_buf));
        self
    }

    /// Takes this folder as the project, where none was named before.
    #[must_use]
    pub fn or_project(mut self, project: Option<&Path>) -> Self {
        let inside = project.zip(self.in_project).map(|(project, folder)| project.join(folder));
        self.workspace_folder = self.workspace_folder.or(inside);
        self
    }

    /// Looks into this folder instead of one in the user's home.
    #[must_use]
    pub fn home_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.home_folder = Some(folder.into());
        self
    }

    /// Looks into this folder instead of one in the project.
    #[must_use]
    pub fn workspace_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.workspace_folder = Some(folder.into());
        self
    }

    /// Looks for the prompt of this role, which a configuration names under `subagents`.
    #[must_use]
    pub fn role(mut self, role: impl Into<String>) -> Self {
        self.role = Some(role.into());
        self
    }

    /// Returns the role whose prompt is looked for.
    pub fn role_name(&self) -> Option<&str> {
        self.role.as_deref()
    }
}

/// Returns the root of a project: the one that a session keeps, as long as the active directory
/// lies in it; else the root of the git repository; else the active directory.
///
/// # Example
///
/// ```
/// use std::path::Path;
///
/// use brute_prompts::gather::workspace_root;
///
/// let (kept, inside) = (Path::new("/srv/app"), Path::new("/srv/app/api"));
/// assert_eq!(workspace_root(Some(kept), inside), kept);
/// assert_eq!(workspace_root(Some(kept), Path::new("/srv/app-two")), Path::new("/srv/app-two"));
/// ```
pub fn workspace_root<'a>(kept: Option<&'a Path>, active: &'a Path) -> &'a Path {
    let kept = kept.filter(|root| active.starts_with(root));
    kept.or_else(|| root_above(active)).unwrap_or(active)
}
