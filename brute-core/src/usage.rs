//! What a model call used.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

/// Token counts of one model call, or the sum of several; sums stop at the largest number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Tokens of the request, without those read from or written to a cache.
    pub input: u64,
    /// Tokens of the reply, reasoning included.
    pub output: u64,
    /// Tokens of the request that came from the provider's cache.
    pub cache_read: u64,
    /// Tokens of the request that were written to the provider's cache.
    pub cache_write: u64,
    /// Those of `cache_write` that the cache keeps for an hour, where the provider tells.
    pub cache_write_1h: u64,
    /// Tokens of the reply that were reasoning.
    pub reasoning: u64,
}

impl Usage {
    /// Returns all tokens of request and reply.
    pub fn total(&self) -> u64 {
        [self.cache_read, self.cache_write, self.output]
            .into_iter()
            .fold(self.input, u64::saturating_add)
    }
}

impl Add for Usage {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
        self.cache_write_1h = self.cache_write_1h.saturating_add(other.cache_write_1h);
        self.reasoning = self.reasoning.saturating_add(other.reasoning);
    }
}
