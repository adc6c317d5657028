//! Reads a provider's own JSON.

use std::sync::Arc;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Reads what is there as it is: a `null` of the provider is no missing member.
pub(super) fn native<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Arc<Value>>, D::Error> {
    Value::deserialize(deserializer).map(Arc::new).map(Some)
}
