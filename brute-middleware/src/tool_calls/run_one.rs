//! Runs one tool call and records what it answered.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use brute_core::{
    Error, Event, Events, Facts, Journal, Message, ToolCall, ToolChoice, ToolContext, ToolOutput,
    ToolRequest, ToolService, Toolbox, Turn,
};
use futures::FutureExt;
use tower::ServiceExt;

/// What it takes to run the calls of one reply.
pub(super) struct Caller<T> {
    tools: T,
    pub(super) on_offer: Toolbox,
    pub(super) journal: Journal,
    facts: Facts,
    events: Events,
    are_off: bool,
}

impl<T: ToolService> Caller<T> {
    pub(super) fn new(tools: T, turn: &Turn) -> Self {
        Self {
            tools,
            on_offer: turn.tools.clone(),
            journal: turn.journal.clone(),
            facts: turn.facts.clone(),
            events: turn.events.clone(),
            are_off: turn.settings.tool_choice == ToolChoice::None,
        }
    }

    /// Runs nothing, if the turn ends here.
    pub(super) fn unless(mut self, is_end: bool) -> Self {
        self.are_off |= is_end;
        self
    }

    /// Runs a call and returns its result as it was recorded.
    pub(super) async fn run(&self, position: usize, call: &ToolCall) -> Arc<Message> {
        self.events.emit(|| Event::ToolStart { call: call.clone() });
        let output = self.output(call).await;
        self.events.emit(|| Event::ToolEnd {
            call_id: call.id.clone(),
            name: call.name.clone(),
            text: output.text.clone(),
            is_error: output.is_error,
        });
        let result = Message::tool_result(output.into_result(call.id.clone()));
        self.journal.record_result(position, Arc::new(result))
    }

    async fn output(&self, call: &ToolCall) -> ToolOutput {
        if self.are_off {
            return ToolOutput::error(
                "the tool did not run: tools are off for this call, answer in text",
            );
        }
        let run = async {
            let output = self.tools.clone().oneshot(self.request(call)).await;
            output.unwrap_or_else(|error| ToolOutput::error(explain(&Error::wrap(error))))
        };
        AssertUnwindSafe(run).catch_unwind().await.unwrap_or_else(|panic| {
            let text = format!("Error: the tool panicked: {}", panic_text(&*panic));
            // What was thrown may throw again when it goes.
            drop(catch_unwind(AssertUnwindSafe(move || drop(panic))));
            ToolOutput::error(text)
        })
    }

    fn request(&self, call: &ToolCall) -> ToolRequest {
        ToolRequest {
            tool: self.on_offer.get(&call.name).cloned(),
            context: ToolContext {
                call: call.clone(),
                facts: self.facts.clone(),
                events: self.events.clone(),
            },
            on_offer: self.on_offer.clone(),
        }
    }
}

/// How many causes of an error are told; a chain may lead back to itself.
const MOST_CAUSES: usize = 16;

/// Tells the model what went wrong, with the causes.
fn explain(error: &Error) -> String {
    let mut text = format!("Error: {error}");
    let mut source = std::error::Error::source(error);
    for _ in 0..MOST_CAUSES {
        let Some(cause) = source else { break };
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("it did not say why")
}
