//! What git says about a repository.

use std::path::Path;

use crate::GitFacts;

/// How much of a repository's state is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GitLimits {
    /// How many lines of the status are kept.
    pub status_lines: usize,
    /// How many commits are kept.
    pub commits: usize,
    /// How many characters of one line are kept.
    pub line_chars: usize,
}

impl Default for GitLimits {
    fn default() -> Self {
        Self { status_lines: 50, commits: 10, line_chars: 200 }
    }
}

/// Asks about a repository; [`GitProgram`](super::GitProgram) asks the program `git`.
pub trait Git: Send + Sync + 'static {
    /// Returns the state of the repository in which the folder lies, or nothing where it cannot
    /// be told.
    fn state(&self, folder: &Path, limits: &GitLimits) -> Option<GitFacts>;
}

/// Returns the state of the repository in which the folder lies, cut to the limits.
///
/// It changes from call to call, so it stands in the section `git_status`, behind what is cached.
/// A folder outside a repository has none.
pub fn git_facts(git: &dyn Git, folder: &Path, limits: &GitLimits) -> Option<GitFacts> {
    super::repository_root(folder)?;
    git.state(folder, limits).map(|facts| cut(facts, limits))
}

fn cut(mut facts: GitFacts, limits: &GitLimits) -> GitFacts {
    facts.status_omitted += facts.status_lines.len().saturating_sub(limits.status_lines);
    facts.status_lines.truncate(limits.status_lines);
    facts.recent_commits.truncate(limits.commits);
    for line in facts.status_lines.iter_mut().chain(&mut facts.recent_commits) {
        cut_line(line, limits.line_chars);
    }
    facts
}

fn cut_line(line: &mut String, chars: usize) {
    if let Some((end, _)) = line.char_indices().nth(chars) {
        line.truncate(end);
        line.push('…');
    }
}
