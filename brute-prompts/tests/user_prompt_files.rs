//! Files that user prompts refer to with an at sign: where they are looked for, and what is read.
#![cfg(unix)]

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use brute_prompts::{
    PromptError, PromptErrorKind, Severity,
    gather::ReferenceFolders,
    user_prompt::{PreparedPrompt, References, UserPrompt},
};
use proptest::prelude::*;
use tempfile::TempDir;

/// A folder with a home in it and a project beside that.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        for folder in ["project/prompts", "home/.config/brute", "elsewhere"] {
            fs::create_dir_all(place.path(folder)).unwrap();
        }
        place
    }

    fn with(files: &[(&str, &[u8])]) -> Self {
        let place = Self::new();
        for (path, bytes) in files {
            fs::write(place.path(path), bytes).unwrap();
        }
        place
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn folders(&self) -> ReferenceFolders {
        ReferenceFolders::beside(self.path("project/flow.toml")).home(self.path("home"))
    }

    fn prepare(&self, text: &str) -> Result<PreparedPrompt, PromptError> {
        UserPrompt::new(text).label("Label").prepare(&self.folders())
    }

    #[track_caller]
    fn check(&self, text: &str, expected: &str) {
        assert_eq!(self.prepare(text).unwrap().text, expected);
    }

    #[track_caller]
    fn check_refused(&self, text: &str, kind: PromptErrorKind, mentions: &[&str]) {
        let error = self.prepare(text).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        for part in mentions {
            assert!(error.to_string().contains(part), "{part:?} is not in {error}");
        }
    }
}

#[test]
fn the_folder_of_the_referring_file_comes_before_the_configuration() {
    let place = Place::with(&[
        ("project/a.md", b"project"),
        ("home/.config/brute/a.md", b"config"),
        ("home/.config/brute/b.md", b"config"),
    ]);
    place.check("@a.md", "project");
    place.check("@b.md", "config");
}

#[test]
fn a_path_may_go_up_down_home_or_be_absolute() {
    let place = Place::with(&[
        ("elsewhere/up.md", b"up"),
        ("project/prompts/down.md", b"down"),
        ("home/own.md", b"own"),
        ("home/.config/brute/own.md", b"config"),
    ]);
    place.check("@../elsewhere/up.md", "up");
    place.check("@prompts/down.md", "down");
    place.check("@~/own.md", "own");
    place.check(&format!("@{}", place.path("elsewhere/up.md").display()), "up");
}

#[test]
fn the_home_has_no_fallback() {
    let place =
        Place::with(&[("home/.config/brute/x.md", b"config"), ("project/x.md", b"project")]);
    let home = place.path("home/x.md").display().to_string();
    place.check_refused("@~/x.md", PromptErrorKind::NotFound, &["@~/x.md", &home]);
    let homeless = place.folders().home(None);
    assert_eq!(homeless.read("~/x.md").unwrap_err().kind(), PromptErrorKind::NotFound);
}

#[test]
fn a_missing_file_is_refused_with_both_places() {
    let place = Place::new();
    let places = ["project/no.md", "home/.config/brute/no.md"];
    let places = places.map(|path| place.path(path).display().to_string());
    place.check_refused("@no.md", PromptErrorKind::NotFound, &["@no.md", &places[0], &places[1]]);
    place.check_refused("@", PromptErrorKind::Io, &["is a folder"]);
    place.check_refused("@flow.toml/no.md", PromptErrorKind::NotFound, &["does not exist"]);
}

#[test]
fn a_missing_file_stays_literal_by_option() {
    let place = Place::new();
    let prompt = UserPrompt::new("@no.md").goal("@goal.md").lenient();
    let prepared = prompt.prepare(&place.folders()).unwrap();
    assert_eq!(prepared.text, "@no.md");
    let kinds: Vec<_> = prepared.diagnostics.iter().map(|it| (it.kind, it.severity)).collect();
    assert_eq!(kinds, [("reference_missing", Severity::Info); 2]);
}

#[test]
fn an_empty_or_blank_file_is_an_absent_prompt() {
    let place = Place::with(&[("project/empty.md", b""), ("project/blank.md", b" \r\n\t\n")]);
    place.check("@empty.md", "Label");
    place.check("@blank.md", "Label");
}

#[test]
fn bytes_are_kept_except_for_a_byte_order_mark() {
    let place = Place::with(&[
        ("project/crlf.md", b"one\r\ntwo\r\n"),
        ("project/bom.md", b"\xef\xbb\xbf\xef\xbb\xbfx"),
        ("project/nul.md", b"a\0b"),
    ]);
    place.check("@crlf.md", "one\r\ntwo\r\n");
    place.check("@bom.md", "\u{feff}x");
    place.check("@nul.md", "a\0b");
}

#[test]
fn a_file_that_is_not_utf_8_is_refused_by_name() {
    let place =
        Place::with(&[("project/latin.md", b"caf\xe9"), ("home/.config/brute/latin.md", b"ok")]);
    place.check_refused("@latin.md", PromptErrorKind::NotUtf8, &["project/latin.md"]);
    let prepared = UserPrompt::new("@latin.md").lenient().prepare(&place.folders()).unwrap();
    assert_eq!(prepared.text, "@latin.md");
    assert_eq!(prepared.diagnostics[0].severity, Severity::Warning);
}

#[test]
fn a_folder_is_no_prompt_but_does_not_hide_the_configuration() {
    let place = Place::with(&[("home/.config/brute/prompts", b"config")]);
    place.check("@prompts", "config");
    fs::remove_file(place.path("home/.config/brute/prompts")).unwrap();
    place.check_refused("@prompts", PromptErrorKind::Io, &["is a folder", "does not exist"]);
}

