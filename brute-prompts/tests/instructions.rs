//! Which instruction files are read, in which order, and how much of them.

use std::{fs, path::Path};

use brute_prompts::{
    Budget, CutStyle, Family, InstructionScope, Severity, Texts,
    gather::{
        InstructionImports, InstructionOptions, InstructionWalk, Instructions, instructions,
        reread_instructions,
    },
};
use proptest::prelude::*;
use tempfile::TempDir;

/// A repository in a folder of its own, with a home beside it.
struct Project(TempDir);

impl Project {
    fn new<const N: usize>(files: [(&str, &str); N]) -> Self {
        let project = Self(TempDir::new().unwrap());
        fs::create_dir_all(project.path("proj/.git")).unwrap();
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn read(&self, cwd: &str, options: &InstructionOptions) -> Instructions {
        instructions(&self.path(cwd), options)
    }

    /// Reads with both common names, and returns path and text of each file.
    fn files(&self, cwd: &str) -> Vec<(String, String)> {
        self.shown(&self.read(cwd, &options()))
    }

    fn shown(&self, read: &Instructions) -> Vec<(String, String)> {
        let relative = |path: &str| {
            let path = Path::new(path).strip_prefix(self.0.path()).unwrap();
            path.to_str().unwrap().to_owned()
        };
        read.files.iter().map(|file| (relative(&file.path), file.text.to_string())).collect()
    }
}

fn options() -> InstructionOptions {
    InstructionOptions::default().file_names(["AGENTS.md", "CLAUDE.md"])
}

fn bytes(total: usize) -> InstructionOptions {
    options().budget(Budget { total, ..Budget::INSTRUCTIONS })
}

fn kinds(read: &Instructions) -> Vec<(&str, Severity)> {
    read.diagnostics.iter().map(|diagnostic| (diagnostic.kind, diagnostic.severity)).collect()
}

#[track_caller]
fn check(files: &[(String, String)], expected: &[(&str, &str)]) {
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    assert_eq!(files, expected);
}

#[test]
fn files_are_read_from_the_root_of_the_repository_down() {
    let project = Project::new([
        ("AGENTS.md", "above the repository"),
        ("proj/AGENTS.md", "root rules\n"),
        ("proj/CLAUDE.md", "root extra\n"),
        ("proj/api/v2/AGENTS.md", "v2 rules\n"),
        ("proj/web/AGENTS.md", "web rules\n"),
    ]);
    check(
        &project.files("proj/api/v2"),
        &[
            ("proj/AGENTS.md", "root rules"),
            ("proj/CLAUDE.md", "root extra"),
            ("proj/api/v2/AGENTS.md", "v2 rules"),
        ],
    );
}

#[track_caller]
fn check_family(family: &Family, names: &[&str]) {
    let all = ["AGENTS.md", "CLAUDE.md", ".codex/instructions.md", "GEMINI.md"];
    let project =
        Project::new(all.map(|name| (name, name)).map(|(name, text)| {
            (Box::leak(format!("proj/{name}").into_boxed_str()) as &str, text)
        }));
    let read = project.read("proj", &InstructionOptions::default().family(family));
    let texts: Vec<_> = read.files.iter().map(|file| &*file.text).collect();
    assert_eq!(texts, names);
}

#[test]
fn each_family_has_its_own_file_beside_the_common_one() {
    check_family(&Family::ANTHROPIC, &["AGENTS.md", "CLAUDE.md"]);
    check_family(&Family::OPENAI, &["AGENTS.md", ".codex/instructions.md"]);
    check_family(&Family::GOOGLE, &["AGENTS.md", "GEMINI.md"]);
    check_family(&Family::OLLAMA, &["AGENTS.md"]);
    check_family(&Family::DEFAULT, &["AGENTS.md"]);
    check_family(&"mistral".parse().unwrap(), &["AGENTS.md"]);
}

#[test]
fn outside_a_repository_only_the_directory_is_read() {
    let project = Project::new([("home/AGENTS.md", "home"), ("home/scratch/AGENTS.md", "scratch")]);
    check(&project.files("home/scratch"), &[("home/scratch/AGENTS.md", "scratch")]);
}

#[test]
fn the_git_file_of_a_work_tree_or_submodule_is_a_root() {
    let project = Project::new([
        ("proj/AGENTS.md", "outer"),
        ("proj/sub/.git", "gitdir: ../.git/modules/sub\n"),
        ("proj/sub/AGENTS.md", "inner"),
        ("proj/sub/lib/AGENTS.md", "lib"),
    ]);
    let inner = [("proj/sub/AGENTS.md", "inner"), ("proj/sub/lib/AGENTS.md", "lib")];
    check(&project.files("proj/sub/lib"), &inner);
}

#[test]
fn a_directory_outside_the_given_root_reads_the_root_only() {
    let project = Project::new([("proj/AGENTS.md", "root"), ("projection/AGENTS.md", "other")]);
    let options = options().root(project.path("proj"));
    let read = project.read("projection", &options);
    check(&project.shown(&read), &[("proj/AGENTS.md", "root")]);
}

#[test]
fn the_walk_can_be_limited_to_the_root() {
    let project = Project::new([("proj/AGENTS.md", "root"), ("proj/api/AGENTS.md", "api")]);
    let read = project.read("proj/api", &options().walk(InstructionWalk::WorkspaceOnly));
    check(&project.shown(&read), &[("proj/AGENTS.md", "root")]);
}

#[test]
fn the_global_file_comes_first_and_spends_first() {
    let project =
        Project::new([("home/.config/brute/AGENTS.md", "everywhere"), ("proj/AGENTS.md", "here")]);
    let options = bytes(12).home(project.path("home"));
    let read = project.read("proj", &options);
    assert_eq!(read.files[0].scope, InstructionScope::Global);
    let texts: Vec<_> = read.files.iter().map(|file| &*file.text).collect();
    assert_eq!((texts[0], texts.len()), ("everywhere", 2));
    assert!(project.read("proj", &options.without_global_file()).files.len() == 1);
}

#[test]
fn builder_reads_one_file_of_the_user_and_one_of_the_project() {
    let project = Project::new([
        ("home/.builder/AGENTS.md", "everywhere"),
        ("proj/AGENTS.md", "here"),
        ("proj/CLAUDE.md", "other"),
        ("proj/deep/AGENTS.md", "deep"),
    ]);
    let options = InstructionOptions::builder().family(&Family::ANTHROPIC);
    let read = project.read("proj/deep", &options.home(project.path("home")));
    check(
        &project.shown(&read),
        &[("home/.builder/AGENTS.md", "everywhere"), ("proj/AGENTS.md", "here")],
    );
}

#[test]
fn a_global_file_in_an_unknown_home_is_left_out() {
    let project = Project::new([("proj/AGENTS.md", "here")]);
    let read = project.read("proj", &options().global_file("~/AGENTS.md"));
    assert_eq!((read.files.len(), read.diagnostics), (1, Vec::new()));
}

#[test]
fn a_global_file_inside_the_project_is_read_once() {
    let project = Project::new([("proj/AGENTS.md", "here")]);
    let options = options().global_file(project.path("proj/AGENTS.md"));
    let read = project.read("proj", &options);
    assert_eq!((read.files.len(), kinds(&read)), (1, vec![("duplicate", Severity::Info)]));
}

#[test]
fn a_file_that_says_nothing_counts_as_absent() {
    let project = Project::new([
        ("proj/AGENTS.md", " \n\t\n"),
        ("proj/CLAUDE.md", ""),
        ("proj/sub/AGENTS.md", "\u{feff}real rules\n"),
    ]);
    let read = project.read("proj/sub", &options());
    check(&project.shown(&read), &[("proj/sub/AGENTS.md", "real rules")]);
    assert_eq!(kinds(&read), [("empty", Severity::Warning)]);
}

#[test]
fn line_ends_and_a_byte_order_mark_are_not_part_of_the_text() {
    let project = Project::new([("proj/AGENTS.md", "\u{feff}a\r\nb\rc\r\n")]);
    check(&project.files("proj"), &[("proj/AGENTS.md", "a\nb\nc")]);
}

#[test]
fn what_is_not_utf_8_is_replaced_and_reported() {
    let project = Project::new([]);
    project.write("proj/AGENTS.md", b"caf\xe9 rules");
    let read = project.read("proj", &options());
    assert_eq!(&*read.files[0].text, "caf\u{fffd} rules");
    assert_eq!(kinds(&read), [("not_utf8", Severity::Warning)]);
}

#[test]
fn a_folder_of_that_name_is_no_file() {
    let project = Project::new([("proj/AGENTS.md/README", "x"), ("proj/CLAUDE.md", "rules")]);
    let read = project.read("proj", &options());
    check(&project.shown(&read), &[("proj/CLAUDE.md", "rules")]);
    assert_eq!(kinds(&read), [("not_a_file", Severity::Info)]);
}

#[test]
fn equal_texts_are_taken_once() {
    let project = Project::new([
        ("proj/AGENTS.md", "one text\n"),
        ("proj/CLAUDE.md", "one text\r\n\r\n"),
        ("proj/sub/AGENTS.md", "one text"),
    ]);
    let read = project.read("proj/sub", &options());
    check(&project.shown(&read), &[("proj/AGENTS.md", "one text")]);
    assert_eq!(kinds(&read), [("duplicate", Severity::Info); 2]);
    assert_eq!(project.read("proj/sub", &options().keep_duplicates(false, true)).files.len(), 3);
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn one_file_under_two_names_is_taken_once() {
        let project = Project::new([("proj/AGENTS.md", "one text\n")]);
        symlink("AGENTS.md", project.path("proj/CLAUDE.md")).unwrap();
        check(&project.files("proj"), &[("proj/AGENTS.md", "one text")]);
        let both = project.read("proj", &options().keep_duplicates(true, true));
        assert_eq!(both.files.len(), 2);
    }

    #[test]
    fn a_link_is_followed_and_a_broken_one_is_no_file() {
        let project = Project::new([("shared/rules.md", "shared")]);
        symlink(project.path("shared/rules.md"), project.path("proj/AGENTS.md")).unwrap();
        symlink("gone.md", project.path("proj/CLAUDE.md")).unwrap();
        let read = project.read("proj", &options());
        check(&project.shown(&read), &[("proj/AGENTS.md", "shared")]);
        assert_eq!(read.diagnostics, []);
    }

    #[test]
    fn a_file_that_may_not_be_read_is_reported() {
        let project = Project::new([("proj/AGENTS.md", "secret"), ("proj/CLAUDE.md", "rules")]);
        fs::set_permissions(project.path("proj/AGENTS.md"), fs::Permissions::from_mode(0o000))
            .unwrap();
        if fs::read(project.path("proj/AGENTS.md")).is_ok() {
            return; // Nothing is forbidden to this user.
        }
        let read = project.read("proj", &options());
        assert_eq!((read.files.len(), kinds(&read)), (1, vec![("unreadable", Severity::Warning)]));
    }

    #[test]
    fn a_pipe_is_not_waited_for() {
        let project = Project::new([("proj/CLAUDE.md", "rules")]);
        let pipe = project.path("proj/AGENTS.md");
        assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
        check(&project.files("proj"), &[("proj/CLAUDE.md", "rules")]);
    }
}

#[test]
fn the_budget_cuts_between_characters_and_leaves_a_marker() {
    let project = Project::new([("proj/AGENTS.md", &"界".repeat(400))]);
    for total in [600, 601, 602] {
        let read = project.read("proj", &bytes(total));
        let file = &read.files[0];
        assert!(file.truncated && file.raw_bytes == 1200);
        assert!(file.text.starts_with("界界界界") && file.text.contains("Truncated"));
        assert!(file.text.len() <= total && file.text.len() > total - 3);
        assert_eq!(kinds(&read), [("truncated", Severity::Warning)]);
    }
}

#[test]
fn a_file_that_fits_exactly_is_whole() {
    let project = Project::new([("proj/AGENTS.md", &"a".repeat(300)), ("proj/CLAUDE.md", "b")]);
    let read = project.read("proj", &bytes(301));
    assert!(read.files.len() == 2 && read.diagnostics.is_empty());
    let read = project.read("proj", &bytes(300));
    assert_eq!((read.files.len(), kinds(&read)), (1, vec![("dropped", Severity::Warning)]));
}

#[test]
fn behind_the_file_that_was_cut_nothing_is_taken() {
    let project = Project::new([
        ("proj/AGENTS.md", &"a".repeat(30_000)),
        ("proj/CLAUDE.md", &"b".repeat(5_000)),
        ("proj/sub/AGENTS.md", "small"),
    ]);
    let read = project.read("proj/sub", &options());
    let total: usize = read.files.iter().map(|file| file.text.len()).sum();
    assert_eq!((total, read.files.len()), (32_768, 2));
    assert!(!read.files[0].truncated && read.files[1].text.ends_with(']'));
    assert_eq!(kinds(&read), [("truncated", Severity::Warning), ("dropped", Severity::Warning)]);
}

#[test]
fn with_hardly_any_room_the_marker_itself_is_cut() {
    let project = Project::new([("proj/AGENTS.md", "a long enough text to be cut anywhere")]);
    assert_eq!(&*project.read("proj", &bytes(5)).files[0].text, "\n[Tru");
    assert!(project.read("proj", &bytes(0)).files.is_empty());
}

#[test]
fn a_budget_can_refuse_what_does_not_fit() {
    let project = Project::new([("proj/AGENTS.md", "too long"), ("proj/CLAUDE.md", "fits")]);
    let budget = Budget { total: 5, cut: CutStyle::Refuse, ..Budget::INSTRUCTIONS };
    let read = project.read("proj", &options().budget(budget));
    check(&project.shown(&read), &[("proj/CLAUDE.md", "fits")]);
    assert_eq!(kinds(&read), [("dropped", Severity::Warning)]);
}

#[test]
fn reading_again_after_a_compaction_has_a_limit_of_its_own() {
    let project = Project::new([("proj/AGENTS.md", &"a".repeat(20_000))]);
    let cwd = project.path("proj");
    assert_eq!(instructions(&cwd, &options()).files[0].text.len(), 20_000);
    assert_eq!(reread_instructions(&cwd, &options()).files[0].text.len(), 8_192);
    let own = options().reread_budget(Budget { total: 1_000, ..Budget::REREAD });
    assert_eq!(reread_instructions(&cwd, &own).files[0].text.len(), 1_000);
}

#[test]
fn a_file_of_gigabytes_is_read_in_part() {
    let project = Project::new([("proj/AGENTS.md", "head\n")]);
    let file = fs::File::options().write(true).open(project.path("proj/AGENTS.md")).unwrap();
    file.set_len(4 << 30).unwrap();
    let read = project.read("proj", &options());
    assert!(read.files[0].truncated && read.files[0].text.len() == 32_768);
}

#[test]
fn the_words_of_the_marker_can_be_swapped() {
    let project = Project::new([("proj/AGENTS.md", &"a".repeat(90))]);
    let texts = Texts::shipped().with([("cut_marker/default.txt", "(and so on)")]).unwrap();
    let read = project.read("proj", &bytes(30).texts(texts));
    assert_eq!(&*read.files[0].text, format!("{}\n(and so on)", "a".repeat(18)));
}

#[test]
fn words_that_fail_are_reported_and_stood_in_for() {
    let project = Project::new([("proj/AGENTS.md", &"a".repeat(90))]);
    let texts = Texts::shipped().with([("cut_marker/default.txt", "{{ nothing }}")]).unwrap();
    let read = project.read("proj", &bytes(80).texts(texts));
    assert!(read.files[0].text.contains("Truncated"));
    assert_eq!(
        kinds(&read),
        [("truncated", Severity::Warning), ("words_invalid", Severity::Warning)]
    );
    assert!(read.diagnostics[1].message.contains("`nothing`"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_under_any_budget_stay_within_it(
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        more in any::<String>(),
        total in 0usize..400,
        import in any::<bool>(),
    ) {
        let project = Project::new([("proj/CLAUDE.md", &more)]);
        project.write("proj/AGENTS.md", &bytes);
        let options = self::bytes(total).imports(if import { InstructionImports::Inside } else { InstructionImports::Off });
        let read = project.read("proj", &options);
        let size: usize = read.files.iter().map(|file| file.text.len()).sum();
        prop_assert!(size <= total);
        prop_assert!(read.files.iter().all(|file| !file.text.trim().is_empty()));
    }
}
