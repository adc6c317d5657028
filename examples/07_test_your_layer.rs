//! How to test a layer: a scripted model below it, and a lint between any two layers.

use std::{panic, sync::Arc};

use brute_core::{
    Agent, Error, FromFnLayer, Message, Next, Reply, ReplyFuture, Session, Turn, from_fn,
    models::ScriptedModel, testing::LintedStack,
};
use brute_middleware::{AcceptInputLayer, JournalLayer, ToolCallsLayer, ToolLoopLayer};

/// Asks for a short answer; only the model sees it.
async fn be_brief(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    turn.log.push(Message::developer("Answer in one sentence."));
    next.run(turn).await
}

/// Has a bug: what only the model should see ends up in the reply, too.
async fn be_leaky(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    let wish = Arc::new(Message::developer("Answer in one sentence."));
    turn.log.push(wish.clone());
    let mut reply = next.run(turn).await?;
    reply.added.insert(0, wish);
    Ok(reply)
}

/// Puts a layer where it belongs, with a lint on both sides, and takes a turn.
fn turn_through<F, Fut>(layer: FromFnLayer<F>, model: ScriptedModel) -> Result<ReplyFuture, Error>
where
    F: Fn(Turn, Next) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Result<Reply, Error>> + Send + 'static,
{
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(layer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(model);
    Ok(Agent::builder(stack).build()?.send(&Session::new(), "Is it done?"))
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let model = ScriptedModel::text("Yes.");
    let reply = turn_through(from_fn(be_brief), model.clone())?.await?;
    let seen: Vec<_> = model.requests()[0].log.iter().map(|message| message.text()).collect();
    assert_eq!(seen, ["Is it done?", "Answer in one sentence."]);
    assert_eq!(reply.added.len(), 1, "the wish is not recorded");
    println!("be_brief: the model saw {seen:?}");

    // A test would simply fail here; we catch the panic to show what it says.
    panic::set_hook(Box::new(|_| {}));
    let turn = turn_through(from_fn(be_leaky), ScriptedModel::text("Yes."))?;
    let panic = tokio::spawn(turn).await.unwrap_err().into_panic();
    println!("be_leaky: {}", panic.downcast_ref::<String>().unwrap());
    Ok(())
}
