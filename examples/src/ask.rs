//! Takes one turn, and shows all of it.

use std::{
    io::{self, Write},
    path::Path,
};

use anstyle::Style;
use brute_core::{
    Agent, BoxStack, BuiltStack, Error, ModelId, Session, Stack, TurnItem, models::ScriptedModel,
};
use brute_middleware::{PreambleLayer, set_mode, tools};
use futures::StreamExt;
use tower::BoxError;

use crate::{
    arguments::Ask,
    dump, folder,
    keep_prompt::KeepPromptLayer,
    model::{Shape, base_stack, erased},
    own_file,
    screen::Screen,
    table,
    user_prompt::Question,
};

const BOLD: Style = Style::new().bold();

/// Prints the stack, the turn and the prompt; or, in a dry run, what the model would be sent.
///
/// # Errors
/// Fails where the directory or a file cannot be read, where there is no such model, where the turn
/// fails, and where `out` is closed.
pub(crate) async fn ask(out: &mut impl Write, ask: &Ask) -> Result<(), BoxError> {
    let cwd = folder::open(&ask.cwd)?;
    let question = Question::read(&ask.question, &ask.parts)?;
    if ask.dry_run {
        return dry_run(out, ask, &question, &cwd).await;
    }
    check_export(ask)?;
    let model = ask.model.choose()?;
    let prompt = KeepPromptLayer::default();
    let shape = Shape { prompt: prompt.clone(), prompt_log: ask.prompt_log.clone() };
    let agent = agent(model.stack(&shape), &model.id, &question, &cwd)?;

    model.introduce(out)?;
    writeln!(out, "{BOLD}The stack{BOLD:#}\n\n{}", agent.picture())?;

    writeln!(out, "{BOLD}A turn in {}{BOLD:#}\n", folder::shown(&cwd))?;
    let session = session(ask);
    take_turn(&agent, &session, &question, &mut Screen::new(out)).await?;

    writeln!(out, "\n{BOLD}The prompt that the model saw{BOLD:#}\n")?;
    table::write(out, &prompt.messages())?;
    export(ask, &session)?;
    out.flush()?;
    Ok(())
}

/// Shows the first call of the turn, which nobody makes.
async fn dry_run(
    out: &mut impl Write,
    ask: &Ask,
    question: &Question,
    cwd: &Path,
) -> Result<(), BoxError> {
    let (id, model) = (ask.model.id()?, ScriptedModel::text(""));
    let agent = agent(erased(base_stack().model(model.clone())), &id, question, cwd)?;
    agent.send(&session(ask), &question.text).await?;
    let turn = model.requests().pop().ok_or("the turn makes no call")?;
    dump::document(out, &turn)
}

fn agent(
    stack: BuiltStack<BoxStack>,
    model: &ModelId,
    question: &Question,
    cwd: &Path,
) -> Result<Agent, Error> {
    let stack = match &question.before {
        Some((run, mode)) => {
            let preamble = PreambleLayer::new(run.clone()).mode(*mode);
            let above = Stack::new().layer(preamble).note("what happened before");
            erased(above.over(stack))
        }
        None => stack,
    };
    let agent = Agent::builder(stack).model(model.provider(), model.model());
    agent.tools(tools::looking()).cwd(cwd).build()
}

fn session(ask: &Ask) -> Session {
    let session = Session::new();
    if ask.plan {
        set_mode(&session, "plan");
    }
    session
}

/// Finds out whether the session can be exported: better to hear it now than after the turn.
fn check_export(ask: &Ask) -> Result<(), BoxError> {
    let Some(file) = &ask.export else { return Ok(()) };
    own_file::check_writing(file).map_err(|error| unwritten(file, &error))
}

fn export(ask: &Ask, session: &Session) -> Result<(), BoxError> {
    let Some(file) = &ask.export else { return Ok(()) };
    own_file::write(file, &session.to_json()?).map_err(|error| unwritten(file, &error))
}

fn unwritten(file: &Path, error: &io::Error) -> BoxError {
    format!("cannot write {}: {error}", folder::shown(file)).into()
}

async fn take_turn<W: Write>(
    agent: &Agent,
    session: &Session,
    question: &Question,
    screen: &mut Screen<'_, W>,
) -> Result<(), BoxError> {
    screen.question(question.text.trim_end())?;
    let mut turn = agent.stream(session, &question.text);
    while let Some(item) = turn.next().await {
        match item {
            TurnItem::Event(event) => screen.event(&event)?,
            TurnItem::End(outcome) => screen.end(&outcome?)?,
        }
    }
    Ok(())
}
