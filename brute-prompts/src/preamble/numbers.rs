//! Numbers as a person says them.

/// Returns a number of tokens in short: `999`, `1.2k`, `3.5m`.
///
/// # Example
///
/// ```
/// use brute_prompts::preamble::short_count;
///
/// assert_eq!([999, 1_000, 1_234, 3_500_000].map(short_count), ["999", "1.0k", "1.2k", "3.5m"]);
/// ```
pub fn short_count(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        // From here on thousands would be rounded to `1000.0k`.
        1_000..999_950 => tenths(count, 1_000, 'k'),
        _ => tenths(count, 1_000_000, 'm'),
    }
}

fn tenths(count: u64, unit: u64, letter: char) -> String {
    let tenth = unit / 10;
    let tenths = count / tenth + u64::from(count % tenth >= tenth / 2);
    format!("{}.{}{letter}", tenths / 10, tenths % 10)
}
