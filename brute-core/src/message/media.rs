//! Images and documents.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// An image or a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Media {
    /// The media type, such as `image/png`.
    pub mime: Arc<str>,
    /// Where the bytes are.
    pub source: MediaSource,
}

/// Where the bytes of a [`Media`] are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MediaSource {
    /// The bytes themselves, in base64.
    Base64(Arc<str>),
    /// An address that the provider fetches.
    Url(Arc<str>),
}
