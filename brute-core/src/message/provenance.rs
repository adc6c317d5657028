//! Where a message of a model came from.

use std::{io, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Part;

/// Where a message of a model came from.
///
/// What only one provider understands (native JSON, signatures) goes back to the model that made
/// it and to no other, and only while its part is as it came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The wire format, such as `anthropic.messages`.
    pub api: Arc<str>,
    /// The provider, as the wire calls it.
    pub provider: Arc<str>,
    /// The model that was asked.
    pub model: Arc<str>,
    /// What else the native parts are bound to, in the terms of the wire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Arc<str>>,
    /// The provider's name for its response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_id: Option<Arc<str>>,
    /// The provider's own report of what the call used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Arc<Value>>,
    /// A digest of each part as it came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    digests: Vec<u32>,
}

impl Provenance {
    /// Names the wire, the provider and the model.
    pub fn new(
        api: impl Into<Arc<str>>,
        provider: impl Into<Arc<str>>,
        model: impl Into<Arc<str>>,
    ) -> Self {
        Self { api: api.into(), provider: provider.into(), model: model.into(), ..Self::default() }
    }

    /// Remembers what the parts look like now.
    #[must_use]
    pub fn seal(mut self, parts: &[Part]) -> Self {
        self.digests = parts.iter().map(digest).collect();
        self
    }

    /// Tells whether a part is one of those that were [sealed](Self::seal): native JSON of a part
    /// that was edited since would say what the part does not say any more.
    pub fn holds(&self, part: &Part) -> bool {
        self.digests.contains(&digest(part))
    }
}

/// Returns a digest of what a part says, without its native JSON.
fn digest(part: &Part) -> u32 {
    let mut hash = Fnv::default();
    match part {
        Part::Text(text) => hash.say(&["text", &text.text]),
        Part::Reasoning(reasoning) => hash.say(&["reasoning", &reasoning.text]),
        Part::ToolCall(call) => {
            hash.say(&["call", &call.id, &call.name]);
            hash.say_json(&call.arguments.to_wire());
        }
        Part::Provider { native } => {
            hash.say(&["provider"]);
            hash.say_json(native);
        }
        Part::Section(section) => hash.say(&["section", &section.name, &section.text]),
        Part::Media(media) => hash.say(&["media", &media.mime]),
        Part::ToolResult(result) => hash.say(&["result", &result.call_id, &result.text]),
    }
    hash.0
}

/// The FNV-1a hash, which is the same in every version and on every machine.
struct Fnv(u32);

impl Default for Fnv {
    fn default() -> Self {
        Self(0x811c_9dc5)
    }
}

impl Fnv {
    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }

    fn say(&mut self, words: &[&str]) {
        for word in words {
            for byte in word.bytes().chain([0]) {
                self.byte(byte);
            }
        }
    }

    fn say_json(&mut self, value: &Value) {
        // Writing into a hash cannot fail, and a value that cannot be written was never read.
        drop(serde_json::to_writer(self, value));
    }
}

impl io::Write for Fnv {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            self.byte(byte);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
