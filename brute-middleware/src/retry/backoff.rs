//! How long to wait before another attempt.

use std::time::Duration;

use brute_core::Error;

/// How often and after which waits something is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    /// How many times more than once.
    pub retries: u32,
    /// The wait before the second attempt; it doubles with each further one.
    pub base: Duration,
    /// The longest wait.
    pub cap: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self { retries: 2, base: Duration::from_secs(1), cap: Duration::from_mins(1) }
    }
}

impl Backoff {
    /// Returns the wait before another attempt, or nothing when there should be none.
    ///
    /// `attempts` is how many were made, from 1; `chance` lies between 0 and 1 and decides the
    /// jitter of a quarter either way.
    pub fn wait(&self, error: &Error, attempts: u32, chance: f64) -> Option<Duration> {
        if attempts > self.retries || !error.is_retryable() {
            return None;
        }
        if let Some(asked) = error.retry_after() {
            return (asked <= self.cap).then_some(asked);
        }
        let doubled = self.base.saturating_mul(1 << (attempts - 1).min(31));
        let jittered = doubled.min(self.cap).mul_f64(0.75 + chance.clamp(0.0, 1.0) / 2.0);
        Some(jittered.min(self.cap))
    }
}
