//! Replaces secrets in what is written.

use std::{fmt, sync::Arc};

use serde_json::Value;

/// What stands in the place of a secret.
const REDACTED: &str = "[redacted]";

/// Texts that must not be written; never shown.
#[derive(Clone, Default)]
pub(super) struct Secrets(Arc<Vec<String>>);

impl Secrets {
    /// Adds a secret; a blank one would match everywhere and is ignored.
    pub(super) fn add(&mut self, secret: &str) {
        if !secret.trim().is_empty() {
            Arc::make_mut(&mut self.0).push(secret.to_owned());
        }
    }

    /// Replaces all secrets in the texts and keys of a value.
    pub(super) fn redact(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.redact_text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact(item)),
            Value::Object(members) => {
                let redacted = std::mem::take(members).into_iter().map(|(mut key, mut value)| {
                    self.redact_text(&mut key);
                    self.redact(&mut value);
                    (key, value)
                });
                *members = redacted.collect();
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn redact_text(&self, text: &mut String) {
        for secret in self.0.iter().filter(|secret| !secret.is_empty()) {
            if text.contains(secret.as_str()) {
                *text = text.replace(secret.as_str(), REDACTED);
            }
        }
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.0.len())
    }
}
