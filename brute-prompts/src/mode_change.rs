//! Messages about a mode that begins or ends.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use crate::{PromptContext, PromptError, Section, SystemPrompt, plain};

/// A git worktree that an agent works in, or worked in.
///
/// # Example
///
/// ```
/// use brute_prompts::Worktree;
///
/// let worktree: Worktree = serde_json::from_str(r#"{"path": "/srv/app-2", "main": "/srv/app"}"#)?;
/// assert_eq!(worktree.branch, None);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worktree {
    /// The branch; nothing where the head is detached or not known.
    #[serde(default)]
    pub branch: Option<String>,
    /// The folder of the worktree, which is the working directory in it.
    #[serde(serialize_with = "shown")]
    pub path: PathBuf,
    /// The folder of the main checkout.
    #[serde(serialize_with = "shown")]
    pub main: PathBuf,
}

/// Writes a path as it is shown: what is not UTF-8 stands as replacement characters.
fn shown<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// A mode that begins or ends, which the model is told once, in a message of its own.
///
/// # Example
///
/// ```
/// use brute_prompts::{ModeChange, PromptContext, SystemPrompt};
///
/// let change: ModeChange = serde_json::from_value("leave_headless".into())?;
/// let message = SystemPrompt::default().mode_message(&change, &PromptContext::default())?;
/// assert!(message.is_some_and(|section| section.text.starts_with("# Interactive again")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModeChange {
    /// From now on nobody watches.
    EnterHeadless,
    /// The user is back.
    LeaveHeadless,
    /// From now on the agent works in this worktree.
    EnterWorktree(Worktree),
    /// The agent left this worktree for the main checkout.
    LeaveWorktree(Worktree),
}

impl ModeChange {
    /// Returns the name of the module with the words.
    fn module(&self) -> &'static str {
        match self {
            Self::EnterHeadless => "headless_enter",
            Self::LeaveHeadless => "headless_leave",
            Self::EnterWorktree(_) => "worktree_enter",
            Self::LeaveWorktree(_) => "worktree_leave",
        }
    }

    fn worktree(&self) -> Option<&Worktree> {
        match self {
            Self::EnterHeadless | Self::LeaveHeadless => None,
            Self::EnterWorktree(worktree) | Self::LeaveWorktree(worktree) => Some(worktree),
        }
    }
}

impl Worktree {
    /// Returns the worktree as texts see it, each fact on one line.
    fn value(&self) -> Value {
        let line = |path: &Path| plain::visible(&path.to_string_lossy()).into_owned();
        let branch = self.branch.as_deref().map(str::trim).filter(|branch| !branch.is_empty());
        json!({
            "branch": branch.map(plain::visible),
            "path": line(&self.path),
            "main": line(&self.main),
        })
    }
}

impl SystemPrompt {
    /// Renders what the model is told when a mode begins or ends; nothing where its text says
    /// nothing.
    ///
    /// The words lie in `headless_enter`, `headless_leave`, `worktree_enter` and `worktree_leave`.
    /// They are no part of the system message, and the same in every
    /// [`PromptMode`](crate::PromptMode).
    ///
    /// # Errors
    ///
    /// Fails where the template fails.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{ModeChange, PromptContext, SystemPrompt, Worktree};
    ///
    /// let worktree = Worktree {
    ///     branch: Some("parser".into()),
    ///     path: "/srv/app-parser".into(),
    ///     main: "/srv/app".into(),
    /// };
    /// let change = ModeChange::EnterWorktree(worktree);
    /// let message = SystemPrompt::default().mode_message(&change, &PromptContext::default())?;
    /// assert!(message.is_some_and(|section| section.text.contains("- Branch: parser")));
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn mode_message(
        &self,
        change: &ModeChange,
        ctx: &PromptContext,
    ) -> Result<Option<Section>, PromptError> {
        let facts = change.worktree().map(|worktree| ("worktree".to_owned(), worktree.value()));
        self.message(change.module(), ctx, facts.into_iter().collect())
    }
}
