//! Marks in a request up to where the provider shall keep it in its cache.

use std::borrow::Cow;

use serde_json::{
    Value, json,
    value::{RawValue, to_raw_value},
};

use super::members::Members;

/// Where the marks of one request stand: at the end of the tools, at the edges of the system
/// prompt, and at the end of what will be there in the next request too. Four at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marks {
    /// The blocks of the system prompt that end a zone, two at most.
    pub(super) edges: Vec<usize>,
    /// How many blocks at the end are for this request only.
    pub(super) passing: usize,
    /// Whether tools and system prompt are kept for an hour.
    pub(super) long: bool,
}

impl Marks {
    /// Returns the request with its marks, or nothing if it cannot be read.
    pub(super) fn put_into(&self, request: &[u8]) -> Option<Vec<u8>> {
        let mut members: Members<'_> = serde_json::from_slice(request).ok()?;
        let prefix = mark(self.long);
        if let Some(tools) = members.get_mut("tools") {
            change(tools, |tools| mark_object(tools.last_mut()?, &prefix))?;
        }
        if let Some(system) = members.get_mut("system") {
            change(system, |blocks| {
                for &edge in self.edges.iter().take(2) {
                    blocks.get_mut(edge).and_then(|block| mark_object(block, &prefix));
                }
                Some(())
            })?;
        }
        change(members.get_mut("messages")?, |messages| self.mark_conversation(messages))?;
        Some(members.to_json())
    }

    /// Marks the last block that will be there in the next request too.
    fn mark_conversation(&self, messages: &mut [Cow<'_, RawValue>]) -> Option<()> {
        let mut passing = self.passing;
        for raw in messages.iter_mut().rev() {
            let mut message: Value = serde_json::from_str(raw.get()).ok()?;
            let blocks = message.get_mut("content")?.as_array_mut()?;
            let stays = blocks.len().saturating_sub(passing);
            passing = passing.saturating_sub(blocks.len());
            let markable = blocks[..stays].iter_mut().rev().find(|block| can_be_marked(block));
            if let Some(block) = markable.and_then(Value::as_object_mut) {
                block.insert("cache_control".into(), mark(false));
                *raw = Cow::Owned(to_raw_value(&message).ok()?);
                return Some(());
            }
        }
        Some(())
    }
}

fn mark(long: bool) -> Value {
    if long { json!({ "type": "ephemeral", "ttl": "1h" }) } else { json!({ "type": "ephemeral" }) }
}

/// Tells whether the provider takes a mark on a block; on reasoning it does not.
fn can_be_marked(block: &Value) -> bool {
    let is_blank = block["text"].as_str().is_some_and(|text| text.trim().is_empty());
    !is_blank && !matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"))
}

/// Changes a list whose items are not read.
fn change(
    raw: &mut Cow<'_, RawValue>,
    change: impl FnOnce(&mut Vec<Cow<'_, RawValue>>) -> Option<()>,
) -> Option<()> {
    let items: Vec<&RawValue> = serde_json::from_str(raw.get()).ok()?;
    let mut items: Vec<_> = items.into_iter().map(Cow::Borrowed).collect();
    change(&mut items)?;
    let changed = to_raw_value(&items).ok()?;
    *raw = Cow::Owned(changed);
    Some(())
}

fn mark_object(raw: &mut Cow<'_, RawValue>, mark: &Value) -> Option<()> {
    let mut object: Value = serde_json::from_str(raw.get()).ok()?;
    object.as_object_mut()?.insert("cache_control".into(), mark.clone());
    *raw = Cow::Owned(to_raw_value(&object).ok()?);
    Some(())
}
