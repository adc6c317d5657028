//! Runs the cases of the prompt side: every `case.json` below a folder, one line for each failure.
//!
//! The folder is that of the prompts' own cases, or the one that `BRUTE_CASES` names.

mod arguments;
mod process;
mod runner;

use std::{
    env,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use tower::BoxError;

use arguments::{Arguments, Wish};
use runner::Summary;

/// The variable that names another folder.
const FOLDER: &str = "BRUTE_CASES";

fn main() -> ExitCode {
    let arguments = Arguments::read(env::args().skip(1));
    let done = match arguments.wish {
        Wish::Answer => process::answer(),
        Wish::List => list(&arguments),
        Wish::Run => run(&arguments),
    };
    done.unwrap_or_else(|error| {
        let _ = writeln!(io::stdout(), "{error}\n{}", Summary::default());
        ExitCode::FAILURE
    })
}

/// Runs the cases that are wanted; none at all is a failure, unless names were given.
fn run(arguments: &Arguments) -> Result<ExitCode, BoxError> {
    let files = runner::find(&folder())?;
    let wanted = files.iter().filter(|file| arguments.wants(&runner::name(file)));
    let mut out = io::stdout().lock();
    let summary = runner::run(wanted, process::call, &mut out)?;
    writeln!(out, "{summary}")?;
    Ok(if summary.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn list(arguments: &Arguments) -> Result<ExitCode, BoxError> {
    for file in runner::find(&folder())? {
        let name = runner::name(&file);
        if arguments.wants(&name) {
            writeln!(io::stdout(), "{name}: test")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the folder; a relative one may be meant from the top of the workspace.
fn folder() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    match env::var_os(FOLDER).filter(|folder| !folder.is_empty()).map(PathBuf::from) {
        Some(folder) if folder.exists() => folder,
        Some(folder) => workspace.join(folder),
        None => workspace.join("brute-prompts/tests/cases"),
    }
}
