//! What a model is asked, in full and as a line of a cassette holds it.

use std::{collections::BTreeMap, sync::Arc};

use brute_core::{Log, Message, Turn};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::sought::{Place, Sought};

/// All that a model sees beside the messages, by name.
type Frame = BTreeMap<String, Arc<Value>>;

/// What a turn asks.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    pub(super) frame: Frame,
    pub(super) log: Log,
}

/// What a line holds of a request: what differs from the request that it continues.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Request {
    /// The number of the exchange that it continues, where that is not the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<usize>,
    #[serde(flatten)]
    frame: Frame,
    messages: Vec<Entry>,
}

/// One message, or how many are those that stood at their places in the request that is continued.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Entry {
    Same { same: usize },
    Message(Arc<Value>),
}

/// A request that was recorded; messages that are as before are shared with the one continued.
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

    /// Returns what a line holds of it that continues another request.
    pub(super) fn behind(&self, before: &Self, after: Option<usize>) -> Request {
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
            after,
            frame: frame.map(|(name, value)| (name.clone(), value.clone())).collect(),
            messages,
        }
    }

    /// Returns how many messages are the first ones of another request, and how many of all stood
    /// at their places in it.
    pub(super) fn shared_with(&self, other: &Self) -> (usize, usize) {
        let (mut first, mut all) = (0, 0);
        for (index, is_same) in self.same_as(other).enumerate() {
            first += usize::from(is_same && first == index);
            all += usize::from(is_same);
        }
        (first, all)
    }

    /// Tells of each message whether it stood at its place in another request.
    fn same_as(&self, before: &Self) -> impl Iterator<Item = bool> {
        let mut before = before.log.iter();
        self.log.iter().map(move |message| before.next().is_some_and(|old| is_same(old, message)))
    }
}

/// Returns what of a message its session did not give it.
pub(super) fn said(message: &Message) -> Value {
    json!({ "role": message.role, "parts": message.parts })
}

/// Tells whether two messages say the same; most are one message, at which nobody has to look.
fn is_same(one: &Arc<Message>, other: &Arc<Message>) -> bool {
    Arc::ptr_eq(one, other) || (one.role == other.role && one.parts == other.parts)
}

impl Request {
    /// Returns the whole request, which continues this one.
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
            format!("{count} messages from {start} on are those continued, where {there} stand")
        })
    }

    /// Returns the first place at which something else is asked.
    ///
    /// What is as it was in the requests before, which were equal, is not compared again.
    pub(super) fn first_place<'a>(
        &'a self,
        sought: &'a Sought,
        before: Option<(&Self, &Asked)>,
    ) -> Option<Place<'a>> {
        self.first_in_frame(sought).or_else(|| self.first_message(sought, before)).or_else(|| {
            let behind = sought.messages.len();
            let recorded = self.messages.get(behind)?;
            Some(Place { name: message(behind), recorded: Some(recorded), asked: None })
        })
    }

    fn first_in_frame<'a>(&'a self, sought: &'a Sought) -> Option<Place<'a>> {
        let differs = |(name, asked): &(&String, &Value)| {
            self.frame.get(*name).is_none_or(|recorded| **recorded != **asked)
        };
        let (name, asked) = sought.frame.iter().find(differs)?;
        let recorded = self.frame.get(name).map(|recorded| &**recorded);
        Some(Place { name: format!("/{name}"), recorded, asked: Some(asked) })
    }

    fn first_message<'a>(
        &'a self,
        sought: &'a Sought,
        before: Option<(&Self, &Asked)>,
    ) -> Option<Place<'a>> {
        let mut same = before.map(|(_, asked)| sought.asked.same_as(asked));
        for index in 0..sought.messages.len() {
            let is_same = same.as_mut().and_then(Iterator::next).unwrap_or_default();
            if is_same && before.is_some_and(|(before, _)| self.shares(before, index)) {
                continue;
            }
            let recorded = self.messages.get(index).map(|recorded| &**recorded);
            let asked = Some(sought.message(index));
            if recorded != asked {
                return Some(Place { name: message(index), recorded, asked });
            }
        }
        None
    }

    /// Tells whether a message is the one that stood at its place before.
    fn shares(&self, before: &Self, index: usize) -> bool {
        let both = self.messages.get(index).zip(before.messages.get(index));
        both.is_some_and(|(one, other)| Arc::ptr_eq(one, other))
    }
}

fn message(index: usize) -> String {
    format!("/messages/{index}")
}
