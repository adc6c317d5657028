//! Which day it is: a prompt may know the date, never the time.

use jiff::{
    ZonedDateTime,
    civil::Date,
    fmt::temporal::{Pieces, TimeZoneAnnotation, TimeZoneAnnotationKind},
    tz::Offset,
};

use super::Moment;
use crate::{PromptError, PromptErrorKind};

/// Tells which day it is, and to those who ask the time.
///
/// A [`Today`] and a [`Moment`] are clocks that stand still.
pub trait Clock: Send + Sync + 'static {
    /// Returns the day in the clock's own time zone.
    fn today(&self) -> Today;

    /// Returns the present moment; nothing unless the clock knows more than the day.
    fn now(&self) -> Option<Moment> {
        None
    }
}

/// A day, and the time zone in which it is that day.
///
/// # Example
///
/// ```
/// use brute_prompts::gather::Today;
///
/// let today = Today::parse("2026-03-05T23:30:00-08:00")?;
/// assert_eq!(today.words(), "Thu Mar 05 2026");
/// assert_eq!(today.iso(), "2026-03-05");
/// assert_eq!(today.timezone(), Some("-08:00"));
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Today {
    date: Date,
    timezone: Option<String>,
    offset: Option<String>,
}

impl Today {
    /// Reads a date such as `2026-03-05`, or a moment such as `2026-03-05T10:15:30Z` in its own
    /// offset.
    ///
    /// # Errors
    ///
    /// Fails where the text is neither.
    pub fn parse(text: &str) -> Result<Self, PromptError> {
        let pieces = Pieces::parse(text).map_err(|error| {
            let message = format!("{text:?} is not a date such as 2026-03-05");
            PromptError::new(PromptErrorKind::InvalidName, message).caused_by(error)
        })?;
        let offset = pieces.to_numeric_offset().map(offset_text);
        Ok(Self { date: pieces.date(), timezone: timezone(&pieces), offset })
    }

    pub(super) fn of(now: &ZonedDateTime) -> Self {
        Self {
            date: now.date(),
            timezone: now.time_zone().iana_name().map(str::to_owned),
            offset: Some(offset_text(now.offset())),
        }
    }

    /// Returns the day as `Thu Mar 05 2026`.
    pub fn words(&self) -> String {
        self.date.strftime("%a %b %d %Y").to_string()
    }

    /// Returns the day as `2026-03-05`.
    pub fn iso(&self) -> String {
        self.date.to_string()
    }

    /// Returns how far the time zone is from UTC on that day, such as `+01:00`.
    pub fn utc_offset(&self) -> Option<&str> {
        self.offset.as_deref()
    }

    /// Returns the name of the time zone, or its offset where it has no name.
    pub fn timezone(&self) -> Option<&str> {
        self.timezone.as_deref()
    }

    /// Returns ` (Europe/Zurich, UTC+01:00)`, or as much of it as is known.
    pub(super) fn zone_words(&self) -> String {
        let name = self.timezone().filter(|name| Some(*name) != self.utc_offset());
        match (name, self.utc_offset()) {
            (Some("UTC"), _) => " (UTC)".to_owned(),
            (Some(name), Some(offset)) => format!(" ({name}, UTC{offset})"),
            (Some(name), None) => format!(" ({name})"),
            (None, Some(offset)) => format!(" (UTC{offset})"),
            (None, None) => String::new(),
        }
    }
}

fn offset_text(offset: Offset) -> String {
    let minutes = offset.seconds() / 60;
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

fn timezone(pieces: &Pieces<'_>) -> Option<String> {
    let kind = pieces.time_zone_annotation().map(TimeZoneAnnotation::kind);
    if let Some(TimeZoneAnnotationKind::Named(name)) = kind {
        return Some(name.as_str().to_owned());
    }
    pieces.to_numeric_offset().map(offset_name)
}

fn offset_name(offset: Offset) -> String {
    if offset.seconds() / 60 == 0 { "UTC".to_owned() } else { offset_text(offset) }
}

impl Clock for Today {
    fn today(&self) -> Today {
        self.clone()
    }
}

/// The clock of this machine, in its local time zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn today(&self) -> Today {
        Today::of(&ZonedDateTime::now())
    }

    fn now(&self) -> Option<Moment> {
        Some(Moment::of(&ZonedDateTime::now()))
    }
}
