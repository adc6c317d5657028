//! Which prompt file counts.

use std::{
    fs,
    path::{Path, PathBuf},
};

use brute_prompts::{
    PromptErrorKind, PromptFile, PromptFileLevel, PromptSettings,
    gather::{
        PromptFileOptions, configured_settings, resolve_prompt_file, resolve_supervisor_file,
        workspace_root,
    },
};
use tempfile::TempDir;

/// A home and a project side by side.
struct Places(TempDir);

impl Places {
    fn new<const N: usize>(files: [(&str, &str); N]) -> Self {
        let places = Self(TempDir::new().unwrap());
        for (path, text) in files {
            places.write(path, text);
        }
        places
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn options(&self) -> PromptFileOptions {
        PromptFileOptions::builder(Some(&self.path("home")), Some(&self.path("ws"))).role("scout")
    }

    fn resolve(&self) -> Option<PromptFile> {
        resolve_prompt_file(&self.options()).unwrap()
    }

    fn text(&self) -> Option<String> {
        self.resolve().map(|file| file.text.to_string())
    }
}

const HOME_CONFIG: &str =
    "system_prompt_file = \"own.md\"\n[subagents.scout]\nsystem_prompt_file = \"scout.md\"\n";

/// Every level from the weakest to the strongest: path, and which level it is.
const LEVELS: [(&str, PromptFileLevel); 6] = [
    ("home/.builder/SYSTEM.md", PromptFileLevel::Home),
    ("home/.builder/own.md", PromptFileLevel::HomeConfig),
    ("ws/.builder/SYSTEM.md", PromptFileLevel::Workspace),
    ("ws/.builder/own.md", PromptFileLevel::WorkspaceConfig),
    ("home/.builder/scout.md", PromptFileLevel::Role),
    ("ws/.builder/scout.md", PromptFileLevel::Role),
];

fn full() -> Places {
    let places = Places::new([
        ("home/.builder/config.toml", HOME_CONFIG),
        ("ws/.builder/config.toml", HOME_CONFIG),
    ]);
    for (path, _) in LEVELS {
        places.write(path, format!("from {path}\n"));
    }
    places
}

#[test]
fn the_strongest_file_counts_alone() {
    let places = full();
    for (path, level) in LEVELS.into_iter().rev() {
        let file = places.resolve().unwrap();
        assert_eq!((file.level, &*file.text), (level, &*format!("from {path}")));
        assert_eq!(file.path, places.path(path));
        fs::remove_file(places.path(path)).unwrap();
    }
    assert_eq!(places.resolve(), None);
}

#[test]
fn a_blank_file_counts_as_absent_at_every_level() {
    for blank in ["", " \r\n\t\n", "\u{feff}", "\u{feff} \n"] {
        let places = full();
        for (path, level) in LEVELS.into_iter().rev() {
            assert_eq!(places.resolve().map(|file| file.level), Some(level));
            places.write(path, blank);
        }
        assert_eq!(places.resolve(), None);
    }
}

#[test]
fn without_a_role_the_files_of_roles_do_not_count() {
    let places = full();
    let options = PromptFileOptions::builder(Some(&places.path("home")), Some(&places.path("ws")));
    let level = |options| resolve_prompt_file(&options).unwrap().unwrap().level;
    assert_eq!(level(options.clone()), PromptFileLevel::WorkspaceConfig);
    assert_eq!(level(options.role("nobody")), PromptFileLevel::WorkspaceConfig);
}

#[test]
fn a_file_that_cannot_be_read_is_an_error_that_names_it() {
    let places =
        Places::new([("home/.builder/SYSTEM.md", "home"), ("ws/.builder/SYSTEM.md/x", "")]);
    let error = resolve_prompt_file(&places.options()).unwrap_err();
    assert_eq!(error.kind(), PromptErrorKind::Io);
    assert_eq!(error.file(), places.path("ws/.builder/SYSTEM.md").to_str());
}

#[test]
fn a_file_that_is_not_utf_8_is_an_error_that_names_it() {
    let places = Places::new([]);
    places.write("ws/.builder/SYSTEM.md", b"caf\xe9");
    let error = resolve_prompt_file(&places.options()).unwrap_err();
    assert_eq!(error.kind(), PromptErrorKind::NotUtf8);
    assert!(error.to_string().contains("SYSTEM.md"));
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_an_error_and_a_link_is_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let places = Places::new([("shared.md", "shared"), ("ws/.builder/x", "")]);
    let path = places.path("ws/.builder/SYSTEM.md");
    symlink(places.path("shared.md"), &path).unwrap();
    assert_eq!(places.text().as_deref(), Some("shared"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        return; // Nothing is forbidden to this user.
    }
    assert_eq!(resolve_prompt_file(&places.options()).unwrap_err().kind(), PromptErrorKind::Io);
}

#[test]
fn a_mark_in_front_goes_and_line_ends_stay() {
    let places = Places::new([("ws/.builder/SYSTEM.md", "\u{feff}\n one\r\ntwo\r\n")]);
    assert_eq!(places.text().as_deref(), Some("\n one\r\ntwo"), "so that lines are counted");
}

#[track_caller]
fn check_path(config: &str, expected: Option<&str>) {
    let places = Places::new([
        ("ws/.builder/config.toml", config),
        ("ws/.builder/a.md", "beside"),
        ("ws/b.md", "above"),
        ("home/c.md", "home"),
    ]);
    assert_eq!(places.text().as_deref(), expected, "{config}");
}

#[test]
fn a_path_is_relative_to_its_configuration_and_may_begin_at_home() {
    check_path("system_prompt_file = 'a.md'", Some("beside"));
    check_path("system_prompt_file = './a.md'", Some("beside"));
    check_path("system_prompt_file = '../b.md'", Some("above"));
    check_path("system_prompt_file = '~/c.md'", Some("home"));
    check_path("system_prompt_file = '  '", None);
    check_path("system_prompt_file = ''", None);
    check_path("system_prompt_file = 'gone.md'", None);
    check_path("other = 1\n[more]\nx = [1]", None);
}

#[test]
fn an_absolute_path_is_taken_as_it_is() {
    let places = Places::new([("elsewhere.md", "elsewhere")]);
    let config = format!("system_prompt_file = '{}'", places.path("elsewhere.md").display());
    places.write("ws/.builder/config.toml", config);
    assert_eq!(places.text().as_deref(), Some("elsewhere"));
}

#[test]
fn without_a_home_its_files_are_left_out() {
    let places = full();
    let ws = places.path("ws");
    places.write("ws/.builder/config.toml", "system_prompt_file = '~/x.md'");
    let options = PromptFileOptions::builder(None, Some(&ws)).role("scout");
    let file = resolve_prompt_file(&options).unwrap().unwrap();
    assert_eq!(file.level, PromptFileLevel::Workspace);
    assert_eq!(resolve_prompt_file(&PromptFileOptions::default()).unwrap(), None);
}

#[test]
fn the_folders_of_brute_and_own_ones_are_looked_into() {
    let places = Places::new([
        ("home/.config/brute/SYSTEM.md", "home"),
        ("ws/.brute/SYSTEM.md", "project"),
        ("own/SYSTEM.md", "own"),
    ]);
    let (home, ws) = (places.path("home"), places.path("ws"));
    let text = |options| resolve_prompt_file(&options).unwrap().unwrap().text.to_string();
    assert_eq!(text(PromptFileOptions::brute(Some(&home), Some(&ws))), "project");
    assert_eq!(text(PromptFileOptions::brute(Some(&home), None)), "home");
    let own = PromptFileOptions::brute(Some(&home), Some(&ws)).workspace_folder(places.path("own"));
    assert_eq!(text(own), "own");
    let own = PromptFileOptions::brute(None, None).home_folder(places.path("own"));
    assert_eq!(text(own), "own");
}

#[track_caller]
fn check_config(config: &str, line: usize) {
    let places = Places::new([("ws/.builder/config.toml", config)]);
    let error = resolve_prompt_file(&places.options()).unwrap_err();
    assert_eq!((error.kind(), error.line()), (PromptErrorKind::Syntax, Some(line)), "{error}");
    assert_eq!(error.file(), places.path("ws/.builder/config.toml").to_str());
}

#[test]
fn a_configuration_that_is_not_valid_is_an_error_with_its_line() {
    check_config("\nsystem_prompt_file = ", 2);
    check_config("a = 1\nsystem_prompt_file = 5", 2);
    check_config("\n\n[subagents]\nscout = 'x'", 4);
}

#[test]
fn an_error_in_a_configuration_does_not_quote_what_belongs_to_others() {
    let config = "api_key = \"sk-canary-4711";
    let places = Places::new([("ws/.builder/config.toml", config)]);
    let error = resolve_prompt_file(&places.options()).unwrap_err();
    let cause = std::error::Error::source(&error);
    let told = format!("{error} {error:?} {cause:?}");
    assert!(!told.contains("4711"), "{told}");
}

#[test]
fn a_file_that_is_too_large_is_an_error_that_names_it() {
    for name in ["ws/.builder/SYSTEM.md", "ws/.builder/config.toml"] {
        let places = Places::new([]);
        places.write(name, "x".repeat((2 << 20) + 1));
        let error = resolve_prompt_file(&places.options()).unwrap_err();
        assert_eq!(error.kind(), PromptErrorKind::Io);
        assert_eq!(error.file(), places.path(name).to_str());
        assert!(error.to_string().contains("larger than 2 MiB"), "{error}");
    }
    let places = Places::new([]);
    places.write("ws/.builder/SYSTEM.md", "x".repeat(2 << 20));
    assert_eq!(places.text().unwrap().len(), 2 << 20);
}

#[track_caller]
fn check_preambles(home: &str, workspace: &str, default: bool, expected: bool) {
    let places =
        Places::new([("home/.builder/config.toml", home), ("ws/.builder/config.toml", workspace)]);
    let settings = PromptSettings { tool_preambles: default, ..PromptSettings::default() };
    let settings = configured_settings(&places.options(), settings).unwrap();
    assert_eq!(settings.tool_preambles, expected);
}

#[test]
fn the_configuration_of_the_project_decides_on_comments_before_that_of_the_user() {
    check_preambles("", "", true, true);
    check_preambles("", "", false, false);
    check_preambles("tool_preambles = false", "", true, false);
    check_preambles("tool_preambles = false", "tool_preambles = true", false, true);
}

fn supervisor(places: &Places) -> Option<String> {
    let file = resolve_supervisor_file(&places.options()).unwrap();
    file.map(|file| file.text.to_string())
}

#[test]
fn a_supervisor_has_a_file_of_its_own_that_is_no_template_and_may_be_empty() {
    assert_eq!(supervisor(&Places::new([])), None);
    let config = "[reviewer]\nsystem_prompt_file = '~/review.md'";
    let places = Places::new([
        ("home/.builder/config.toml", config),
        ("home/review.md", "\n Look at {{ everything }}. \n"),
    ]);
    assert_eq!(supervisor(&places).as_deref(), Some("Look at {{ everything }}."));
    places.write("home/review.md", " \n");
    assert_eq!(supervisor(&places).as_deref(), Some(""));
    places.write("ws/.builder/config.toml", "[supervisor]\nsystem_prompt_file = 'mine.md'");
    places.write("ws/.builder/mine.md", "Mine.");
    assert_eq!(supervisor(&places).as_deref(), Some("Mine."));
}

#[test]
fn a_supervisor_file_that_was_asked_for_and_is_missing_is_an_error() {
    let config = "[reviewer]\nsystem_prompt_file = 'gone.md'";
    let places = Places::new([("ws/.builder/config.toml", config)]);
    let error = resolve_supervisor_file(&places.options()).unwrap_err();
    assert_eq!(error.kind(), PromptErrorKind::NotFound);
    assert_eq!(error.file(), places.path("ws/.builder/gone.md").to_str());
    assert_eq!(places.resolve(), None);
}

#[test]
fn the_root_of_a_project_is_kept_while_the_directory_lies_in_it() {
    let root = |kept, active| workspace_root(kept, Path::new(active)).to_str().unwrap();
    let kept = Some(Path::new("/srv/app"));
    assert_eq!(root(kept, "/srv/app"), "/srv/app");
    assert_eq!(root(kept, "/srv/app/deep"), "/srv/app");
    assert_eq!(root(kept, "/srv/application"), "/srv/application");
    assert_eq!(root(None, "/srv/tree"), "/srv/tree");
}
