//! The folders in which skills are looked for.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{DiscoverOptions, DuplicatePolicy};

/// Where a link inside a root may lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Links {
    /// Into any of the roots of this search, or the root's own boundary; the rest is refused.
    #[default]
    Inside,
    /// Anywhere: the folder is the user's own.
    Anywhere,
}

/// One folder to look in, and how much its skills weigh.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillRoot {
    /// The folder.
    pub path: PathBuf,
    /// What skills found here say about where they come from.
    pub scope: String,
    /// Which root wins when two hold one name: the higher number, and the later root of two equals.
    pub precedence: i32,
    /// How many levels of folders are entered; 1 means direct children only. `None` is the search's own.
    pub max_depth: Option<usize>,
    /// Where links may lead.
    pub links: Links,
    /// A folder around the root, such as that of the project, into which links may lead too.
    pub boundary: Option<PathBuf>,
    /// Whether the path was named by a person: it may be a skill or a `.md` file, and must exist.
    pub explicit: bool,
    /// Whether skills from here give way to any other of the same name, upper or lower case.
    pub fallback: bool,
}

impl SkillRoot {
    /// Looks in `path`; links must stay inside.
    pub fn new(path: impl Into<PathBuf>, scope: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            scope: scope.into(),
            precedence: 0,
            max_depth: None,
            links: Links::Inside,
            boundary: None,
            explicit: false,
            fallback: false,
        }
    }

    /// Looks in a folder of the project, whose links must stay inside.
    pub fn project(path: impl Into<PathBuf>) -> Self {
        Self::new(path, "project")
    }

    /// Looks in a folder of the user, whose links may lead anywhere.
    pub fn global(path: impl Into<PathBuf>) -> Self {
        Self::new(path, "global").links(Links::Anywhere)
    }

    /// Takes a path that a person named: a skill, a `.md` file or a folder of skills.
    pub fn explicit(path: impl Into<PathBuf>) -> Self {
        Self { explicit: true, ..Self::new(path, "explicit").links(Links::Anywhere) }
    }

    /// Sets what skills found here say about where they come from.
    #[must_use]
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.scope = scope.into();
        self
    }

    /// Sets the precedence.
    #[must_use]
    pub fn precedence(mut self, precedence: i32) -> Self {
        self.precedence = precedence;
        self
    }

    /// Sets how many levels are entered.
    #[must_use]
    pub fn max_depth(mut self, levels: usize) -> Self {
        self.max_depth = Some(levels);
        self
    }

    /// Sets where links may lead.
    #[must_use]
    pub fn links(mut self, links: Links) -> Self {
        self.links = links;
        self
    }

    /// Lets links lead into a folder around the root.
    #[must_use]
    pub fn boundary(mut self, folder: impl Into<PathBuf>) -> Self {
        self.boundary = Some(folder.into());
        self
    }

    /// Makes the skills give way to any other of the same name.
    #[must_use]
    pub fn fallback(mut self) -> Self {
        self.fallback = true;
        self
    }
}

/// The folders from which a preset builds its roots; what is `None` or empty adds no root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The working directory.
    pub cwd: Option<PathBuf>,
    /// The home folder of the user.
    pub home: Option<PathBuf>,
    /// The root of the repository.
    pub git_root: Option<PathBuf>,
    /// Skills that come with the program.
    pub bundled: Option<PathBuf>,
    /// Skills that the program installed.
    pub managed: Option<PathBuf>,
    /// Skills that the program wrote itself.
    pub generated: Option<PathBuf>,
    /// Paths that a person named; `~` is expanded.
    pub extra: Vec<PathBuf>,
}

/// A customary set of roots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// Named paths, `~/.config/brute/skills`, `.brute/skills` of the working directory.
    #[default]
    Brute,
    /// Named paths, bundled, managed, `~/.agents/skills`, `.agents/skills`, `skills`.
    Agents,
    /// `~/.fabro/skills`, and of the repository `.fabro/skills` and `skills`; one level.
    Fabro,
    /// `~/.builder/skills`, `.builder/skills`, generated ones; one level, user's duplicates are kept.
    Builder,
}

impl Preset {
    /// Returns the roots, from the lowest to the highest precedence.
    pub fn roots(self, places: &Places) -> Vec<SkillRoot> {
        let roots = match self {
            Self::Brute => brute(places),
            Self::Agents => agents(places),
            Self::Fabro => fabro(places),
            Self::Builder => builder(places),
        };
        roots.into_iter().flatten().collect()
    }

    /// Returns the options that go with the roots.
    pub fn options(self) -> DiscoverOptions {
        let options = DiscoverOptions::default();
        match self {
            Self::Brute | Self::Agents => options,
            Self::Fabro => options.max_depth(1),
            Self::Builder => options.max_depth(1).duplicates(DuplicatePolicy::KeepAll),
        }
    }
}

fn brute(places: &Places) -> Vec<Option<SkillRoot>> {
    let mut roots = extra(places);
    roots.push(in_home(places, ".config/brute/skills"));
    roots.push(in_project(places.cwd.as_deref(), ".brute/skills", places));
    roots
}

fn agents(places: &Places) -> Vec<Option<SkillRoot>> {
    let mut roots = extra(places);
    roots.push(places.bundled.as_ref().map(|path| SkillRoot::global(path).scope("bundled")));
    roots.push(places.managed.as_ref().map(|path| SkillRoot::global(path).scope("managed")));
    roots.push(in_home(places, ".agents/skills"));
    roots.push(in_project(places.cwd.as_deref(), ".agents/skills", places));
    roots.push(in_project(places.cwd.as_deref(), "skills", places));
    roots
}

fn fabro(places: &Places) -> Vec<Option<SkillRoot>> {
    let git_root = places.git_root.as_deref();
    vec![
        in_home(places, ".fabro/skills"),
        in_project(git_root, ".fabro/skills", places),
        in_project(git_root, "skills", places),
    ]
}

fn builder(places: &Places) -> Vec<Option<SkillRoot>> {
    let generated = places.generated.as_ref();
    vec![
        in_home(places, ".builder/skills"),
        in_project(places.cwd.as_deref(), ".builder/skills", places),
        generated.map(|path| SkillRoot::global(path).scope("generated").fallback()),
    ]
}

fn extra(places: &Places) -> Vec<Option<SkillRoot>> {
    let path = |path: &PathBuf| SkillRoot::explicit(expand_home(path, places.home.as_deref()));
    places.extra.iter().map(path).map(Some).collect()
}

fn in_home(places: &Places, below: &str) -> Option<SkillRoot> {
    places.home.as_ref().map(|home| SkillRoot::global(home.join(below)))
}

/// Links of a project may lead to any place in its repository, or else in its directory.
fn in_project(folder: Option<&Path>, below: &str, places: &Places) -> Option<SkillRoot> {
    let folder = folder?;
    let boundary = places.git_root.as_deref().unwrap_or(folder);
    Some(SkillRoot::project(folder.join(below)).boundary(boundary))
}

fn expand_home(path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_path_buf(),
    }
}
