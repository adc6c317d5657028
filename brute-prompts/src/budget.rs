//! How much of the files goes into a prompt, and how a text is cut that does not fit.

use serde::{Deserialize, Serialize};

/// In what a budget is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Bytes of UTF-8.
    Bytes,
    /// Characters.
    Chars,
}

/// How a text is cut that does not fit. A cut falls between characters and leaves a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutStyle {
    /// Its beginning is kept; the marker follows.
    Head,
    /// Three quarters from its beginning and a quarter from its end are kept, the marker between.
    HeadTail,
    /// Nothing of it is kept.
    Refuse,
}

/// How much of a number of files goes into a prompt; the markers count.
///
/// # Example
///
/// ```
/// use brute_prompts::Budget;
///
/// let budget = Budget { total: 16_384, ..Budget::INSTRUCTIONS };
/// assert_eq!(budget.per_file, usize::MAX);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// The most that one file may take.
    pub per_file: usize,
    /// The most that all files together may take.
    pub total: usize,
    /// In what both are counted.
    pub unit: Unit,
    /// How a file is cut that does not fit.
    pub cut: CutStyle,
    /// The least that must be left for a file to be begun.
    pub floor: usize,
}

impl Budget {
    /// The budget of instruction files: 32,768 bytes in all.
    pub const INSTRUCTIONS: Self = Self {
        per_file: usize::MAX,
        total: 32_768,
        unit: Unit::Bytes,
        cut: CutStyle::Head,
        floor: 1,
    };

    /// The budget of instruction files that are read again after a compaction: 8,192 bytes in all.
    pub const REREAD: Self = Self { total: 8_192, ..Self::INSTRUCTIONS };

    /// The budget of workspace files: 12,000 characters a file, 60,000 in all.
    pub const WORKSPACE: Self = Self {
        per_file: 12_000,
        total: 60_000,
        unit: Unit::Chars,
        cut: CutStyle::HeadTail,
        floor: 64,
    };

    /// Takes the limits from a configuration, where a number that is no limit means the default.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::Budget;
    ///
    /// let budget = Budget::WORKSPACE.configured(Some(8_000.9), Some(-1.0));
    /// assert_eq!((budget.per_file, budget.total), (8_000, 60_000));
    /// ```
    #[must_use]
    pub fn configured(self, per_file: Option<f64>, total: Option<f64>) -> Self {
        Self {
            per_file: limit(per_file).unwrap_or(self.per_file),
            total: limit(total).unwrap_or(self.total),
            ..self
        }
    }
}

/// Returns the number without its fraction, unless it is no limit.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what is too large for the type becomes its largest value"
)]
fn limit(number: Option<f64>) -> Option<usize> {
    number.filter(|number| number.is_finite() && *number >= 1.0).map(|number| number as usize)
}

/// What a limit was that cut a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutCause {
    /// The file was longer than one file may be.
    PerFileLimit,
    /// The file was longer than what the files before it had left.
    TotalLimit,
}

/// How much of a text a cut keeps, for the marker to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) head: usize,
    pub(crate) tail: usize,
    pub(crate) total: usize,
}

/// What the budget gave for a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    Whole,
    Cut(String, Vec<CutCause>),
    Nothing,
}

/// A budget while it is spent, from the first file to the last.
#[derive(Clone, Debug)]
pub(crate) struct Purse {
    budget: Budget,
    left: usize,
}

impl Purse {
    pub(crate) fn new(budget: Budget) -> Self {
        Self { budget, left: budget.total }
    }

    /// Returns how much is left.
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// Spends what the text takes. Once the total has cut a file, nothing is left for the others.
    pub(crate) fn take(&mut self, text: &str, marker: impl Fn(Kept) -> String) -> Share {
        let (budget, left) = (self.budget, self.left);
        if left < budget.floor.max(1) {
            self.left = 0;
            return Share::Nothing;
        }
        let (size, limit) = (budget.unit.size(text), budget.per_file.min(left));
        if size <= limit {
            self.left -= size;
            return Share::Whole;
        }
        if budget.cut == CutStyle::Refuse {
            return Share::Nothing;
        }
        let cut = budget.cut(text, limit, marker);
        self.left = if left <= budget.per_file { 0 } else { left - budget.unit.size(&cut) };
        if cut.trim().is_empty() {
            return Share::Nothing;
        }
        Share::Cut(cut, causes(budget.per_file, left, size))
    }
}

fn causes(per_file: usize, left: usize, size: usize) -> Vec<CutCause> {
    let by_file = (size > per_file).then_some(CutCause::PerFileLimit);
    let by_total = (size.min(per_file) > left).then_some(CutCause::TotalLimit);
    by_file.into_iter().chain(by_total).collect()
}

impl Unit {
    /// Returns the size of a text.
    pub(crate) fn size(self, text: &str) -> usize {
        match self {
            Self::Bytes => text.len(),
            Self::Chars => text.chars().count(),
        }
    }

    /// Returns the longest beginning of the text within the limit.
    pub(crate) fn head(self, text: &str, limit: usize) -> &str {
        &text[..self.offset(text, limit)]
    }

    /// Returns the longest end of the text within the limit; `size` is the size of the text.
    fn tail(self, text: &str, size: usize, limit: usize) -> &str {
        let skipped = size.saturating_sub(limit);
        match self {
            Self::Bytes => &text[text.ceil_char_boundary(skipped)..],
            Self::Chars => &text[self.offset(text, skipped)..],
        }
    }

    fn offset(self, text: &str, limit: usize) -> usize {
        match self {
            Self::Bytes => text.floor_char_boundary(limit),
            Self::Chars => text.char_indices().nth(limit).map_or(text.len(), |(at, _)| at),
        }
    }
}

impl Budget {
    /// Cuts a text that is longer than the limit; the marker is part of what the limit allows.
    fn cut(self, text: &str, limit: usize, marker: impl Fn(Kept) -> String) -> String {
        let (unit, total) = (self.unit, self.unit.size(text));
        let widest = marker(Kept { head: total, tail: total, total });
        let room = limit.saturating_sub(unit.size(&widest));
        match self.cut {
            CutStyle::HeadTail if room == 0 => clamp(unit, text, limit),
            CutStyle::HeadTail => {
                let tail = room / 4;
                let head = room - tail;
                let marker = marker(Kept { head, tail, total });
                format!("{}{marker}{}", unit.head(text, head), unit.tail(text, total, tail))
            }
            CutStyle::Head | CutStyle::Refuse => {
                let marker = marker(Kept { head: room, tail: 0, total });
                format!("{}{}", unit.head(text, room), unit.head(&marker, limit))
            }
        }
    }
}

/// Cuts a text for which there is not even room for a marker.
fn clamp(unit: Unit, text: &str, limit: usize) -> String {
    let ellipsis = "…";
    if limit <= 3 {
        return unit.head(text, limit).to_owned();
    }
    format!("{}{ellipsis}", unit.head(text, limit - unit.size(ellipsis)))
}
