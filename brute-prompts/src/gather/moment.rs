//! A day with the time of day, for those who ask for it: no prompt does.

use jiff::{ZonedDateTime, civil::Time, fmt::temporal::Pieces};

use super::{Clock, Today};
use crate::{PromptError, PromptErrorKind, TimeFormat};

/// A moment, and the time zone in which it is that day and that time.
///
/// It is a clock that stands still.
///
/// # Example
///
/// ```
/// use brute_prompts::{TimeFormat, gather::Moment};
///
/// let moment = Moment::parse("2026-03-05T14:07:00+01:00[Europe/Zurich]")?;
/// let words = "Thu Mar 05 2026, 14:07 (Europe/Zurich, UTC+01:00)";
/// assert_eq!(moment.words(TimeFormat::Hours24), words);
/// assert!(moment.words(TimeFormat::Hours12).contains(" 2:07 PM "));
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    today: Today,
    time: Time,
}

impl Moment {
    /// Reads a moment such as `2026-03-05T14:07:00+01:00[Europe/Zurich]` in its own offset; zone
    /// and offset may be missing.
    ///
    /// # Errors
    ///
    /// Fails where the text is no moment, or holds only a day.
    pub fn parse(text: &str) -> Result<Self, PromptError> {
        let today = Today::parse(text)?;
        let time = Pieces::parse(text).ok().and_then(|pieces| pieces.time());
        let time = time.ok_or_else(|| {
            let message = format!("{text:?} is a day without a time such as 14:07");
            PromptError::new(PromptErrorKind::InvalidName, message)
        })?;
        Ok(Self { today, time })
    }

    pub(super) fn of(now: &ZonedDateTime) -> Self {
        Self { today: Today::of(now), time: now.time() }
    }

    /// Returns day, time and zone; `auto` means twenty-four hours here, where no locale is known.
    pub fn words(&self, format: TimeFormat) -> String {
        let pattern = match format {
            TimeFormat::Hours12 => "%-I:%M %p",
            TimeFormat::Auto | TimeFormat::Hours24 => "%H:%M",
        };
        let (day, time) = (self.today.words(), self.time.strftime(pattern));
        format!("{day}, {time}{}", self.today.zone_words())
    }
}

impl Clock for Moment {
    fn today(&self) -> Today {
        self.today.clone()
    }

    fn now(&self) -> Option<Moment> {
        Some(self.clone())
    }
}
