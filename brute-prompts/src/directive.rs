//! What an answer says to the program that runs the stages: how it went, and where to go next.
//!
//! ```
//! use brute_prompts::{directive::Directive, preamble::Outcome};
//!
//! let answer = "The tests fail.\n\n{\"outcome\": \"failed\", \"failure_reason\": \"2 of 9\"}";
//! let directive = Directive::find(answer).unwrap();
//! assert_eq!(directive.outcome, Some(Outcome::Failed));
//! assert_eq!(directive.failure_reason.as_deref(), Some("2 of 9"));
//! ```

mod updates;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use self::updates::{context_updates, simulated_response};
use crate::preamble::Outcome;

/// The keys that make an object a directive.
const KEYS: [&str; 5] =
    ["outcome", "failure_reason", "preferred_next_label", "suggested_next_ids", "context_updates"];

/// What an answer says to the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Directive {
    /// How the stage ended, if the answer uses a word that is known.
    pub outcome: Option<Outcome>,
    /// Why it failed; only where it did.
    pub failure_reason: Option<String>,
    /// The label of the transition that should be taken.
    pub preferred_next_label: Option<String>,
    /// The stages that should come next.
    pub suggested_next_ids: Vec<String>,
    /// Values for the context of the run.
    pub context_updates: Map<String, Value>,
}

impl Directive {
    /// Finds the last JSON object of an answer that holds any key of a directive.
    ///
    /// The object may stand anywhere in the text. What has another type than it should is ignored,
    /// and so are other keys, objects inside of objects, and objects that are not well formed.
    pub fn find(answer: &str) -> Option<Self> {
        let objects =
            objects(answer).filter(|object| KEYS.iter().any(|key| object.contains_key(*key)));
        objects.last().map(Self::read)
    }

    fn read(mut object: Map<String, Value>) -> Self {
        let outcome = object.get("outcome").and_then(Value::as_str);
        let outcome = outcome.and_then(|word| word.parse().ok());
        let reason = text(object.remove("failure_reason"));
        Self {
            outcome,
            failure_reason: reason.filter(|_| outcome == Some(Outcome::Failed)),
            preferred_next_label: text(object.remove("preferred_next_label")),
            suggested_next_ids: texts(object.remove("suggested_next_ids")),
            context_updates: members(object.remove("context_updates")),
        }
    }
}

fn members(value: Option<Value>) -> Map<String, Value> {
    match value {
        Some(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

fn text(value: Option<Value>) -> Option<String> {
    match value {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

fn texts(value: Option<Value>) -> Vec<String> {
    match value {
        Some(Value::Array(values)) => values.into_iter().filter_map(|it| text(Some(it))).collect(),
        _ => Vec::new(),
    }
}

/// Iterates over the outermost JSON objects of a text.
///
/// The reader gives up at the first character that cannot be, and at a depth that no answer needs,
/// so the time stays in proportion to the text, whatever stands in it.
fn objects(text: &str) -> impl Iterator<Item = Map<String, Value>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[rest.find('{')?..];
            let mut objects = serde_json::Deserializer::from_str(rest).into_iter();
            let object = objects.next();
            let end = objects.byte_offset();
            if let Some(Ok(object)) = object {
                rest = &rest[end..];
                return Some(object);
            }
            rest = &rest[1..];
        }
    })
}
