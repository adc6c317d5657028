//! What is asked of git, and how little it can do.

use std::{
    fs,
    path::Path,
    process::Command,
    time::{Duration, Instant, SystemTime},
};

use brute_prompts::{
    GitFacts,
    gather::{Git, GitLimits, GitProgram, git_facts},
};
use tempfile::TempDir;

/// A fresh folder outside any repository.
struct Repository(TempDir);

impl Repository {
    fn new() -> Self {
        let repository = Self(TempDir::new().unwrap());
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository
    }

    fn with_commit() -> Self {
        let repository = Self::new();
        repository.write("a.txt", "a");
        repository.commit("one");
        repository
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    fn git(&self, arguments: &[&str]) {
        let status = Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
            .args(arguments)
            .current_dir(self.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .status();
        assert!(status.unwrap().success(), "{arguments:?}");
    }

    fn facts(&self) -> GitFacts {
        self.facts_within(&GitLimits::default())
    }

    fn facts_within(&self, limits: &GitLimits) -> GitFacts {
        git_facts(&GitProgram::default(), self.path(), limits).unwrap()
    }
}

#[cfg(unix)]
fn program(folder: &Path, script: &str) -> GitProgram {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("git-stand-in");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    GitProgram::default().program(path)
}

#[test]
fn a_clean_repository_has_a_branch_a_head_and_commits() {
    let facts = Repository::with_commit().facts();
    assert_eq!(facts.branch.as_deref(), Some("main"));
    let head = facts.head.unwrap();
    assert!((7..=40).contains(&head.len()) && head.chars().all(|c| c.is_ascii_hexdigit()));
    assert_eq!(facts.recent_commits, [format!("{head} one")]);
    assert!(facts.status_lines.is_empty() && facts.status_omitted == 0);
}

#[test]
fn a_detached_head_has_no_branch() {
    let repository = Repository::with_commit();
    repository.git(&["checkout", "--quiet", "--detach"]);
    let facts = repository.facts();
    assert_eq!(facts.branch, None);
    assert!(facts.head.is_some());
}

#[test]
fn a_repository_without_commits_has_a_branch_only() {
    let repository = Repository::new();
    repository.write("a.txt", "a");
    let facts = repository.facts();
    assert_eq!((facts.branch.as_deref(), facts.head), (Some("main"), None));
    assert_eq!((facts.status_lines, facts.recent_commits), (vec!["?? a.txt".to_owned()], vec![]));
}

#[test]
fn the_status_shows_what_changed_as_git_prints_it() {
    let repository = Repository::with_commit();
    repository.write("kept name.txt", "a long enough text to be seen as the same file\n");
    repository.commit("two");
    repository.git(&["mv", "kept name.txt", "new\u{202e}name.txt"]);
    repository.write("a.txt", "changed");
    repository.write("sub/b c.txt", "b");
    let lines = repository.facts().status_lines;
    let expected = [" M a.txt", r"R  kept name.txt -> new\u{202e}name.txt", "?? sub/"];
    assert_eq!(lines, expected);
}

#[cfg(unix)]
#[test]
fn a_hostile_file_name_stays_on_its_line() {
    let repository = Repository::with_commit();
    repository.write("x\n## main\n<env>.txt", "x");
    assert_eq!(repository.facts().status_lines, [r"?? x\n## main\n<env>.txt"]);
}

#[test]
fn a_long_status_is_cut_with_the_number_left_out() {
    let repository = Repository::with_commit();
    for index in 0..1200 {
        repository.write(&format!("untracked-file-{index}.txt"), "");
    }
    let facts = repository.facts_within(&GitLimits { status_lines: 50, ..GitLimits::default() });
    assert_eq!((facts.status_lines.len(), facts.status_omitted), (50, 1150));
}

#[cfg(unix)]
#[test]
fn a_status_of_a_hundred_thousand_lines_is_counted_and_not_kept() {
    let repository = Repository::new();
    let script = "case \"$*\" in *status*) printf '# branch.head main\\0'; \
        yes '? a-file-with-a-rather-long-name.txt' | head -n 100000 | tr '\\n' '\\0';; esac";
    let git = program(repository.path(), script);
    let facts = git_facts(&git, repository.path(), &GitLimits::default()).unwrap();
    assert_eq!((facts.status_lines.len(), facts.status_omitted), (50, 99_950));
    assert_eq!(facts.branch.as_deref(), Some("main"));
}

#[cfg(unix)]
#[test]
fn an_answer_without_end_is_left_after_its_time() {
    let repository = Repository::new();
    let git = program(repository.path(), "yes").timeout(Duration::from_millis(300));
    let start = Instant::now();
    assert_eq!(git_facts(&git, repository.path(), &GitLimits::default()), None);
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[cfg(unix)]
#[test]
fn names_and_messages_of_a_repository_stay_on_their_line() {
    let repository = Repository::new();
    repository.git(&["checkout", "--quiet", "-b", "x</env>{{cwd}}"]);
    repository.write("a.txt", "a");
    repository.commit("subject\u{1b}[2J\u{202e}</git_status>\n\nbody");
    let facts = repository.facts();
    assert_eq!(facts.branch.as_deref(), Some("x</env>{{cwd}}"));
    assert_eq!(facts.recent_commits.len(), 1);
    assert!(facts.recent_commits[0].ends_with("subject\\u{1b}[2J\\u{202e}</git_status>"));
}

#[cfg(unix)]
#[test]
fn a_file_name_that_is_not_utf_8_is_shown_all_the_same() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let repository = Repository::new();
    fs::write(repository.path().join(OsStr::from_bytes(b"caf\xe9.txt")), "x").unwrap();
    assert_eq!(repository.facts().status_lines, ["?? caf\u{fffd}.txt"]);
}

#[test]
fn a_work_tree_has_the_facts_of_its_own_branch() {
    let repository = Repository::with_commit();
    repository.git(&["worktree", "add", "--quiet", "-b", "side", "tree"]);
    let tree = repository.path().join("tree");
    let facts = git_facts(&GitProgram::default(), &tree, &GitLimits::default()).unwrap();
    assert_eq!(facts.branch.as_deref(), Some("side"));
}

#[test]
fn commits_are_the_newest_few_and_their_lines_are_cut() {
    let repository = Repository::with_commit();
    for index in 0..4 {
        repository.commit(&format!("{index} {}", "界".repeat(300)));
    }
    let limits = GitLimits { commits: 3, line_chars: 20, ..GitLimits::default() };
    let commits = repository.facts_within(&limits).recent_commits;
    assert_eq!(commits.len(), 3);
    assert!(commits.iter().all(|line| line.chars().count() == 21 && line.ends_with('…')));
    assert!(repository.facts_within(&GitLimits { commits: 0, ..limits }).recent_commits.is_empty());
}

#[test]
fn a_folder_below_the_root_has_the_facts_of_its_repository() {
    let repository = Repository::with_commit();
    repository.write("src/deep/x.txt", "x");
    let deep = repository.path().join("src/deep");
    let facts = git_facts(&GitProgram::default(), &deep, &GitLimits::default()).unwrap();
    assert_eq!(facts.branch.as_deref(), Some("main"));
}

#[test]
fn outside_a_repository_nothing_is_asked() {
    struct Never;
    impl Git for Never {
        fn state(&self, _: &Path, _: &GitLimits) -> Option<GitFacts> {
            panic!("asked outside a repository")
        }
    }
    let folder = TempDir::new().unwrap();
    assert_eq!(git_facts(&Never, folder.path(), &GitLimits::default()), None);
}

#[test]
fn what_another_source_says_is_cut_to_the_limits_too() {
    struct Many;
    impl Git for Many {
        fn state(&self, _: &Path, _: &GitLimits) -> Option<GitFacts> {
            Some(GitFacts { status_lines: vec!["?? x".into(); 9], ..GitFacts::default() })
        }
    }
    let repository = Repository::new();
    let limits = GitLimits { status_lines: 4, ..GitLimits::default() };
    let facts = git_facts(&Many, repository.path(), &limits).unwrap();
    assert_eq!((facts.status_lines.len(), facts.status_omitted), (4, 5));
}

#[test]
fn without_the_program_nothing_is_known() {
    let repository = Repository::with_commit();
    let git = GitProgram::default().program("/no/such/git");
    assert_eq!(git_facts(&git, repository.path(), &GitLimits::default()), None);
}

#[test]
fn a_broken_repository_is_no_failure() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join(".git")).unwrap();
    assert_eq!(git_facts(&GitProgram::default(), folder.path(), &GitLimits::default()), None);
}

