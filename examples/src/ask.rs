//! Takes one turn with the offline model, and shows all of it.

use std::{io::Write, path::Path};

use anstyle::Style;
use brute_core::{Agent, Session, TurnItem, models::OfflineModel};
use brute_middleware::{default_stack, set_mode, tools};
use futures::StreamExt;
use tower::BoxError;

use crate::{arguments::Ask, folder, keep_prompt::KeepPromptLayer, screen::Screen, table};

const BOLD: Style = Style::new().bold();

/// Prints the stack, the turn and the prompt.
///
/// # Errors
/// Fails where the directory cannot be read, where the turn fails, and where `out` is closed.
pub(crate) async fn ask(out: &mut impl Write, ask: &Ask) -> Result<(), BoxError> {
    let cwd = folder::open(&ask.cwd)?;
    let prompt = KeepPromptLayer::default();
    let agent = agent(&cwd, prompt.clone())?;

    writeln!(out, "{BOLD}The stack{BOLD:#}\n\n{}", agent.picture())?;

    writeln!(out, "{BOLD}A turn in {}{BOLD:#}\n", folder::shown(&cwd))?;
    take_turn(&agent, ask, &mut Screen::new(out)).await?;

    writeln!(out, "\n{BOLD}The prompt that the model saw{BOLD:#}\n")?;
    table::write(out, &prompt.messages())?;
    out.flush()?;
    Ok(())
}

fn agent(cwd: &Path, prompt: KeepPromptLayer) -> Result<Agent, brute_core::Error> {
    let stack = default_stack().around_model(prompt).model(OfflineModel);
    Agent::builder(stack).model("offline", "").tools(tools::looking()).cwd(cwd).build()
}

async fn take_turn<W: Write>(
    agent: &Agent,
    ask: &Ask,
    screen: &mut Screen<'_, W>,
) -> Result<(), BoxError> {
    let session = Session::new();
    if ask.plan {
        set_mode(&session, "plan");
    }
    screen.question(&ask.question)?;
    let mut turn = agent.stream(&session, &ask.question);
    while let Some(item) = turn.next().await {
        match item {
            TurnItem::Event(event) => screen.event(&event)?,
            TurnItem::End(outcome) => screen.end(&outcome?)?,
        }
    }
    Ok(())
}
