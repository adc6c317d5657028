//! The way of one call: what rig encoded goes out with our marks and headers, and what comes back
//! is watched.

use std::sync::Arc;

use futures::StreamExt;
use http::{HeaderName, HeaderValue, Uri};
use rig_core::{
    driver::{Exchange, Opening, Transport},
    wire::{Body, Encoded, Wire, WireFrame},
};

use super::{call_ids::CallIds, marks::Marks, patient::Patient, request::Prepared};
use crate::models::{
    CacheTime,
    provider::{Family, Key, Provider},
};

/// The header that a key of Google goes in.
const GOOGLE_KEY: HeaderName = HeaderName::from_static("x-goog-api-key");

/// What belongs to one call beside its request.
pub(super) struct Call {
    /// The ids of the tool calls that the reply opens, in order.
    pub(super) ids: CallIds,
    headers: Vec<(HeaderName, HeaderValue)>,
    key: Option<Key>,
    is_google: bool,
    marks: Option<Marks>,
}

impl Call {
    pub(super) fn new(provider: &Provider, prepared: &Prepared) -> Self {
        let takes_marks = provider.family == Family::Anthropic && provider.cache != CacheTime::Off;
        Self {
            ids: CallIds::default(),
            headers: provider.headers.clone(),
            key: provider.key.clone(),
            is_google: provider.family == Family::Google,
            marks: takes_marks.then(|| prepared.marks(provider.cache == CacheTime::Long)).flatten(),
        }
    }

    fn dress(&self, request: &mut http::Request<Body>) {
        for (name, value) in &self.headers {
            request.headers_mut().insert(name, value.clone());
        }
        if let Some(key) = &self.key {
            self.hide(key, request);
        }
        if let (Some(marks), Body::Bytes(bytes)) = (&self.marks, request.body())
            && let Some(marked) = marks.put_into(bytes)
        {
            *request.body_mut() = Body::Bytes(marked);
        }
    }

    /// Sees to it that the key stands in a header, which nothing shows.
    fn hide(&self, key: &Key, request: &mut http::Request<Body>) {
        if self.is_google {
            key_to_header(request, key);
        }
        for value in request.headers_mut().values_mut() {
            let holds_key = String::from_utf8_lossy(value.as_bytes()).contains(key.expose());
            value.set_sensitive(holds_key || value.is_sensitive());
        }
    }
}

/// Moves the key of Google from the address, where it is empty, into a header.
fn key_to_header(request: &mut http::Request<Body>, key: &Key) {
    let address = request.uri().to_string();
    let bare = address.strip_suffix("&key=").or_else(|| address.strip_suffix("?key="));
    if let Some(bare) = bare.and_then(|bare| bare.parse::<Uri>().ok()) {
        *request.uri_mut() = bare;
    }
    if let Ok(value) = HeaderValue::from_str(key.expose()) {
        request.headers_mut().insert(GOOGLE_KEY, value);
    }
}

/// The way of one call to the provider and back.
#[derive(Clone)]
pub(super) struct Line {
    http: Patient,
    call: Arc<Call>,
}

impl Line {
    pub(super) fn new(http: Patient, call: Arc<Call>) -> Self {
        Self { http, call }
    }
}

impl<W> Transport<W> for Line
where
    W: Wire<Payload = Encoded, Frame = WireFrame>,
{
    fn send(&self, mut payload: Encoded, exchange: Exchange) -> Opening<WireFrame> {
        self.call.dress(&mut payload.request);
        let opening = Transport::<W>::send(&self.http, payload, exchange);
        let call = self.call.clone();
        Opening::new(async move {
            Ok(opening.await?.map_frames(move |frames| {
                frames.inspect(move |frame| {
                    if let Ok(frame) = frame {
                        call.ids.watch(&frame.as_str());
                    }
                })
            }))
        })
    }
}
