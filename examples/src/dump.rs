//! Prints what a model is sent, section by section.

use std::{
    fs,
    io::{self, Write},
};

use brute_core::{Agent, Event, Events, Input, Session, Turn, models::ScriptedModel};
use brute_middleware::{
    KeptPrompt, RenderPolicy, Secrets, SystemPromptLayer, default_stack, keeps_prompt_facts,
    kept_prompts, prompt_document, tools,
};
use brute_prompts::{SystemPrompt, plain};
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
    let prompt = system_prompt(session, dump)?;
    let stack = default_stack().system_prompt(prompt).model(model.clone());
    let agent = Agent::builder(stack).model(&dump.provider, &dump.model).tools(tools::looking());
    let agent = agent.events(Events::inline(told)).build()?;
    agent.send(&session.fork(), Input::none()).await?;
    model.requests().pop().ok_or_else(|| "the session makes no call".into())
}

/// Returns what renders the prompt that the session keeps, or one of the facts that it keeps.
fn system_prompt(session: &Session, dump: &Dump) -> Result<SystemPromptLayer, BoxError> {
    let meta = session.meta();
    if let Some(kept) = choose(&kept_prompts(&meta), dump.role.as_deref())? {
        return Ok(kept.layer());
    }
    if keeps_prompt_facts(session) {
        return Ok(SystemPromptLayer::default().policy(RenderPolicy::Snapshot));
    }
    if !session.log().has_system() {
        note("the session does not say what its system prompt was");
    }
    Ok(SystemPromptLayer::new(SystemPrompt::new([""; 0])).gather(None))
}

/// Chooses the prompt of a role, else that of no role, else the first, and says so.
fn choose<'a>(
    kept: &'a [KeptPrompt],
    role: Option<&str>,
) -> Result<Option<&'a KeptPrompt>, BoxError> {
    let Some(first) = kept.first() else {
        return role.map_or(Ok(None), |_| Err("the session keeps no prompt of a role".into()));
    };
    let names = kept.iter().map(name).collect::<Vec<_>>().join(", ");
    if let Some(role) = role {
        let supervisor = || kept.iter().find(|kept| kept.is_supervisor() && role == "supervisor");
        let found = kept.iter().find(|kept| kept.role() == Some(role)).or_else(supervisor);
        let refusal = || format!("the session keeps no prompt of that role, but: {names}");
        return Ok(Some(found.ok_or_else(refusal)?));
    }
    let shown = name(first);
    if kept.len() > 1 || first.role().is_some() || first.is_supervisor() {
        note(&format!("of the prompts that the session keeps ({names}) this is {shown}"));
    }
    Ok(Some(first))
}

/// Returns what a prompt is called in a message.
fn name(kept: &KeptPrompt) -> String {
    match kept.role() {
        Some(role) => format!("that of role {role}"),
        None if kept.is_supervisor() => "that of the supervisor".to_owned(),
        None => "that of no role".to_owned(),
    }
}

/// Tells what was odd.
fn told(event: Event) {
    if let Event::Diagnostic { message } = event {
        note(&message);
    }
}

fn note(text: &str) {
    // Without standard error there is nobody left to tell.
    drop(writeln!(io::stderr(), "note: {}", plain::visible(text)));
}
