//! A request that is looked for on a tape.

use std::{cell::OnceCell, collections::BTreeMap};

use brute_core::Turn;
use serde_json::Value;

use super::{
    difference::first_difference,
    request::{Asked, said},
};
use crate::Secrets;

/// What is asked, and how it would have been recorded.
pub(super) struct Sought<'a> {
    pub(super) asked: Asked,
    pub(super) frame: BTreeMap<String, Value>,
    /// Each message as it is written, once somebody has to look at it.
    pub(super) messages: Vec<OnceCell<Value>>,
    secrets: &'a Secrets,
}

impl<'a> Sought<'a> {
    pub(super) fn of(turn: &Turn, secrets: &'a Secrets) -> Self {
        let asked = Asked::of(turn);
        let frame = asked.frame.iter();
        let frame = frame.map(|(name, value)| (name.clone(), redacted((**value).clone(), secrets)));
        let messages = vec![OnceCell::new(); asked.log.len()];
        Self { frame: frame.collect(), messages, asked, secrets }
    }

    /// Returns a message as it would have been written.
    pub(super) fn message(&self, index: usize) -> &Value {
        self.messages[index].get_or_init(|| {
            let message = self.asked.log.get(index).map(|message| said(message));
            redacted(message.unwrap_or_default(), self.secrets)
        })
    }
}

fn redacted(mut value: Value, secrets: &Secrets) -> Value {
    secrets.redact_value(&mut value);
    value
}

/// Where something else is asked than was recorded.
pub(super) struct Place<'a> {
    pub(super) name: String,
    pub(super) recorded: Option<&'a Value>,
    pub(super) asked: Option<&'a Value>,
}

impl Place<'_> {
    /// Names the place more closely, and shows what stands there in both.
    pub(super) fn difference(&self) -> String {
        first_difference(self.recorded, self.asked, &self.name).unwrap_or_default()
    }
}
