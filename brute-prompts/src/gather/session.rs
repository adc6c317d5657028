//! What holds for a whole session.

use std::{
    env, fmt,
    path::{Path, PathBuf, absolute},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use super::{
    Clock, InstructionOptions, Platform, SystemClock, WorkspaceOptions, instructions,
    repository_root, workspace_files,
};
use crate::{
    Diagnostic, Family, InstructionFile, PromptContext, Severity, WorkspaceFiles,
    skill::{DiscoverOptions, Places, Preset, Skill, SkillRoot, discover, listed},
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
    cwd: Option<PathBuf>,
    home: Option<PathBuf>,
    clock: Arc<dyn Clock>,
    platform: Platform,
    skills: SkillSource,
    instructions: Option<InstructionOptions>,
    workspace: Option<(Option<PathBuf>, WorkspaceOptions)>,
}

/// Where skills are looked for.
#[derive(Clone, Debug)]
enum SkillSource {
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

    /// Looks for no skills, because the host knows them or wants none.
    #[must_use]
    pub fn without_skills(mut self) -> Self {
        self.skills = SkillSource::Nowhere;
        self
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

/// Facts that hold for a whole session, as plain data that can be kept with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionFacts {
    /// The working directory, absolute.
    pub cwd: Option<Arc<str>>,
    /// The operating system.
    pub platform: Option<Arc<str>>,
    /// The version of the operating system.
    pub os_version: Option<Arc<str>>,
    /// The processor.
    pub arch: Option<Arc<str>>,
    /// The name of the user's shell.
    pub shell: Option<Arc<str>>,
    /// The day, such as `Thu Mar 05 2026`.
    pub date: Option<Arc<str>>,
    /// The time zone of the day.
    pub timezone: Option<Arc<str>>,
    /// How far the time zone is from UTC on that day.
    pub utc_offset: Option<Arc<str>>,
    /// Whether the working directory lies in a git repository.
    pub is_git: Option<bool>,
    /// The skills that were found; nothing where none were looked for.
    pub skills: Option<Vec<Skill>>,
    /// The instruction files; nothing where none were looked for.
    pub instructions: Option<Arc<[InstructionFile]>>,
    /// The files of the agent's workspace; nothing where none were looked for.
    pub workspace_files: Option<Arc<WorkspaceFiles>>,
}

/// What was gathered, and what was odd on the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gathered {
    /// The facts.
    pub facts: SessionFacts,
    /// What was odd about the files.
    pub diagnostics: Vec<Diagnostic>,
    /// Which warnings about cut workspace files the model was given so far, for the next run.
    pub workspace_told: Vec<String>,
}

/// Gathers the facts of a session; it reads the disk and the clock, and fails for nothing.
pub fn gather(options: &GatherOptions) -> Gathered {
    let mut gathered = Gathered::default();
    let cwd = options.cwd.clone().or_else(|| env::current_dir().ok());
    let cwd = cwd.map(|cwd| absolute(&cwd).unwrap_or(cwd));
    gathered.take_platform(options);
    if let Some(cwd) = &cwd {
        gathered.take_folder(cwd);
    }
    gathered.take_instructions(options, cwd.as_deref());
    gathered.take_workspace(options, cwd.as_deref());
    gathered.take_skills(options, cwd);
    gathered
}

impl Gathered {
    fn take_platform(&mut self, options: &GatherOptions) {
        let (today, platform) = (options.clock.today(), options.platform.clone());
        let facts = &mut self.facts;
        facts.date = Some(today.words().into());
        facts.timezone = today.timezone().map(Into::into);
        facts.utc_offset = today.utc_offset().map(Into::into);
        facts.platform = Some(platform.name.into());
        facts.os_version = platform.os_version.map(Into::into);
        facts.arch = platform.arch.map(Into::into);
        facts.shell = platform.shell.map(Into::into);
    }

    fn take_folder(&mut self, cwd: &Path) {
        self.facts.cwd = Some(cwd.to_string_lossy().into());
        self.facts.is_git = Some(repository_root(cwd).is_some());
        if !cwd.is_dir() {
            self.diagnostics.push(Diagnostic {
                path: cwd.to_path_buf(),
                kind: "cwd_missing",
                severity: Severity::Warning,
                message: "the working directory cannot be read; create it or choose another".into(),
            });
        }
    }

    fn take_instructions(&mut self, options: &GatherOptions, cwd: Option<&Path>) {
        let (Some(cwd), Some(own)) = (cwd, &options.instructions) else {
            return;
        };
        let read = instructions(cwd, &own.clone().or_home(options.home.as_deref()));
        self.facts.instructions = Some(read.files.into());
        self.diagnostics.extend(read.diagnostics);
    }

    fn take_workspace(&mut self, options: &GatherOptions, cwd: Option<&Path>) {
        let Some((root, own)) = &options.workspace else {
            return;
        };
        let Some(root) = root.as_deref().or(cwd) else {
            return;
        };
        let workspace = workspace_files(root, own);
        self.facts.workspace_files = Some(Arc::new(workspace.files));
        self.diagnostics.extend(workspace.diagnostics);
        self.workspace_told = workspace.told;
    }

    fn take_skills(&mut self, options: &GatherOptions, cwd: Option<PathBuf>) {
        let (roots, options) = match &options.skills {
            SkillSource::Nowhere => return,
            SkillSource::Preset(preset) => {
                let places = places(options, cwd);
                (preset.roots(&places), preset.options())
            }
            SkillSource::Roots(roots, options) => (roots.clone(), options.clone()),
        };
        let discovery = discover(&roots, &options);
        self.facts.skills = Some(discovery.skills);
        self.diagnostics.extend(discovery.diagnostics);
    }
}

fn places(options: &GatherOptions, cwd: Option<PathBuf>) -> Places {
    let git_root = cwd.as_deref().and_then(repository_root);
    Places { cwd, git_root, home: options.home.clone(), ..Places::default() }
}

impl SessionFacts {
    /// Fills the fields of the context that are not set; what the host has set stays.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{PromptContext, gather::SessionFacts};
    ///
    /// let facts = SessionFacts {
    ///     cwd: Some("/srv/app".into()),
    ///     platform: Some("linux".into()),
    ///     ..SessionFacts::default()
    /// };
    /// let mut ctx = PromptContext { cwd: Some("/elsewhere".into()), ..PromptContext::default() };
    /// facts.apply(&mut ctx);
    /// assert_eq!((ctx.cwd.as_deref(), ctx.platform.as_deref()), (Some("/elsewhere"), Some("linux")));
    /// ```
    pub fn apply(&self, ctx: &mut PromptContext) {
        fill(&mut ctx.cwd, self.cwd.as_ref());
        fill(&mut ctx.platform, self.platform.as_ref());
        fill(&mut ctx.os_version, self.os_version.as_ref());
        fill(&mut ctx.arch, self.arch.as_ref());
        fill(&mut ctx.shell, self.shell.as_ref());
        fill(&mut ctx.date, self.date.as_ref());
        fill(&mut ctx.timezone, self.timezone.as_ref());
        fill(&mut ctx.utc_offset, self.utc_offset.as_ref());
        ctx.is_git = ctx.is_git.or(self.is_git);
        if ctx.instructions.is_none() {
            ctx.instructions.clone_from(&self.instructions);
        }
        if ctx.workspace_files.is_none() {
            ctx.workspace_files.clone_from(&self.workspace_files);
        }
        if ctx.skills.is_none() {
            ctx.skills = self.skills.as_ref().map(|skills| listed(skills).into());
        }
    }
}

fn fill(fact: &mut Option<Arc<str>>, gathered: Option<&Arc<str>>) {
    if fact.is_none() {
        *fact = gathered.cloned();
    }
}
