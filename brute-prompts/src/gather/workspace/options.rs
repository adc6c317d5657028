//! Which files of a workspace are read, for whom, and how much of them.

use std::{fmt, sync::Arc};

use super::{Audience, WorkspaceCache, WorkspaceSource};
use crate::{Budget, Texts, WarningMode};

/// Changes what was read before it is cut.
pub(super) type Transform = dyn Fn(&mut Vec<WorkspaceSource>) + Send + Sync;

/// The order in which the files stand in the prompt; others follow by name and path.
const PROMPT_ORDER: [&str; 7] =
    ["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "TOOLS.md", "BOOTSTRAP.md", "MEMORY.md"];

/// Which files of a workspace are read, for whom, and how much of them.
///
/// # Example
///
/// ```
/// use brute_prompts::{Budget, WarningMode, gather::{Audience, WorkspaceOptions}};
///
/// let options = WorkspaceOptions::default()
///     .audience(Audience::Shared)
///     .heartbeat(false)
///     .budget(Budget::WORKSPACE.configured(Some(8_000.0), None))
///     .warnings(WarningMode::Always)
///     .pattern("packages/*/AGENTS.md");
/// ```
#[derive(Clone)]
pub struct WorkspaceOptions {
    pub(super) audience: Audience,
    pub(super) heartbeat: bool,
    pub(super) is_new: bool,
    pub(super) budget: Budget,
    pub(super) warnings: WarningMode,
    pub(super) told: Vec<String>,
    pub(super) patterns: Vec<String>,
    pub(super) order: Vec<String>,
    pub(super) transform: Option<Arc<Transform>>,
    pub(super) cache: Option<WorkspaceCache>,
    pub(super) texts: Texts,
}

impl Default for WorkspaceOptions {
    fn default() -> Self {
        Self {
            audience: Audience::default(),
            heartbeat: true,
            is_new: false,
            budget: Budget::WORKSPACE,
            warnings: WarningMode::default(),
            told: Vec::new(),
            patterns: Vec::new(),
            order: PROMPT_ORDER.map(str::to_owned).to_vec(),
            transform: None,
            cache: None,
            texts: Texts::default(),
        }
    }
}

impl WorkspaceOptions {
    /// Reads the files for these.
    #[must_use]
    pub fn audience(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }

    /// Decides whether `HEARTBEAT.md` is read.
    #[must_use]
    pub fn heartbeat(mut self, heartbeat: bool) -> Self {
        self.heartbeat = heartbeat;
        self
    }

    /// Says that the workspace is new, so that `BOOTSTRAP.md` is read.
    #[must_use]
    pub fn new_workspace(mut self, is_new: bool) -> Self {
        self.is_new = is_new;
        self
    }

    /// Limits how much of the files is kept.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Decides when the model is told that files were cut.
    #[must_use]
    pub fn warnings(mut self, mode: WarningMode) -> Self {
        self.warnings = mode;
        self
    }

    /// Says which warnings the model was given before.
    #[must_use]
    pub fn told(mut self, signatures: Vec<String>) -> Self {
        self.told = signatures;
        self
    }

    /// Reads the files that match the pattern too, such as `packages/*/AGENTS.md`.
    ///
    /// `?`, `*`, `**` and `{a,b}` have a meaning, brackets have none. The last part must be one of
    /// the [known names](super::WORKSPACE_FILES).
    #[must_use]
    pub fn pattern(mut self, pattern: impl Into<String>) -> Self {
        self.patterns.push(pattern.into());
        self
    }

    /// Puts the files of these names first in the prompt, in this order.
    #[must_use]
    pub fn prompt_order<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.order = names.into_iter().map(Into::into).collect();
        self
    }

    /// Calls the closure with what was read, before it is cut: it may change, drop or add files.
    #[must_use]
    pub fn transform<T>(mut self, transform: T) -> Self
    where
        T: Fn(&mut Vec<WorkspaceSource>) + Send + Sync + 'static,
    {
        self.transform = Some(Arc::new(transform));
        self
    }

    /// Keeps what was read in this cache, and reads only what has changed.
    #[must_use]
    pub fn cache(mut self, cache: &WorkspaceCache) -> Self {
        self.cache = Some(cache.clone());
        self
    }

    /// Takes the words of the markers from these texts.
    #[must_use]
    pub fn texts(mut self, texts: Texts) -> Self {
        self.texts = texts;
        self
    }
}

impl fmt::Debug for WorkspaceOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkspaceOptions")
            .field("audience", &self.audience)
            .field("heartbeat", &self.heartbeat)
            .field("is_new", &self.is_new)
            .field("budget", &self.budget)
            .field("warnings", &self.warnings)
            .field("patterns", &self.patterns)
            .finish_non_exhaustive()
    }
}
