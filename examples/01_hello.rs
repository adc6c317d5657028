//! The smallest agent: a stack, a session, one turn.

use brute_core::{Agent, Error, Session, models::ScriptedModel};
use brute_middleware::default_stack;

#[tokio::main]
async fn main() -> Result<(), Error> {
    // A scripted model says what it is told to, so this needs no key and no network.
    let model = ScriptedModel::text("Hello! I am the last layer of the stack.");
    let agent = Agent::builder(default_stack().model(model)).build()?;
    println!("{}", agent.picture());

    let session = Session::new();
    let reply = agent.send(&session, "Who are you?").await?;
    println!("{}", reply.answer());

    println!("\nThe session keeps both messages:");
    for message in session.log().iter() {
        println!("{:?}: {}", message.role, message.text());
    }
    Ok(())
}