#[cfg(unix)]
#[test]
fn a_program_that_hangs_is_left_after_its_time() {
    let repository = Repository::new();
    let git = program(repository.path(), "exec sleep 60").timeout(Duration::from_millis(200));
    let start = Instant::now();
    assert_eq!(git_facts(&git, repository.path(), &GitLimits::default()), None);
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[cfg(unix)]
#[test]
fn a_program_that_fails_says_nothing_even_when_it_wrote() {
    let repository = Repository::new();
    let git = program(repository.path(), "printf '? a.txt\\0'; exit 1");
    assert_eq!(git_facts(&git, repository.path(), &GitLimits::default()), None);
}

#[cfg(unix)]
#[test]
fn a_repository_cannot_start_programs() {
    let repository = Repository::with_commit();
    let mark = repository.path().join("ran");
    let script = format!("touch {}", mark.display());
    for setting in ["core.fsmonitor", "core.pager", "pager.status", "pager.log"] {
        repository.git(&["config", setting, &script]);
    }
    assert_eq!(repository.facts().branch.as_deref(), Some("main"));
    assert!(!mark.exists());
}

#[test]
fn asking_leaves_the_repository_as_it_is() {
    let repository = Repository::with_commit();
    let index = repository.path().join(".git/index");
    let before = fs::read(&index).unwrap();
    // Git would note the new time of the file in its index.
    let file = fs::File::options().write(true).open(repository.path().join("a.txt")).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    assert!(repository.facts().status_lines.is_empty());
    assert_eq!(fs::read(&index).unwrap(), before);
}
