//! Sends requests, and waits for answers as long as it was told to.

use std::{fmt, sync::Arc, time::Duration};

use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use http::{Request, Response};
use rig_core::http_client::{
    self, BoxedStream, HttpClientExt, LazyBody, MultipartForm, StreamingResponse,
};
use rig_core::wasm_compat::WasmCompatSend;
use rig_reqwest::{
    ReqwestClient,
    reqwest::{Client, redirect},
};
use tokio::time::{Instant, timeout, timeout_at};

use crate::{Error, ErrorKind, models::provider::Patience};

/// An HTTP client with patience; clones share their connections.
#[derive(Clone)]
pub(super) struct Patient {
    client: Arc<ReqwestClient>,
    patience: Patience,
}

impl Patient {
    pub(super) fn new(patience: Patience) -> Result<Self, Error> {
        // A redirect would carry the key to wherever the server likes.
        let client = Client::builder()
            .connect_timeout(patience.connect)
            .redirect(redirect::Policy::none())
            .build();
        let client = client.map_err(|error| {
            Error::new(ErrorKind::Other, "the http client could not be built").because(error)
        })?;
        Ok(Self { client: Arc::new(client.into()), patience })
    }
}

/// The provider was silent for too long.
#[derive(Debug)]
pub(super) struct Silence {
    what: &'static str,
    longest: Duration,
}

impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} did not come within {:?}", self.what, self.longest)
    }
}

impl std::error::Error for Silence {}

fn silence(what: &'static str, longest: Duration) -> http_client::Error {
    http_client::Error::instance(Silence { what, longest })
}

impl HttpClientExt for Patient {
    fn send<T, U>(
        &self,
        request: Request<T>,
    ) -> impl Future<Output = http_client::Result<Response<LazyBody<U>>>> + WasmCompatSend + 'static
    where
        T: Into<Bytes> + WasmCompatSend,
        U: From<Bytes> + WasmCompatSend + 'static,
    {
        self.client.send(request)
    }

    fn send_multipart<U>(
        &self,
        request: Request<MultipartForm>,
    ) -> impl Future<Output = http_client::Result<Response<LazyBody<U>>>> + WasmCompatSend + 'static
    where
        U: From<Bytes> + WasmCompatSend + 'static,
    {
        self.client.send_multipart(request)
    }

    async fn send_streaming<T>(&self, request: Request<T>) -> http_client::Result<StreamingResponse>
    where
        T: Into<Bytes> + WasmCompatSend,
    {
        let longest = self.patience.first_event;
        let until = Instant::now() + longest;
        let response = timeout_at(until, self.client.send_streaming(request)).await;
        let response = response.map_err(|_| silence("the beginning of the answer", longest))??;
        let idle = self.patience.idle;
        Ok(response.map(|body| -> BoxedStream { Box::pin(watched(body, until, longest, idle)) }))
    }
}

/// What is left of a body, and until when its next piece must come.
struct Rest {
    body: BoxedStream,
    first: Option<Instant>,
}

/// Ends a body with an error when its first or next piece is too late.
fn watched(
    body: BoxedStream,
    until: Instant,
    first: Duration,
    idle: Duration,
) -> impl Stream<Item = http_client::Result<Bytes>> + Send {
    stream::unfold(Some(Rest { body, first: Some(until) }), move |rest| async move {
        let mut rest = rest?;
        let piece = match rest.first.take() {
            Some(until) => timeout_at(until, rest.body.next())
                .await
                .map_err(|_| silence("the beginning of the answer", first)),
            None => timeout(idle, rest.body.next())
                .await
                .map_err(|_| silence("the next piece of the answer", idle)),
        };
        match piece {
            Ok(piece) => piece.map(|piece| (piece, Some(rest))),
            Err(silence) => Some((Err(silence), None)),
        }
    })
}
