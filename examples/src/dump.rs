//! Prints what a model is sent, section by section.

use std::{
    fs,
    io::{self, Write},
};

use brute_core::{Agent, Input, Session, Turn, models::ScriptedModel};
use brute_middleware::{
    RenderPolicy, Secrets, SystemPromptLayer, default_stack, prompt_document, tools,
};
use brute_prompts::SystemPrompt;
use tower::BoxError;

use crate::{arguments::Dump, folder, screen::readable};

/// Prints an exported session as the next model call would see it.
///
/// # Errors
/// Fails where the file is no exported session, and where `out` is closed.
pub(crate) async fn dump(out: &mut impl Write, dump: &Dump) -> Result<(), BoxError> {
    let file = folder::shown(&dump.session);
    let text = fs::read_to_string(&dump.session)
        .map_err(|error| format!("cannot read the session {file}: {error}"))?;
    let session = Session::from_json(&text)
        .map_err(|error| format!("cannot read the session {file}: {error}"))?;
    let mut turn = next_call(&session, dump).await?;
    // Nobody has made this call yet.
    turn.facts.step = 0;
    document(out, &turn)
}

/// Prints what a turn sends.
///
/// # Errors
/// Fails where `out` is closed.
pub(crate) fn document(out: &mut impl Write, turn: &Turn) -> Result<(), BoxError> {
    write!(out, "{}", readable(&prompt_document(turn, &Secrets::from_env())))?;
    out.flush()?;
    Ok(())
}

/// Returns the next call of a session.
async fn next_call(session: &Session, dump: &Dump) -> Result<Turn, BoxError> {
    let model = ScriptedModel::text("");
    let stack = default_stack().system_prompt(system_prompt(session)).model(model.clone());
    let agent = Agent::builder(stack).model(&dump.provider, &dump.model).tools(tools::looking());
    agent.build()?.send(&session.fork(), Input::none()).await?;
    model.requests().pop().ok_or_else(|| "the session makes no call".into())
}

/// Returns what renders the prompt that the session keeps, or one of the facts that it keeps.
fn system_prompt(session: &Session) -> SystemPromptLayer {
    let is_kept = |key: &str| session.meta().get(key).is_some_and(|value| !value.is_null());
    let layer = SystemPromptLayer::default().policy(RenderPolicy::Snapshot);
    if is_kept("prompt_facts") || is_kept("system_prompt") {
        return layer;
    }
    if !session.log().has_system() {
        let note = "note: the session does not say what its system prompt was";
        // Without standard error there is nobody left to tell.
        drop(writeln!(io::stderr(), "{note}"));
    }
    SystemPromptLayer::new(SystemPrompt::new([""; 0])).gather(None)
}
