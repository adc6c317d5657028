//! Asks the program `git`, with everything turned off that could run, wait or write.

use std::{
    ffi::OsString,
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use super::{Git, GitLimits, git_status::Status};
use crate::{GitFacts, plain};

/// The most that is read of one answer.
const MAX_BYTES: u64 = 64 << 20;

/// Settings under which a repository cannot start a program of its own, nor ask for anything.
const SETTINGS: [&str; 6] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "color.ui=false",
    "log.showSignature=false",
    "submodule.recurse=false",
];

/// Variables that would point git at another repository.
const REDIRECTIONS: [&str; 6] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
];

/// Asks the program `git`; where there is none, nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitProgram {
    program: OsString,
    timeout: Duration,
}

impl Default for GitProgram {
    fn default() -> Self {
        Self { program: "git".into(), timeout: Duration::from_secs(5) }
    }
}

impl GitProgram {
    /// Asks this program.
    #[must_use]
    pub fn program(mut self, program: impl Into<OsString>) -> Self {
        self.program = program.into();
        self
    }

    /// Waits this long for each answer; five seconds by default.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    fn status(&self, folder: &Path, lines: usize) -> Option<Status> {
        let arguments = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal"];
        self.ask(folder, &arguments, move |answer| Status::read(answer, lines))
    }

    fn commits(&self, folder: &Path, limit: usize) -> Option<Vec<String>> {
        let count = format!("--max-count={limit}");
        let arguments = ["log", "-z", &count, "--no-decorate", "--format=%h %s"];
        let commits = self.ask(folder, &arguments, |answer| {
            answer.split(0).map_while(Result::ok).collect::<Vec<_>>()
        })?;
        let readable = |line: Vec<u8>| plain::visible(&String::from_utf8_lossy(&line)).into_owned();
        Some(commits.into_iter().map(readable).collect())
    }

    /// Returns what `read` makes of the answer, unless git fails or takes too long.
    fn ask<T: Send + 'static>(
        &self,
        folder: &Path,
        arguments: &[&str],
        read: impl FnOnce(Answer) -> T + Send + 'static,
    ) -> Option<T> {
        let deadline = Instant::now() + self.timeout;
        let mut child = self.command(folder, arguments).spawn().ok()?;
        let answer = child.stdout.take().and_then(|stdout| read_aside(stdout, read));
        let answer = answer.and_then(|answer| answer.recv_timeout(self.timeout).ok());
        let is_well = answer.is_some() && succeeds(&mut child, deadline);
        if !is_well {
            // It may have ended by itself; then there is nothing left to stop.
            let _ = child.kill();
            let _ = child.wait();
        }
        answer.filter(|_| is_well)
    }

    fn command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        for variable in REDIRECTIONS {
            command.env_remove(variable);
        }
        command
            .arg("--no-pager")
            .args(arguments)
            .current_dir(folder)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command
    }
}

impl Git for GitProgram {
    fn state(&self, folder: &Path, limits: &GitLimits) -> Option<GitFacts> {
        let (status, commits) = thread::scope(|scope| {
            let commits = scope.spawn(|| self.commits(folder, limits.commits.max(1)));
            (self.status(folder, limits.status_lines), commits.join().ok().flatten())
        });
        Some(status?.into_facts(commits.unwrap_or_default()))
    }
}

/// What git writes.
pub(super) type Answer = BufReader<std::io::Take<ChildStdout>>;

/// Reads on a thread of its own, so that waiting for the answer can end.
fn read_aside<T: Send + 'static>(
    stdout: ChildStdout,
    read: impl FnOnce(Answer) -> T + Send + 'static,
) -> Option<mpsc::Receiver<T>> {
    let (sender, receiver) = mpsc::channel();
    let reader = thread::Builder::new().spawn(move || {
        // The receiver is gone when the answer came too late; nobody wants it then.
        let _ = sender.send(read(BufReader::new(stdout.take(MAX_BYTES))));
    });
    reader.is_ok().then_some(receiver)
}

/// Waits for the end, which is near once everything was written.
fn succeeds(child: &mut Child, deadline: Instant) -> bool {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
            _ => return false,
        }
    }
}
