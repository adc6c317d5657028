//! What a model is asked, in full and as a line of a cassette holds it.

use std::{collections::BTreeMap, sync::Arc};

use brute_core::{Log, Message, Turn};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::difference::first_difference;
use crate::Secrets;

/// All that a model sees beside the messages, by name.
type Frame = BTreeMap<String, Arc<Value>>;

/// What a turn asks.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    frame: Frame,
    log: Log,
}

/// What a line holds of a request: what differs from the request before.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Request {
    #[serde(flatten)]
    frame: Frame,
    messages: Vec<Entry>,
}

/// One message, or how many are those that stood at their places in the request before.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Entry {
    Same { same: usize },
    Message(Arc<Value>),
}

/// A request that was recorded; messages that are as before are shared with the one before.
#[derive(Clone, Debug, Default)]
pub(super) struct Whole {
    frame: Frame,
    messages: Vec<Arc<Value>>,
}

impl Asked {
    pub(super) fn of(turn: &Turn) -> Self {
        let tools: Vec<_> = turn
            .tools
            .specs()
            .map(|spec| json!({ "name": *spec.name, "description": *spec.description, "parameters": *spec.parameters }))
            .collect();
        let frame = [
            ("model", turn.model.to_string().into()),
            ("settings", format!("{:?}", turn.settings).into()),
            ("tools", tools.into()),
        ];
        let frame = frame.map(|(name, value)| (name.to_owned(), Arc::new(value)));
        Self { frame: frame.into(), log: turn.log.clone() }
    }

    /// Returns what a line holds of it, behind the request before.
    pub(super) fn behind(&self, before: &Self) -> Request {
        let is_new =
            |(name, value): &(&String, &Arc<Value>)| before.frame.get(*name) != Some(value);
        let frame = self.frame.iter().filter(is_new);
        let mut messages = Vec::new();
        for (message, is_same) in self.log.iter().zip(self.same_as(before)) {
            match (is_same, messages.last_mut()) {
                (true, Some(Entry::Same { same })) => *same += 1,
                (true, _) => messages.push(Entry::Same { same: 1 }),
                (false, _) => messages.push(Entry::Message(Arc::new(said(message)))),
            }
        }
        Request {
            frame: frame.map(|(name, value)| (name.clone(), value.clone())).collect(),
            messages,
        }
    }

    /// Tells of each message whether it stood at its place in the request before.
    fn same_as(&self, before: &Self) -> impl Iterator<Item = bool> {
        let mut before = before.log.iter();
        self.log.iter().map(move |message| before.next().is_some_and(|old| is_same(old, message)))
    }
}

/// Returns what of a message its session did not give it.
fn said(message: &Message) -> Value {
    json!({ "role": message.role, "parts": message.parts })
}

/// Tells whether two messages say the same; most are one message, at which nobody has to look.
fn is_same(one: &Arc<Message>, other: &Arc<Message>) -> bool {
    Arc::ptr_eq(one, other) || (one.role == other.role && one.parts == other.parts)
}

impl Request {
    /// Returns the whole request, behind the one before.
    pub(super) fn whole(self, before: &Whole) -> Result<Whole, String> {
        let mut frame = before.frame.clone();
        frame.extend(self.frame);
        let mut messages = Vec::new();
        for entry in self.messages {
            match entry {
                Entry::Message(message) => messages.push(message),
                Entry::Same { same } => {
                    messages.extend_from_slice(before.at(messages.len(), same)?);
                }
            }
        }
        Ok(Whole { frame, messages })
    }
}

impl Whole {
    fn at(&self, start: usize, count: usize) -> Result<&[Arc<Value>], String> {
        let end = start.saturating_add(count);
        self.messages.get(start..end).ok_or_else(|| {
            let there = self.messages.len();
            format!("{count} messages from {start} on are those before, where {there} stand")
        })
    }

    /// Names the first place at which something else is asked, and what stands there in both.
    ///
    /// What is as it was in the requests before, which were equal, is not compared again.
    pub(super) fn first_difference(
        &self,
        asked: &Asked,
        before: (&Self, &Asked),
        secrets: &Secrets,
    ) -> Option<String> {
        let in_frame = asked.frame.iter().find_map(|(name, value)| {
            let value = redacted((**value).clone(), secrets);
            differs(self.frame.get(name), Some(&value), &format!("/{name}"))
        });
        in_frame.or_else(|| self.first_message(asked, before, secrets)).or_else(|| {
            let behind = asked.log.len();
            differs(self.messages.get(behind), None, &format!("/messages/{behind}"))
        })
    }

    /// Names the first message that is asked and differs.
    fn first_message(
        &self,
        asked: &Asked,
        before: (&Self, &Asked),
        secrets: &Secrets,
    ) -> Option<String> {
        let mut messages = asked.log.iter().zip(asked.same_as(before.1)).enumerate();
        messages.find_map(|(index, (message, is_same))| {
            if is_same && self.shares(before.0, index) {
                return None;
            }
            let message = redacted(said(message), secrets);
            differs(self.messages.get(index), Some(&message), &format!("/messages/{index}"))
        })
    }

    /// Tells whether a message is the one that stood at its place before.
    fn shares(&self, before: &Self, index: usize) -> bool {
        let both = self.messages.get(index).zip(before.messages.get(index));
        both.is_some_and(|(one, other)| Arc::ptr_eq(one, other))
    }
}

fn redacted(mut value: Value, secrets: &Secrets) -> Value {
    secrets.redact_value(&mut value);
    value
}

fn differs(recorded: Option<&Arc<Value>>, asked: Option<&Value>, place: &str) -> Option<String> {
    first_difference(recorded.map(|recorded| &**recorded), asked, place)
}
