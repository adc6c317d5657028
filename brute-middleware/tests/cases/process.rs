//! Makes calls in a process of their own: what hangs or crashes there is one failed case.

use std::{
    env,
    ffi::OsString,
    fs::File,
    io::{self, Read, Seek},
    process::{Child, Command, ExitCode, ExitStatus},
    thread,
    time::{Duration, Instant},
};

use tower::BoxError;

use crate::{
    arguments::ANSWER,
    runner::{self, Outcomes, Request},
};

/// How long the calls of one case may take.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Makes the calls in another process; each run in its own where environment variables matter.
pub(crate) fn call(request: &Request) -> Result<Outcomes, BoxError> {
    if request.runs.iter().all(|run| run.context.env.is_empty()) {
        return ask(request);
    }
    request.runs.iter().try_fold(Outcomes::new(), |mut outcomes, run| {
        outcomes.extend(ask(&Request { runs: vec![run.clone()], ..request.clone() })?);
        Ok(outcomes)
    })
}

/// Makes the calls that another process of this program asks for.
pub(crate) fn answer() -> Result<ExitCode, BoxError> {
    let request: Request = serde_json::from_reader(io::stdin().lock())?;
    let outcomes = runner::make_calls(&request).map_err(|error| error.to_string());
    serde_json::to_writer(io::stdout().lock(), &outcomes)?;
    Ok(ExitCode::SUCCESS)
}

fn ask(request: &Request) -> Result<Outcomes, BoxError> {
    let mut question = tempfile::tempfile()?;
    serde_json::to_writer(&question, request)?;
    question.rewind()?;
    let (mut answer, mut complaint) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let child = command(request)?
        .stdin(question)
        .stdout(answer.try_clone()?)
        .stderr(complaint.try_clone()?)
        .spawn()?;
    if !wait(child)?.success() {
        return Err(format!("the call crashed: {}", read(&mut complaint)?.trim()).into());
    }
    let outcomes: Result<Outcomes, String> = serde_json::from_str(&read(&mut answer)?)?;
    Ok(outcomes?)
}

/// Returns this program with the variables of the first run in force.
fn command(request: &Request) -> Result<Command, BoxError> {
    let context = &request.runs.first().ok_or("there is no run")?.context;
    let mut command = Command::new(env::current_exe()?);
    for (name, _) in env::vars_os().filter(|(name, _)| is_of_the_machine(name)) {
        command.env_remove(name);
    }
    command
        .arg(ANSWER)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", request.root.join(&context.home));
    for (name, value) in &context.env {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    Ok(command)
}

/// Tells whether a variable would let the settings of this machine into a case.
fn is_of_the_machine(name: &OsString) -> bool {
    let name = name.to_string_lossy();
    name.starts_with("GIT_") || name.starts_with("XDG_")
}

fn wait(mut child: Child) -> Result<ExitStatus, BoxError> {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            return Err(format!("the call was still running after {TIMEOUT:?}").into());
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn read(file: &mut File) -> io::Result<String> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
