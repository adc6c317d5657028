//! The test that the README shows, as it stands there.

use brute_core::{Agent, Error, Message, Next, Reply, Session, Turn, from_fn};
use brute_core::{models::ScriptedModel, testing::LintedStack};
use brute_middleware::{AcceptInputLayer, JournalLayer, ToolLoopLayer};

async fn be_brief(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    turn.log.push(Message::developer("Answer in one sentence."));
    next.run(turn).await
}

#[tokio::test]
async fn only_the_model_sees_the_wish() -> Result<(), Error> {
    let model = ScriptedModel::text("Yes.");
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(ToolLoopLayer)
        .layer(from_fn(be_brief))
        .layer(JournalLayer)
        .model(model.clone());
    let session = Session::new();
    Agent::builder(stack).build()?.send(&session, "Is it done?").await?;

    let seen = &model.requests()[0].log;
    assert_eq!(seen.last().unwrap().text(), "Answer in one sentence.");
    let kept: Vec<_> = session.log().iter().map(|message| message.text()).collect();
    assert_eq!(kept, ["Is it done?", "Yes."]);
    Ok(())
}
