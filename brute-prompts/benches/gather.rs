//! How long it takes to gather the facts of a session in a repository of 50,000 files, beside
//! `git status` alone.
//!
//! Both run as a process of their own, in turn, and the best of five counts.

#![expect(clippy::print_stdout, reason = "figures are what this is for")]

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use brute_prompts::gather::{GatherOptions, GitLimits, GitProgram, gather, git_facts};

const ROUNDS: usize = 5;
const FILES: usize = 50_000;
/// Set to the folder to gather in, it makes this program the one that is measured.
const FOLDER: &str = "BRUTE_BENCH_GATHER";

fn main() {
    if let Some(folder) = env::var_os(FOLDER) {
        return gather_all(Path::new(&folder));
    }
    let disk = tempfile::tempdir().unwrap();
    let folder = disk.path().join("repository");
    write_repository(&folder);
    let (mut status, mut brute) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        status = status.min(time(git(&folder).args(["status", "--short", "--branch"])));
        brute = brute.min(time(&mut this_program(&folder)));
    }
    let aim = status.mul_f64(1.5) + Duration::from_millis(10);
    println!(
        "{FILES} files: git status {status:.1?}, all facts gathered in {brute:.1?}, aim {aim:.1?}"
    );
}

/// Gathers what a prompt with a section on git is told.
fn gather_all(folder: &Path) {
    let facts = gather(&GatherOptions::new(folder)).facts;
    assert_eq!(facts.is_git, Some(true));
    let git = git_facts(&GitProgram::default(), folder, &GitLimits::default()).unwrap();
    assert_eq!((git.status_lines.len(), git.recent_commits.len()), (2, 1));
}

fn this_program(folder: &Path) -> Command {
    let mut program = Command::new(env::current_exe().unwrap());
    program.env(FOLDER, folder);
    program
}

fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder);
    git
}

fn time(program: &mut Command) -> Duration {
    let start = Instant::now();
    assert!(program.stdout(Stdio::null()).status().unwrap().success());
    start.elapsed()
}

/// Writes a repository with one commit of all files, one change and one new file.
fn write_repository(folder: &Path) {
    for index in 0..FILES {
        let inside = folder.join(format!("{:03}/{:02}", index / 500, index / 25 % 20));
        if index % 25 == 0 {
            fs::create_dir_all(&inside).unwrap();
        }
        fs::write(inside.join(format!("file-{index}.txt")), "A line.\n").unwrap();
    }
    fs::write(folder.join("AGENTS.md"), "Use tabs.\n").unwrap();
    let ada = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    for arguments in [&["init", "-q"][..], &["add", "."], &["commit", "-q", "-m", "All files"]] {
        assert!(git(folder).args(ada).args(arguments).status().unwrap().success());
    }
    fs::write(folder.join("AGENTS.md"), "Use spaces.\n").unwrap();
    fs::write(folder.join("new.txt"), "New.\n").unwrap();
}
