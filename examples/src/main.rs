//! The program: takes turns through the whole stack, and shows what went through it.

mod arguments;
mod ask;
mod chat;
mod dump;
mod folder;
mod inspect;
mod keep_prompt;
mod model;
mod own_file;
mod screen;
mod skills;
mod table;
mod user_prompt;

use std::{
    error::Error,
    io::{self, Write},
    iter,
    process::ExitCode,
};

use brute_prompts::plain;
use clap::Parser;
use tower::BoxError;

use self::arguments::{Arguments, Ask, Command};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output, such as `head`, has seen enough.
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            report(&*error);
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<(), BoxError> {
    match arguments.command {
        None => ask::ask(&mut anstream::stdout(), &Ask::default()).await,
        Some(Command::Ask(question)) => ask::ask(&mut anstream::stdout(), &question).await,
        Some(Command::Chat(talk)) => chat::chat(&mut anstream::stdout(), &talk).await,
        Some(Command::Dump(session)) => dump::dump(&mut anstream::stdout(), &session).await,
        Some(Command::Prompt(question)) => inspect::inspect(&mut io::stdout().lock(), &question),
        Some(Command::Skills(question)) => skills::skills(&mut anstream::stdout(), &question),
    }
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let is_pipe = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    causes(error).any(|cause| {
        let json =
            cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        cause.downcast_ref().is_some_and(is_pipe) || json == Some(io::ErrorKind::BrokenPipe)
    })
}

/// Says what went wrong; names from outside in it move no cursor and turn no text.
fn report(error: &(dyn Error + 'static)) {
    // Without standard error there is nobody left to tell.
    drop(writeln!(anstream::stderr(), "{}", plain::visible(&told("error", error))));
}

/// Returns an error and its causes on one line, each cause once.
fn told(what: &str, error: &(dyn Error + 'static)) -> String {
    let mut line = what.to_owned();
    for cause in causes(error).map(ToString::to_string).filter(|cause| !cause.is_empty()) {
        if !line.contains(&cause) {
            line = format!("{line}: {cause}");
        }
    }
    line
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    iter::successors(Some(error), |error| (**error).source())
}
