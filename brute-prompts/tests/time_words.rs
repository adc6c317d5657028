//! The present time in words.

use brute_prompts::{
    PromptContext, SystemPrompt, TimeFormat,
    gather::{Clock, GatherOptions, Moment, SystemClock, Today, gather, time_words},
};

#[track_caller]
fn check(moment: &str, hours_24: &str, hours_12: &str) {
    let clock = Moment::parse(moment).unwrap();
    assert_eq!(time_words(&clock, TimeFormat::Hours24), hours_24);
    assert_eq!(time_words(&clock, TimeFormat::Hours12), hours_12);
}

#[test]
fn a_moment_is_told_with_its_zone() {
    check(
        "2026-03-05T14:07:59+01:00[Europe/Zurich]",
        "Thu Mar 05 2026, 14:07 (Europe/Zurich, UTC+01:00)",
        "Thu Mar 05 2026, 2:07 PM (Europe/Zurich, UTC+01:00)",
    );
}

#[test]
fn midnight_and_noon_are_twelve() {
    check(
        "2026-03-05T00:05:00Z",
        "Thu Mar 05 2026, 00:05 (UTC)",
        "Thu Mar 05 2026, 12:05 AM (UTC)",
    );
    check(
        "2026-03-05T12:00:00Z",
        "Thu Mar 05 2026, 12:00 (UTC)",
        "Thu Mar 05 2026, 12:00 PM (UTC)",
    );
}

#[test]
fn an_offset_stands_alone_where_the_zone_has_no_name() {
    check(
        "2026-03-05T09:30:00-03:30",
        "Thu Mar 05 2026, 09:30 (UTC-03:30)",
        "Thu Mar 05 2026, 9:30 AM (UTC-03:30)",
    );
    check("2026-03-05T09:30", "Thu Mar 05 2026, 09:30", "Thu Mar 05 2026, 9:30 AM");
}

#[test]
fn half_an_hour_of_an_offset_is_kept() {
    check(
        "2026-03-05T23:59:00+05:30[Asia/Kolkata]",
        "Thu Mar 05 2026, 23:59 (Asia/Kolkata, UTC+05:30)",
        "Thu Mar 05 2026, 11:59 PM (Asia/Kolkata, UTC+05:30)",
    );
}

#[test]
fn a_clock_that_knows_only_the_day_tells_the_day() {
    let clock = Today::parse("2026-03-05T14:07:00+01:00[Europe/Zurich]").unwrap();
    assert_eq!(clock.now(), None);
    let words = "Thu Mar 05 2026 (Europe/Zurich, UTC+01:00)";
    assert_eq!(time_words(&clock, TimeFormat::Auto), words);
}

#[test]
fn the_clock_of_the_machine_knows_the_time() {
    let words = time_words(&SystemClock, TimeFormat::Hours24);
    let (day, rest) = words.split_once(", ").unwrap();
    assert_eq!(day.len(), "Thu Mar 05 2026".len());
    assert_eq!(rest.as_bytes()[2], b':', "{words}");
}

#[test]
fn a_text_without_a_time_is_no_moment() {
    for text in ["2026-03-05", "14:07", "now", ""] {
        assert!(Moment::parse(text).unwrap_err().to_string().contains(text), "{text}");
    }
}

#[test]
fn a_prompt_does_not_carry_the_time_of_a_clock_that_knows_it() {
    let prompt = |moment: &str| {
        let clock = Moment::parse(moment).unwrap();
        assert_eq!(clock.now().as_ref(), Some(&clock));
        let gathered = gather(&GatherOptions::new("/").clock(clock).without_skills());
        let mut ctx = PromptContext::default();
        gathered.facts.apply(&mut ctx);
        SystemPrompt::default().prepare(&ctx).unwrap().text()
    };
    let early = prompt("2026-03-05T00:01:00Z");
    assert_eq!(early, prompt("2026-03-05T23:59:00Z"));
    assert!(early.contains("Thu Mar 05 2026") && !early.contains("00:01"));
}