#[test]
fn a_pipe_is_refused_without_being_opened() {
    let place = Place::new();
    let made = Command::new("mkfifo").arg(place.path("project/pipe")).status().unwrap();
    assert!(made.success());
    place.check_refused("@pipe", PromptErrorKind::Io, &["is no regular file"]);
    place.check_refused("@/dev/zero", PromptErrorKind::Io, &["/dev/zero is no regular file"]);
}

#[test]
fn a_file_that_cannot_be_read_is_refused_by_name() {
    let place = Place::with(&[("home/.config/brute/loop.md", b"config")]);
    symlink("loop.md", place.path("project/loop.md")).unwrap();
    place.check_refused("@loop.md", PromptErrorKind::Io, &["project/loop.md"]);
    let long = format!("@{}", "x".repeat(5_000));
    place.check_refused(&long, PromptErrorKind::Io, &["xxx"]);
    let nul = place.prepare("@a\0b").unwrap_err();
    assert!(nul.to_string().contains("a\\u{0}b"), "{nul}");
}

#[test]
fn a_file_that_the_user_may_not_read_is_refused_by_name() {
    let place =
        Place::with(&[("project/own.md", b"secret"), ("home/.config/brute/own.md", b"config")]);
    let path = place.path("project/own.md");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    // Nothing is closed to the superuser.
    let expected = fs::read(&path).is_ok();
    let prepared = place.prepare("@own.md");
    assert_eq!(prepared.is_ok(), expected, "{prepared:?}");
    assert!(prepared.is_ok_and(|it| it.text == "secret") || !expected);
}

#[test]
fn a_large_file_is_read_whole() {
    let place = Place::with(&[("project/large.md", "é".repeat(1 << 20).as_bytes())]);
    assert_eq!(place.prepare("@large.md").unwrap().text.len(), 2 << 20);
}

#[test]
fn the_error_of_a_template_names_the_file() {
    let place = Place::with(&[
        ("project/bad.md", b"one\n{{ gaol }}\n"),
        ("project/broken.md", b"{% if %}"),
    ]);
    place.check_refused("@bad.md", PromptErrorKind::Undefined, &["project/bad.md, line 2", "gaol"]);
    place.check_refused("@broken.md", PromptErrorKind::Syntax, &["project/broken.md"]);
}

#[test]
fn a_file_may_be_the_goal_and_is_not_rendered_then() {
    let place = Place::with(&[("project/goal.md", b"{{ goal }} @a.md")]);
    let prompt = UserPrompt::new("Reach: {{ goal }}").goal("@goal.md");
    assert_eq!(prompt.prepare(&place.folders()).unwrap().text, "Reach: {{ goal }} @a.md");
}

#[test]
fn a_file_is_not_searched_for_references() {
    let place = Place::with(&[("project/a.md", b"@b.md"), ("project/b.md", b"b")]);
    place.check("@a.md", "@b.md");
}

#[test]
fn links_are_followed() {
    let place = Place::with(&[("elsewhere/real.md", b"real")]);
    symlink(place.path("elsewhere/real.md"), place.path("project/link.md")).unwrap();
    place.check("@link.md", "real");
}

#[test]
fn confined_references_stay_inside_of_their_folders() {
    let place = Place::with(&[
        ("elsewhere/secret.md", b"secret"),
        ("home/secret.md", b"secret"),
        ("project/a.md", b"a"),
        ("project/prompts/b.md", b"b"),
        ("home/.config/brute/c.md", b"c"),
    ]);
    symlink(place.path("elsewhere/secret.md"), place.path("project/link.md")).unwrap();
    symlink(place.path("project/a.md"), place.path("project/prompts/inner.md")).unwrap();
    let folders = place.folders().confined();
    for (path, text) in
        [("a.md", "a"), ("prompts/../prompts/b.md", "b"), ("c.md", "c"), ("prompts/inner.md", "a")]
    {
        assert_eq!(folders.read(path).unwrap().text, text);
    }
    let absolute = place.path("elsewhere/secret.md").display().to_string();
    for path in ["../elsewhere/secret.md", "link.md", "~/secret.md", &absolute] {
        let error = folders.read(path).unwrap_err();
        assert_eq!(error.kind(), PromptErrorKind::Outside, "{path}: {error}");
    }
    assert_eq!(folders.read("~/.config/brute/c.md").unwrap().text, "c");
}

#[test]
fn another_folder_of_configuration_may_be_named() {
    let place =
        Place::with(&[("elsewhere/a.md", b"elsewhere"), ("home/.config/brute/a.md", b"config")]);
    let folders = place.folders().config(place.path("elsewhere"));
    assert_eq!(folders.read("a.md").unwrap().text, "elsewhere");
    let error = place.folders().config(None).read("a.md").unwrap_err();
    assert!(!error.to_string().contains("config"), "{error}");
}

#[test]
fn a_reference_is_told_by_its_path() {
    let place = Place::with(&[("project/a.md", b"a")]);
    let source = place.prepare("@prompts/../a.md").unwrap().source;
    assert_eq!(Path::new(&source), place.path("project/a.md").canonicalize().unwrap());
}

proptest! {
    #[test]
    fn any_path_is_a_text_or_an_error(path in any::<String>()) {
        let place = Place::new();
        let _ = place.folders().read(&path);
        let _ = place.folders().confined().read(&path);
    }

    #[test]
    fn any_bytes_are_a_prompt_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        let place = Place::with(&[("project/a.md", &bytes)]);
        let _ = place.prepare("@a.md");
    }
}
