//! Takes the steps of a case that need git, whatever the settings of the machine.

use std::{env, path::Path, process::Command};

use tower::BoxError;

use super::{case::GitStep, setup};

/// Who commits, and when.
const IDENTITY: [(&str, &str); 6] = [
    ("GIT_AUTHOR_NAME", "Case"),
    ("GIT_AUTHOR_EMAIL", "case@example.com"),
    ("GIT_AUTHOR_DATE", "2026-03-01T12:00:00Z"),
    ("GIT_COMMITTER_NAME", "Case"),
    ("GIT_COMMITTER_EMAIL", "case@example.com"),
    ("GIT_COMMITTER_DATE", "2026-03-01T12:00:00Z"),
];

/// Takes one step; the folders in it are relative to the root.
pub(crate) fn take(step: &GitStep, root: &Path) -> Result<(), BoxError> {
    match step {
        GitStep::Init { dir, branch } => {
            let folder = root.join(dir);
            std::fs::create_dir_all(&folder)?;
            git(&folder, &["init", "-q", "-b", branch.as_deref().unwrap_or("main")])
        }
        GitStep::Commit { dir, message, paths } => {
            stage(&root.join(dir), paths.as_deref(), root)?;
            let message = format!("--message={}", message.as_deref().unwrap_or("commit"));
            let commit = ["commit", "-q", "--no-verify", "--allow-empty", "--allow-empty-message"];
            git(&root.join(dir), &[&commit[..], &[&message]].concat())
        }
        GitStep::Detach { dir } => git(&root.join(dir), &["checkout", "-q", "--detach"]),
        GitStep::Worktree { dir, branch, path } => {
            let path = root.join(path);
            let path = path.to_str().ok_or("the path of the work tree is not UTF-8")?;
            let branch = branch.as_ref().map(|branch| ["-b", branch]);
            let branch = branch.iter().flatten().copied();
            let add: Vec<_> =
                ["worktree", "add", "-q"].into_iter().chain(branch).chain([path]).collect();
            git(&root.join(dir), &add)
        }
        GitStep::ManyFiles { dir, count, name } => {
            let path =
                |number: usize| root.join(dir).join(name.replace("{i}", &number.to_string()));
            Ok((0..*count).try_for_each(|number| setup::write(&path(number), b"x\n"))?)
        }
    }
}

fn stage(folder: &Path, paths: Option<&[String]>, root: &Path) -> Result<(), BoxError> {
    let Some(paths) = paths else {
        return git(folder, &["add", "--all"]);
    };
    for path in paths {
        let from_root = root.join(path);
        let is_from_root = from_root.starts_with(folder) && from_root.symlink_metadata().is_ok();
        let path = if is_from_root { from_root.to_str().unwrap_or(path) } else { path };
        git(folder, &["add", "--all", "--", path])?;
    }
    Ok(())
}

fn git(folder: &Path, arguments: &[&str]) -> Result<(), BoxError> {
    let output = Command::new("git")
        .args(["-c", "core.autocrlf=false", "-c", "advice.addEmbeddedRepo=false"])
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(env::var_os("PATH").map(|path| ("PATH", path)))
        .envs(IDENTITY)
        .env("HOME", folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .map_err(|error| format!("cannot run git: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let complaint = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(format!("git {} failed: {complaint}", arguments.join(" ")).into())
}
