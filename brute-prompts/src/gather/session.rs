//! Gathers what holds for a whole session.

use std::{
    env,
    path::{Path, PathBuf, absolute},
    sync::Arc,
};

use super::{
    GatherOptions, SessionFacts, instructions, options::SkillSource, repository_root,
    workspace_files,
};
use crate::{
    Diagnostic, Severity,
    skill::{Places, discover},
};

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
