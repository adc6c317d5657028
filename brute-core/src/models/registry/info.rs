//! What is known of one model.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Usage;

/// What is known of one model.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is an ability of its own")]
pub struct ModelInfo {
    /// Whether the model was found, or the defaults are assumed.
    pub is_known: bool,
    /// The most tokens that request and reply may have together.
    pub context_window: u64,
    /// The most tokens that a reply may have.
    pub max_output: u64,
    /// Until when the model's knowledge reaches, such as `2025-03`, if that is published.
    pub knowledge_cutoff: Option<Arc<str>>,
    /// What its tokens cost, if that is published.
    pub prices: Option<Prices>,
    /// Whether it can call tools.
    pub tools: bool,
    /// Whether its provider can hold its answers to a JSON Schema.
    pub schema: bool,
    /// Whether it can reason before it answers.
    pub reasoning: bool,
    /// Whether it reads images.
    pub images: bool,
    /// Whether it reads documents.
    pub documents: bool,
}

impl ModelInfo {
    /// Returns what is assumed of a model that is not known: 128,000 tokens, of which 8,192 for the
    /// reply, tools, and neither prices nor any other ability.
    pub fn unknown() -> Self {
        Self {
            is_known: false,
            context_window: 128_000,
            max_output: 8_192,
            knowledge_cutoff: None,
            prices: None,
            tools: true,
            schema: false,
            reasoning: false,
            images: false,
            documents: false,
        }
    }

    /// Returns what a usage costs in US dollars, if the prices are known.
    pub fn cost(&self, usage: &Usage) -> Option<f64> {
        self.prices.map(|prices| prices.of(usage))
    }
}

/// What tokens cost, in US dollars for a million.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prices {
    /// Of a request.
    pub input: f64,
    /// Of a reply, reasoning included.
    pub output: f64,
    /// Of a request, read from the cache; as `input` where it is not published.
    pub cache_read: Option<f64>,
    /// Of a request, written to the cache; as `input` where it is not published.
    pub cache_write: Option<f64>,
    /// Of a request, written to the cache for an hour; as `cache_write` where it is not published.
    pub cache_write_1h: Option<f64>,
}

impl Prices {
    /// Returns what a usage costs in US dollars.
    pub fn of(&self, usage: &Usage) -> f64 {
        let write = self.cache_write.unwrap_or(self.input);
        let hour = usage.cache_write_1h.min(usage.cache_write);
        [
            (usage.input, self.input),
            (usage.output, self.output),
            (usage.cache_read, self.cache_read.unwrap_or(self.input)),
            (usage.cache_write - hour, write),
            (hour, self.cache_write_1h.unwrap_or(write)),
        ]
        .into_iter()
        .map(|(tokens, price)| millions(tokens) * price)
        .sum()
    }
}

#[allow(clippy::cast_precision_loss, reason = "no bill has more than 2^52 tokens")]
fn millions(tokens: u64) -> f64 {
    tokens as f64 / 1_000_000.0
}
