//! Which notes count as recent, and how much of them is read.

use std::{fmt, sync::Arc};

use crate::{
    Budget, Texts,
    gather::{Clock, SystemClock},
};

/// Which notes count as recent, and how much of them is read.
///
/// # Example
///
/// ```
/// use brute_prompts::{Budget, gather::{RecentNotes, Today}};
///
/// let options = RecentNotes::default()
///     .days(3)
///     .clock(Today::parse("2026-03-05")?)
///     .budget(Budget { total: 20_000, ..Budget::WORKSPACE });
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone)]
pub struct RecentNotes {
    pub(super) days: usize,
    pub(super) budget: Budget,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) texts: Texts,
}

impl Default for RecentNotes {
    fn default() -> Self {
        Self {
            days: 2,
            budget: Budget::WORKSPACE,
            clock: Arc::new(SystemClock),
            texts: Texts::default(),
        }
    }
}

impl RecentNotes {
    /// Reads the notes of this many days; days without a note do not count.
    #[must_use]
    pub fn days(mut self, days: usize) -> Self {
        self.days = days;
        self
    }

    /// Limits how much of the notes is kept; the newest day spends first.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Asks this clock for the day.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Takes the words of the markers from these texts.
    #[must_use]
    pub fn texts(mut self, texts: Texts) -> Self {
        self.texts = texts;
        self
    }
}

impl fmt::Debug for RecentNotes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecentNotes")
            .field("days", &self.days)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}
