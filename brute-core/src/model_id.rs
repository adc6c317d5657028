//! Which model of which provider.

use std::{fmt, sync::Arc};

/// The names of a provider and of one of its models; a clone is one reference count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModelId(Arc<(Box<str>, Box<str>)>);

impl ModelId {
    /// Names a model.
    pub fn new(provider: impl Into<Box<str>>, model: impl Into<Box<str>>) -> Self {
        Self(Arc::new((provider.into(), model.into())))
    }

    /// Returns the provider's name, such as `anthropic`; may be empty.
    pub fn provider(&self) -> &str {
        &self.0.0
    }

    /// Returns the model's name as the provider spells it; may be empty.
    pub fn model(&self) -> &str {
        &self.0.1
    }
}

impl Default for ModelId {
    fn default() -> Self {
        Self::new("", "")
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider(), self.model())
    }
}
