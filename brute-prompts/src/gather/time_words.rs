//! The present time in words, for a tool or a person that asks.

use std::env;

use super::{Clock, Moment};
use crate::TimeFormat;

/// The variables that name the user's locale for times, the strongest first.
const LOCALE: [&str; 3] = ["LC_ALL", "LC_TIME", "LANG"];

/// Returns the present time of the clock, such as `Thu Mar 05 2026, 14:07 (Europe/Zurich,
/// UTC+01:00)`; the day alone where the clock knows no more.
///
/// `auto` follows the locale of this process.
///
/// # Example
///
/// ```
/// use brute_prompts::{TimeFormat, gather::{Moment, time_words}};
///
/// let clock = Moment::parse("2026-03-05T14:07:00Z")?;
/// assert_eq!(time_words(&clock, TimeFormat::Hours12), "Thu Mar 05 2026, 2:07 PM (UTC)");
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
pub fn time_words(clock: &dyn Clock, format: TimeFormat) -> String {
    let Some(now) = clock.now() else {
        let today = clock.today();
        return format!("{}{}", today.words(), today.zone_words());
    };
    words(&now, format, |name| env::var(name).ok())
}

fn words(now: &Moment, format: TimeFormat, variable: impl Fn(&str) -> Option<String>) -> String {
    let set = LOCALE.into_iter().filter_map(variable).find(|locale| !locale.is_empty());
    now.words(format.resolved(set.as_deref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(variables: &[(&str, &str)], format: TimeFormat, time: &str) {
        let now = Moment::parse("2026-03-05T14:07").unwrap();
        let variable = |name: &str| {
            let set = variables.iter().find(|(other, _)| *other == name);
            set.map(|(_, value)| (*value).to_owned())
        };
        assert_eq!(words(&now, format, variable), format!("Thu Mar 05 2026, {time}"));
    }

    #[test]
    fn the_strongest_variable_that_is_set_names_the_locale() {
        check(&[], TimeFormat::Auto, "14:07");
        check(&[("LANG", "en_US.UTF-8")], TimeFormat::Auto, "2:07 PM");
        check(&[("LC_TIME", "de_DE"), ("LANG", "en_US")], TimeFormat::Auto, "14:07");
        check(&[("LC_ALL", "en_US"), ("LC_TIME", "de_DE")], TimeFormat::Auto, "2:07 PM");
        check(&[("LC_ALL", ""), ("LC_TIME", "en_US")], TimeFormat::Auto, "2:07 PM");
        check(&[("LC_ALL", "C"), ("LANG", "en_US")], TimeFormat::Auto, "14:07");
    }

    #[test]
    fn a_format_that_is_set_wins_over_the_locale() {
        check(&[("LANG", "en_US")], TimeFormat::Hours24, "14:07");
        check(&[("LANG", "de_DE")], TimeFormat::Hours12, "2:07 PM");
    }
}
