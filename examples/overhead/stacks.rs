//! The stacks that are measured: a model that answers at once, and layers that do nothing.

use std::{
    future,
    sync::Arc,
    task::{Context, Poll},
};

use async_trait::async_trait;
use brute_core::{
    Agent, Arguments, Error, Message, Part, Reply, ReplyFuture, Role, Stack, StopReason, Tool,
    ToolCall, ToolContext, ToolOutput, Turn, TurnService,
};
use brute_middleware::{
    AcceptInputLayer, JournalLayer, SystemPromptLayer, ToolCallsLayer, ToolLoopLayer, default_stack,
};
use serde_json::{Value, json};
use tower::{Layer, Service};

/// Asks for one tool so many times, then answers in text; answers are made of prepared parts.
#[derive(Clone)]
pub(crate) struct InstantModel {
    steps: u32,
    call: Arc<ToolCall>,
    answer: Arc<str>,
}

impl InstantModel {
    pub(crate) fn new(steps: u32) -> Self {
        let arguments = Arguments::from(json!({}));
        Self {
            steps,
            call: Arc::new(ToolCall::new("call", "confirm", arguments)),
            answer: "done".into(),
        }
    }

    fn reply(&self, step: u32) -> Reply {
        if step <= self.steps {
            let call = Part::ToolCall(ToolCall::clone(&self.call));
            return Reply::new(Message::new(Role::Assistant, vec![call]), StopReason::ToolCalls);
        }
        Reply::text(self.answer.clone())
    }
}

impl Service<Turn> for InstantModel {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        Box::pin(future::ready(Ok(self.reply(turn.facts.step))))
    }
}

/// A layer that passes everything on, in a future of its own.
#[derive(Clone, Copy)]
struct NoOpLayer;

#[derive(Clone)]
struct NoOp<S>(S);

impl<S> Layer<S> for NoOpLayer {
    type Service = NoOp<S>;

    fn layer(&self, inner: S) -> NoOp<S> {
        NoOp(inner)
    }
}

impl<S: TurnService> Service<Turn> for NoOp<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.0.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        let reply = self.0.call(turn);
        Box::pin(async move { reply.await.map_err(Error::wrap) })
    }
}

/// The tool `confirm`: answers "ok".
struct Confirm;

#[async_trait]
impl Tool for Confirm {
    async fn call(&self, _: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        Ok("ok".into())
    }
}

/// The least that takes a turn, with so many no-op layers around the model call.
pub(crate) fn bare(steps: u32, layers: usize) -> Result<Agent, Error> {
    let bare = Stack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer);
    let model = InstantModel::new(steps);
    let builder = match layers {
        0 => Agent::builder(bare.model(model)),
        5 => Agent::builder(bare.model(five(model))),
        _ => Agent::builder(bare.model(five(five(model)))),
    };
    builder.tool(Confirm).build()
}

fn five(model: impl TurnService) -> impl TurnService {
    let five = Stack::new()
        .layer(NoOpLayer)
        .layer(NoOpLayer)
        .layer(NoOpLayer)
        .layer(NoOpLayer)
        .layer(NoOpLayer);
    Layer::layer(&five, model)
}

/// The least that takes a turn, with the default prompt.
pub(crate) fn prompted(steps: u32) -> Result<Agent, Error> {
    let stack = Stack::new()
        .layer(AcceptInputLayer)
        .layer(SystemPromptLayer::default())
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(InstantModel::new(steps));
    Agent::builder(stack).tool(Confirm).build()
}

/// The recommended stack.
pub(crate) fn whole(steps: u32) -> Result<Agent, Error> {
    let builder = Agent::builder(default_stack().model(InstantModel::new(steps)));
    builder.tool(Confirm).model("anthropic", "claude").build()
}
