//! The pieces of a stream, as a line of a cassette holds them.

use std::{collections::BTreeMap, sync::Arc};

use brute_core::{ArgumentsSoFar, Event};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Secrets;

/// A piece of a stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Delta {
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
pub(super) type Calls = BTreeMap<Arc<str>, ArgumentsSoFar>;

/// Which stream a piece belongs to; of calls under one id, each has its own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Stream {
    Text,
    Reasoning,
    Arguments(Arc<str>, usize),
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

    pub(super) fn into_event(self, calls: &mut Calls) -> Event {
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

    fn piece(&self) -> &Arc<str> {
        match self {
            Self::Text(delta) | Self::Reasoning(delta) | Self::Arguments { delta, .. } => delta,
        }
    }

    /// Puts another piece in its place, and takes secrets out of what stands beside it.
    fn redacted(self, piece: String, secrets: &Secrets) -> Self {
        let delta = piece.into();
        match self {
            Self::Text(_) => Self::Text(delta),
            Self::Reasoning(_) => Self::Reasoning(delta),
            Self::Arguments { call_id, name, begins, .. } => {
                let (call_id, name) = (secrets.redact(&call_id), secrets.redact(&name));
                Self::Arguments { call_id: call_id.into(), name: name.into(), delta, begins }
            }
        }
    }
}

/// Returns what was streamed, without secrets, in about the same pieces.
///
/// A secret may have come in many pieces, so each stream is looked through as a whole.
pub(super) fn redacted_deltas(events: Vec<Event>, secrets: &Secrets) -> Vec<Delta> {
    let deltas: Vec<_> = events.into_iter().filter_map(Delta::of).collect();
    let mut pieces = vec![String::new(); deltas.len()];
    for (stream, places) in streams(&deltas) {
        let streamed: Vec<_> = places.iter().map(|place| &**deltas[*place].piece()).collect();
        let redacted = match stream {
            Stream::Arguments(..) => redacted_arguments(&streamed, secrets),
            _ => secrets.redact_pieces(&streamed),
        };
        places.into_iter().zip(redacted).for_each(|(place, piece)| pieces[place] = piece);
    }
    let both = deltas.into_iter().zip(pieces);
    // What was a secret from end to end is part of the mark before it.
    let stays = |(delta, piece): &(Delta, String)| !piece.is_empty() || delta.piece().is_empty();
    both.filter(stays).map(|(delta, piece)| delta.redacted(piece, secrets)).collect()
}

/// Returns where the pieces of each stream stand.
fn streams(deltas: &[Delta]) -> BTreeMap<Stream, Vec<usize>> {
    let mut begun = BTreeMap::<Arc<str>, usize>::new();
    let mut streams = BTreeMap::<Stream, Vec<usize>>::new();
    for (place, delta) in deltas.iter().enumerate() {
        let stream = match delta {
            Delta::Text(_) => Stream::Text,
            Delta::Reasoning(_) => Stream::Reasoning,
            Delta::Arguments { call_id, begins, .. } => {
                let number = begun.entry(call_id.clone()).or_default();
                *number += usize::from(*begins);
                Stream::Arguments(call_id.clone(), *number)
            }
        };
        streams.entry(stream).or_default().push(place);
    }
    streams
}

/// Returns the pieces of arguments, which mean the same as those of the reply: where JSON hides a
/// secret behind escapes of its own, all of them are one piece.
fn redacted_arguments(pieces: &[&str], secrets: &Secrets) -> Vec<String> {
    let redacted = secrets.redact_pieces(pieces);
    let read = |text: String| serde_json::from_str::<Value>(&text).ok();
    let Some(said) = read(pieces.concat()) else { return redacted };
    let mut wanted = said.clone();
    secrets.redact_value(&mut wanted);
    if wanted == said && redacted == pieces || read(redacted.concat()).as_ref() == Some(&wanted) {
        return redacted;
    }
    let rest = pieces.iter().skip(1).map(|_| String::new());
    [wanted.to_string()].into_iter().chain(rest).collect()
}
