//! Your own layer, both ways: an async function, and a tower service by hand.

use std::{
    sync::{Arc, Mutex},
    task::{Context, Poll},
};

use brute_core::{
    Agent, Error, Message, Next, Reply, ReplyFuture, Session, Turn, TurnService, Usage, from_fn,
    models::{Script, ScriptedModel},
};
use brute_middleware::default_stack;
use tower::{Layer, Service};

/// Asks for a short answer; the model sees it, the session does not keep it.
async fn be_brief(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    turn.log.push(Message::developer("Answer in one sentence."));
    next.run(turn).await
}

/// Counts the tokens of every model call; a clone holds the same count.
#[derive(Clone, Default)]
struct MeterLayer(Arc<Mutex<Usage>>);

impl<S> Layer<S> for MeterLayer {
    type Service = Meter<S>;

    fn layer(&self, inner: S) -> Meter<S> {
        Meter { inner, count: self.0.clone() }
    }
}

#[derive(Clone)]
struct Meter<S> {
    inner: S,
    count: Arc<Mutex<Usage>>,
}

impl<S: TurnService> Service<Turn> for Meter<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        let (reply, count) = (self.inner.call(turn), self.count.clone());
        Box::pin(async move {
            let reply = reply.await.map_err(Error::wrap)?;
            *count.lock().unwrap() += reply.usage;
            Ok(reply)
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let usage = Usage { input: 900, output: 12, ..Usage::default() };
    let model = ScriptedModel::new([Script::text("Forty-two.").usage(usage)]);
    let (meter, seen) = (MeterLayer::default(), model.clone());
    let stack = default_stack().around_model(from_fn(be_brief)).around_model(meter.clone());
    let agent = Agent::builder(stack.model(model)).build()?;
    println!("{}", agent.picture());

    let session = Session::new();
    let reply = agent.send(&session, "What is the answer?").await?;
    println!("the model answers: {}", reply.answer());
    println!("the model saw:     {}", texts(seen.requests()[0].log.since(1)));
    println!("the session keeps: {}", texts(session.log().iter()));
    println!("tokens: {}", meter.0.lock().unwrap().total());
    Ok(())
}

fn texts<'a>(messages: impl Iterator<Item = &'a Arc<Message>>) -> String {
    messages.map(|message| message.text()).collect::<Vec<_>>().join(" / ")
}
