//! A model that looks and quotes, for programs that run without a network.

mod answer;
mod estimate;
mod exchange;
mod listing;
mod offer;
mod plan;
mod quote;
mod words;

use std::task::{Context, Poll};

use tower::Service;

use self::{exchange::Exchange, offer::Offer};
use super::{ReplyBuilder, conversation};
use crate::{Error, Event, Reply, ReplyFuture, Settings, StopReason, Turn, testing::pending};

/// Looks at the working directory with the tools on offer, and answers with what they returned.
///
/// It is deterministic and does no input or output of its own. It does not reason either, and says
/// so: it calls the tools known as `list`, `read` and `search`, whatever their names and arguments
/// are on offer, quotes what they return, and ends after two rounds of calls. Asked nothing, it
/// reports what it sees of the request.
///
/// ```
/// use brute_core::{Agent, Session, Stack, models::OfflineModel};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), brute_core::Error> {
/// let agent = Agent::builder(Stack::new().model(OfflineModel)).build()?;
/// let reply = agent.send(&Session::new(), "What is here?").await?;
/// assert!(reply.answer().contains("offline model"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct OfflineModel;

impl Service<Turn> for OfflineModel {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut turn: Turn) -> ReplyFuture {
        Box::pin(async move {
            turn.log = conversation(&turn)?;
            Ok(reply(&turn).await)
        })
    }
}

async fn reply(turn: &Turn) -> Reply {
    let exchange = Exchange::of(turn);
    let offer = Offer::of(turn);
    let calls = plan::next_calls(&exchange, &offer);
    if calls.is_empty() {
        let text = answer::answer(&exchange, &offer, turn);
        say(turn, &text).await
    } else {
        ask_for(turn, &calls).await
    }
}

/// Streams a text, as far as the settings let it.
async fn say(turn: &Turn, text: &str) -> Reply {
    if turn.settings.response_schema.is_some() {
        turn.events.emit(|| Event::diagnostic("the offline model answers in text, not in json"));
    }
    let (text, stop) = limited(text, &turn.settings);
    let mut builder = ReplyBuilder::new(turn.events.clone());
    for piece in pieces(text) {
        builder.text(piece);
        pending(1).await;
    }
    builder.usage(estimate::usage(turn, text));
    builder.finish(stop)
}

/// Streams calls of tools.
async fn ask_for(turn: &Turn, calls: &[offer::Call]) -> Reply {
    let mut builder = ReplyBuilder::new(turn.events.clone());
    let mut written = String::new();
    for (index, call) in calls.iter().enumerate() {
        // The log only grows within a session, so that no id comes twice.
        let id = format!("offline_{}_{}", turn.log.len(), index + 1);
        let arguments = call.arguments.to_string();
        builder.call(id.as_str(), call.name.clone());
        for piece in pieces(&arguments) {
            builder.arguments(&id, piece);
            pending(1).await;
        }
        written.push_str(&call.name);
        written.push_str(&arguments);
    }
    builder.usage(estimate::usage(turn, &written));
    builder.finish(StopReason::ToolCalls)
}

/// Splits a text after each word.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive([' ', '\n', ':', ','])
}

/// Cuts a text where the settings say that the model has to stop.
fn limited<'a>(text: &'a str, settings: &Settings) -> (&'a str, StopReason) {
    let most = settings.max_output_tokens.map_or(text.len(), |tokens| estimate::room(text, tokens));
    let sequences = settings.stop_sequences.iter().filter(|sequence| !sequence.is_empty());
    let stopped = sequences.filter_map(|sequence| text.find(&**sequence)).min();
    match stopped {
        Some(end) if end <= most => (&text[..end], StopReason::StopSequence),
        _ if most < text.len() => (&text[..most], StopReason::MaxTokens),
        _ => (text, StopReason::EndTurn),
    }
}
