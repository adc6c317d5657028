//! What a scripted model does for one request.

use std::{mem, sync::Arc, time::Duration};

use serde_json::Value;

use crate::{
    Error, Events, Part, Reply, StopReason, Usage, models::ReplyBuilder, testing::pending,
};

/// What a scripted model does for one request: the deltas that it streams, and how it ends.
///
/// Methods add to the end: `Script::text("Let me look.").and_call("list", json!({}))`.
#[derive(Debug, Default)]
pub struct Script {
    deltas: Vec<Delta>,
    pieces: usize,
    delay: Duration,
    pending: usize,
    calls: usize,
    stop: Option<StopReason>,
    usage: Usage,
    failure: Option<Error>,
}

#[derive(Debug)]
enum Delta {
    Text(String),
    Reasoning(String),
    Call { id: Option<Arc<str>>, index: usize, name: Arc<str>, arguments: Vec<String> },
    Part(Part),
}

impl Script {
    /// Answers nothing at all.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Answers a text.
    pub fn text(text: &str) -> Self {
        Self::empty().and_text(text)
    }

    /// Calls a tool.
    pub fn call(name: &str, arguments: impl Into<Value>) -> Self {
        Self::empty().and_call(name, arguments)
    }

    /// Fails before anything is streamed.
    pub fn fail(error: Error) -> Self {
        Self::empty().and_fail(error)
    }

    /// Adds text.
    #[must_use]
    pub fn and_text(self, text: &str) -> Self {
        self.push(Delta::Text(text.to_owned()))
    }

    /// Adds reasoning.
    #[must_use]
    pub fn and_reasoning(self, text: &str) -> Self {
        self.push(Delta::Reasoning(text.to_owned()))
    }

    /// Adds a call of a tool.
    #[must_use]
    pub fn and_call(self, name: &str, arguments: impl Into<Value>) -> Self {
        let arguments = arguments.into().to_string();
        self.and_raw_call(name, [arguments.as_str()])
    }

    /// Adds a call whose arguments come in these pieces, which need not be JSON.
    #[must_use]
    pub fn and_raw_call<'a>(
        self,
        name: &str,
        arguments: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        self.add_call(None, name, arguments.into_iter().map(str::to_owned).collect())
    }

    /// Adds a call under an id of its own; other calls get `call_<request>_<index>`.
    #[must_use]
    pub fn and_call_with_id(self, id: &str, name: &str, arguments: impl Into<Value>) -> Self {
        self.add_call(Some(id.into()), name, vec![arguments.into().to_string()])
    }

    /// Adds a part as it is.
    #[must_use]
    pub fn and_part(self, part: Part) -> Self {
        self.push(Delta::Part(part))
    }

    /// Fails after what is there was streamed.
    #[must_use]
    pub fn and_fail(mut self, error: Error) -> Self {
        self.failure = Some(error);
        self
    }

    /// Streams each text in so many pieces.
    #[must_use]
    pub fn pieces(mut self, pieces: usize) -> Self {
        self.pieces = pieces;
        self
    }

    /// Waits before each delta, and before the end; needs tokio's clock.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Returns to the executor so many times before each delta, and before the end.
    #[must_use]
    pub fn pending(mut self, times: usize) -> Self {
        self.pending = times;
        self
    }

    /// Sets why the model stops; by default because of tool calls, if there are any.
    #[must_use]
    pub fn stop(mut self, stop: StopReason) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Sets what the call uses.
    #[must_use]
    pub fn usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    fn push(mut self, delta: Delta) -> Self {
        self.deltas.push(delta);
        self
    }

    fn add_call(mut self, id: Option<Arc<str>>, name: &str, arguments: Vec<String>) -> Self {
        self.calls += 1;
        let index = self.calls;
        self.push(Delta::Call { id, index, name: name.into(), arguments })
    }

    /// Plays the script for the request of that number.
    pub(super) async fn play(mut self, events: Events, request: usize) -> Result<Reply, Error> {
        let mut builder = ReplyBuilder::new(events);
        for delta in mem::take(&mut self.deltas) {
            self.play_delta(&mut builder, delta, request).await;
        }
        self.wait().await;
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        builder.usage(self.usage);
        let by_default = if self.calls > 0 { StopReason::ToolCalls } else { StopReason::EndTurn };
        Ok(builder.finish(self.stop.unwrap_or(by_default)))
    }

    async fn play_delta(&self, builder: &mut ReplyBuilder, delta: Delta, request: usize) {
        match delta {
            Delta::Text(text) => {
                for piece in split(&text, self.pieces) {
                    self.wait().await;
                    builder.text(piece);
                }
            }
            Delta::Reasoning(text) => {
                for piece in split(&text, self.pieces) {
                    self.wait().await;
                    builder.reasoning(piece);
                }
            }
            Delta::Call { id, index, name, arguments } => {
                let id = id.unwrap_or_else(|| format!("call_{request}_{index}").into());
                builder.call(id.clone(), name);
                for piece in &arguments {
                    self.wait().await;
                    builder.arguments(&id, piece);
                }
            }
            Delta::Part(part) => builder.part(part),
        }
    }

    async fn wait(&self) {
        pending(self.pending).await;
        if !self.delay.is_zero() {
            tokio::time::sleep(self.delay).await;
        }
    }
}

/// Splits a text between characters into about as many pieces as asked for.
fn split(text: &str, pieces: usize) -> Vec<&str> {
    let size = text.len().div_ceil(pieces.max(1)).max(1);
    let mut rest = text;
    let mut split = Vec::with_capacity(pieces);
    while rest.len() > size {
        let (piece, tail) = rest.split_at(rest.ceil_char_boundary(size));
        split.push(piece);
        rest = tail;
    }
    split.push(rest);
    split
}
