//! tower's own layers, unchanged, at both heights of the stack and around tools.

use std::{future, time::Duration};

use brute_core::{
    Agent, Error, ErrorKind, Reply, Session, Turn, as_error,
    models::{Script, ScriptedModel},
    tool_fn,
};
use brute_middleware::default_stack;
use serde_json::{Value, json};
use tower::{
    limit::ConcurrencyLimitLayer,
    retry::{Policy, RetryLayer},
    timeout::TimeoutLayer,
};

/// Tries again so many times when the error says that this makes sense.
#[derive(Clone)]
struct Attempts(usize);

impl<E: 'static> Policy<Turn, Reply, E> for Attempts {
    type Future = future::Ready<()>;

    fn retry(&mut self, _: &mut Turn, result: &mut Result<Reply, E>) -> Option<Self::Future> {
        let error = as_error(result.as_ref().err()?)?;
        println!("attempt failed: {error}");
        (error.is_retryable() && self.0 > 0).then(|| {
            self.0 -= 1;
            future::ready(())
        })
    }

    fn clone_request(&mut self, turn: &Turn) -> Option<Turn> {
        Some(turn.clone())
    }
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let model = ScriptedModel::new([
        Script::fail(Error::new(ErrorKind::RateLimited, "slow down")),
        Script::call("nap", json!({})),
        Script::text("The nap took too long."),
    ]);
    let stack = default_stack()
        .around_turn(TimeoutLayer::new(Duration::from_mins(1)))
        .around_model(RetryLayer::new(Attempts(2)))
        .around_model(ConcurrencyLimitLayer::new(4))
        .tool_timeout(Duration::from_millis(20))
        .model(model);
    println!("{stack}");

    let nap = tool_fn("nap", "Sleeps for an hour.", |_: Value, _| async {
        tokio::time::sleep(Duration::from_hours(1)).await;
        Ok::<_, Error>("rested")
    });
    let agent = Agent::builder(stack).tool(nap).build()?;
    let reply = agent.send(&Session::new(), "Take a nap.").await?;
    for message in &reply.added {
        message.tool_results().for_each(|result| println!("the tool: {}", result.text));
    }
    println!("the model: {}", reply.answer());
    Ok(())
}
