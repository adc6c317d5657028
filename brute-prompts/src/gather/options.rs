//! Where and with what the facts of a session are gathered.

use std::{
    env, fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{Clock, InstructionOptions, Platform, SystemClock, WorkspaceOptions};
use crate::{
    Family,
    skill::{DiscoverOptions, Preset, SkillRoot},
};

/// Where and with what facts are gathered.
///
/// # Example
///
/// ```
/// use brute_prompts::gather::{GatherOptions, Today, gather};
///
/// let options = GatherOptions::new("/srv/app").clock(Today::parse("2026-03-05")?).without_skills();
/// let facts = gather(&options).facts;
/// assert_eq!(facts.date.as_deref(), Some("Thu Mar 05 2026"));
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone)]
pub struct GatherOptions {
    pub(super) cwd: Option<PathBuf>,
    pub(super) home: Option<PathBuf>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) platform: Platform,
    pub(super) skills: SkillSource,
    pub(super) instructions: Option<InstructionOptions>,
    pub(super) workspace: Option<(Option<PathBuf>, WorkspaceOptions)>,
}

/// Where skills are looked for.
#[derive(Clone, Debug)]
pub(super) enum SkillSource {
    Nowhere,
    Preset(Preset),
    Roots(Vec<SkillRoot>, DiscoverOptions),
}

impl GatherOptions {
    /// Gathers for this working directory.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        Self { cwd: Some(cwd.into()), ..Self::default() }
    }

    /// Gathers for this working directory instead.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }

    /// Takes this folder as the user's home.
    #[must_use]
    pub fn home(mut self, folder: impl Into<PathBuf>) -> Self {
        self.home = Some(folder.into());
        self
    }

    /// Returns the folder that is taken as the user's home.
    pub fn home_folder(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// Asks this clock for the day.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Takes this platform instead of the one of this process.
    #[must_use]
    pub fn platform(mut self, platform: Platform) -> Self {
        self.platform = platform;
        self
    }

    /// Looks for skills where this preset does.
    #[must_use]
    pub fn skill_preset(mut self, preset: Preset) -> Self {
        self.skills = SkillSource::Preset(preset);
        self
    }

    /// Looks for skills in these folders.
    #[must_use]
    pub fn skill_roots(mut self, roots: Vec<SkillRoot>, options: DiscoverOptions) -> Self {
        self.skills = SkillSource::Roots(roots, options);
        self
    }

    /// Reads instruction files by these options.
    #[must_use]
    pub fn instructions(mut self, options: InstructionOptions) -> Self {
        self.instructions = Some(options);
        self
    }

    /// Reads the instruction files of this family.
    #[must_use]
    pub fn family(mut self, family: &Family) -> Self {
        self.instructions = self.instructions.map(|options| options.family(family));
        self
    }

    /// Reads no instruction files, because the directory is not trusted or the host wants none.
    #[must_use]
    pub fn without_instructions(mut self) -> Self {
        self.instructions = None;
        self
    }

    /// Reads the files of the agent's workspace, which is this folder or else the working
    /// directory.
    #[must_use]
    pub fn workspace(mut self, root: Option<PathBuf>, options: WorkspaceOptions) -> Self {
        self.workspace = Some((root, options));
        self
    }

    /// Says which warnings about cut workspace files the model was given before.
    #[must_use]
    pub fn workspace_told(mut self, signatures: Vec<String>) -> Self {
        self.workspace = self.workspace.map(|(root, options)| (root, options.told(signatures)));
        self
    }

    /// Looks for no skills, because the host knows them or wants none.
    #[must_use]
    pub fn without_skills(mut self) -> Self {
        self.skills = SkillSource::Nowhere;
        self
    }

    /// Tells whether skills are looked for.
    pub fn looks_for_skills(&self) -> bool {
        !matches!(self.skills, SkillSource::Nowhere)
    }
}

impl Default for GatherOptions {
    fn default() -> Self {
        Self {
            cwd: None,
            home: env::home_dir(),
            clock: Arc::new(SystemClock),
            platform: Platform::current(),
            skills: SkillSource::Preset(Preset::default()),
            instructions: Some(InstructionOptions::default()),
            workspace: None,
        }
    }
}

impl fmt::Debug for GatherOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GatherOptions")
            .field("cwd", &self.cwd)
            .field("home", &self.home)
            .field("skills", &self.skills)
            .field("instructions", &self.instructions)
            .field("workspace", &self.workspace)
            .finish_non_exhaustive()
    }
}
