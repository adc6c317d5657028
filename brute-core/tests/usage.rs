//! Usage adds up, whatever a provider counts.

use brute_core::Usage;

const SMALL: Usage =
    Usage { input: 1, output: 2, cache_read: 3, cache_write: 4, cache_write_1h: 3, reasoning: 1 };

#[test]
fn a_sum_counts_each_sort_of_token_by_itself() {
    let mut sum = SMALL + SMALL;
    sum += Usage { reasoning: 5, ..Usage::default() };
    let expected = Usage {
        input: 2,
        output: 4,
        cache_read: 6,
        cache_write: 8,
        cache_write_1h: 6,
        reasoning: 7,
    };
    assert_eq!(sum, expected);
}

#[test]
fn the_total_counts_reasoning_once_as_part_of_the_output() {
    assert_eq!(SMALL.total(), 10);
}

#[test]
fn absurd_counts_neither_panic_nor_wrap_around() {
    let [input, output, cache_read, cache_write, cache_write_1h, reasoning] = [u64::MAX; 6];
    let absurd = Usage { input, output, cache_read, cache_write, cache_write_1h, reasoning };
    assert_eq!(absurd + SMALL, absurd);
    assert_eq!(absurd.total(), u64::MAX);
}

#[test]
fn a_count_that_is_missing_is_zero() {
    let usage: Usage = serde_json::from_str(r#"{"input": 3}"#).unwrap();
    assert_eq!(usage, Usage { input: 3, ..Usage::default() });
}
