//! The ids of tool calls, as soon as a stream tells them.

use std::{
    collections::{HashSet, VecDeque},
    sync::{Mutex, PoisonError},
};

use serde_json::Value;

/// Words that stand in a frame which opens a tool call.
const OPENERS: [&str; 3] = ["\"tool_use\"", "\"function_call\"", "\"tool_calls\""];

/// The ids of the tool calls that a stream has opened, in order.
///
/// rig names a call by its id only when the call is whole, and its arguments are streamed before.
#[derive(Debug, Default)]
pub(super) struct CallIds(Mutex<Ids>);

#[derive(Debug, Default)]
struct Ids {
    waiting: VecDeque<String>,
    seen: HashSet<String>,
}

impl CallIds {
    /// Looks for the beginnings of calls in a frame of the stream.
    pub(super) fn watch(&self, frame: &str) {
        if !OPENERS.iter().any(|opener| frame.contains(opener)) {
            return;
        }
        let Ok(frame) = serde_json::from_str::<Value>(frame) else { return };
        let mut ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for id in opened(&frame) {
            if !id.is_empty() && ids.seen.insert(id.to_owned()) {
                ids.waiting.push_back(id.to_owned());
            }
        }
    }

    /// Returns the id of the next call that was opened.
    pub(super) fn next(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).waiting.pop_front()
    }
}

/// Returns the ids of the calls that a frame of Anthropic, Responses or Chat Completions opens.
fn opened(frame: &Value) -> Vec<&str> {
    match frame["type"].as_str() {
        Some("content_block_start") if frame["content_block"]["type"] == "tool_use" => {
            frame["content_block"]["id"].as_str().into_iter().collect()
        }
        Some("response.output_item.added") if frame["item"]["type"] == "function_call" => {
            frame["item"]["call_id"].as_str().into_iter().collect()
        }
        _ => {
            let choices = frame["choices"].as_array().into_iter().flatten();
            let calls = choices.filter_map(|choice| choice["delta"]["tool_calls"].as_array());
            calls.flatten().filter_map(|call| call["id"].as_str()).collect()
        }
    }
}
