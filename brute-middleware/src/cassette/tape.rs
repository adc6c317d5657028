//! What a cassette holds.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use brute_core::{
    ArgumentsSoFar, Error, ErrorKind, Event, Events, Message, Reply, StopReason, Turn, Usage,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Secrets;

/// The exchanges of a file, and how many of them were replayed.
#[derive(Debug, Default)]
pub(super) struct Tape {
    exchanges: Vec<Exchange>,
    replayed: usize,
}

/// One request and its reply.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Exchange {
    request: Value,
    deltas: Vec<Delta>,
    reply: Option<Answer>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Answer {
    added: Vec<Message>,
    usage: Usage,
    stop: StopReason,
}

/// A piece of a stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Delta {
    Text(Arc<str>),
    Reasoning(Arc<str>),
    Arguments {
        call_id: Arc<str>,
        name: Arc<str>,
        delta: Arc<str>,
        /// Whether a call begins here, which may have the id of an earlier one.
        #[serde(default)]
        begins: bool,
    },
}

/// What has come of the arguments of each call, by its id.
type Calls = BTreeMap<Arc<str>, ArgumentsSoFar>;

impl Exchange {
    pub(super) fn of(turn: &Turn) -> Self {
        Self { request: request(turn), deltas: Vec::new(), reply: None }
    }

    pub(super) fn answered(&mut self, reply: &Reply, events: Vec<Event>) {
        self.deltas = events.into_iter().filter_map(Delta::of).collect();
        let added = reply.added.iter().map(|message| (**message).clone()).collect();
        self.reply = Some(Answer { added, usage: reply.usage, stop: reply.stop });
    }

    /// Streams the deltas and answers.
    pub(super) fn play(self, events: &Events) -> Result<Reply, Error> {
        let mut calls = Calls::default();
        for delta in self.deltas {
            events.emit(|| delta.into_event(&mut calls));
        }
        let answer = self.reply.ok_or_else(|| broken("an exchange without a reply"))?;
        let added = answer.added.into_iter().map(Arc::new).collect();
        Ok(Reply { added, usage: answer.usage, stop: answer.stop })
    }
}

/// Everything of a turn that a model sees.
fn request(turn: &Turn) -> Value {
    let messages: Vec<_> = turn.log.iter().map(|message| said(message)).collect();
    let tools: Vec<_> = turn
        .tools
        .specs()
        .map(|spec| json!({ "name": *spec.name, "description": *spec.description, "parameters": *spec.parameters }))
        .collect();
    json!({
        "model": turn.model.to_string(),
        "settings": format!("{:?}", turn.settings),
        "tools": tools,
        "messages": messages,
    })
}

/// A message without what its session gave it.
fn said(message: &Message) -> Value {
    json!({ "role": message.role, "parts": message.parts })
}

impl Tape {
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let read = || -> Result<Vec<Exchange>, tower::BoxError> {
            Ok(serde_json::from_str(&fs::read_to_string(path)?)?)
        };
        let exchanges = read()
            .map_err(|error| broken(&format!("{}: {error}", path.display())).because(error))?;
        Ok(Self { exchanges, replayed: 0 })
    }

    /// Adds an exchange and writes the whole.
    pub(super) fn record(
        &mut self,
        exchange: Exchange,
        secrets: &Secrets,
        path: &Path,
    ) -> Result<(), Error> {
        self.exchanges.push(exchange);
        self.write(secrets, path)
            .map_err(|error| broken(&format!("{}: {error}", path.display())).because(error))
    }

    fn write(&self, secrets: &Secrets, path: &Path) -> Result<(), tower::BoxError> {
        let mut value = serde_json::to_value(&self.exchanges)?;
        secrets.redact_value(&mut value);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        Ok(fs::write(path, serde_json::to_string_pretty(&value)?)?)
    }

    /// Returns the next exchange, if the request is the one that was recorded.
    pub(super) fn next(&mut self, turn: &Turn, secrets: &Secrets) -> Result<Exchange, Error> {
        let number = self.replayed + 1;
        let exchange = self.exchanges.get(self.replayed).cloned();
        let exchange =
            exchange.ok_or_else(|| broken(&format!("request {number} was not recorded")))?;
        let mut asked = request(turn);
        secrets.redact_value(&mut asked);
        if let Some(place) = first_difference(&exchange.request, &asked, "") {
            return Err(broken(&format!(
                "request {number} differs from the recorded one at {place}"
            )));
        }
        self.replayed = number;
        Ok(exchange)
    }
}

/// Names the first place at which two values differ, and both.
fn first_difference(recorded: &Value, asked: &Value, place: &str) -> Option<String> {
    match (recorded, asked) {
        (Value::Object(one), Value::Object(other)) if one.keys().eq(other.keys()) => {
            one.iter().find_map(|(key, value)| {
                first_difference(value, &other[key], &format!("{place}/{key}"))
            })
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            one.iter().zip(other).enumerate().find_map(|(index, (one, other))| {
                first_difference(one, other, &format!("{place}/{index}"))
            })
        }
        _ if recorded == asked => None,
        _ => Some(format!("{place}: recorded {recorded}, asked {asked}")),
    }
}

fn broken(what: &str) -> Error {
    Error::new(ErrorKind::Invalid, format!("the cassette does not fit: {what}"))
}

impl Delta {
    fn of(event: Event) -> Option<Self> {
        match event {
            Event::Text { delta } => Some(Self::Text(delta)),
            Event::Reasoning { delta } => Some(Self::Reasoning(delta)),
            Event::ToolArguments { call_id, name, delta, so_far } => {
                let begins = so_far.len() == delta.len();
                Some(Self::Arguments { call_id, name, delta, begins })
            }
            _ => None,
        }
    }

    fn into_event(self, calls: &mut Calls) -> Event {
        match self {
            Self::Text(delta) => Event::Text { delta },
            Self::Reasoning(delta) => Event::Reasoning { delta },
            Self::Arguments { call_id, name, delta, begins } => {
                let so_far = calls.entry(call_id.clone()).or_default();
                if begins {
                    *so_far = ArgumentsSoFar::default();
                }
                so_far.push(&delta);
                let so_far = so_far.clone();
                Event::ToolArguments { call_id, name, delta, so_far }
            }
        }
    }
}
