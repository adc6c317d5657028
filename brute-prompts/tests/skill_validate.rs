//! The strict judgement of one skill folder.

use std::{fs, path::Path};

use brute_prompts::{Severity, skill::validate};

fn verdict_in(folder: &str, file: &str, content: &str) -> Vec<&'static str> {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join(folder);
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join(file), content).unwrap();
    let problems = validate(&folder);
    assert!(problems.iter().all(|problem| problem.severity == Severity::Error));
    assert_eq!(validate(&folder.join(file)), problems, "the file stands for its folder");
    problems.iter().map(|problem| problem.kind).collect()
}

/// Checks what is wrong with a name that is also that of the folder.
#[track_caller]
fn check_name(name: &str, problems: &[&str]) {
    let content = format!("---\nname: '{name}'\ndescription: Fine.\n---\n");
    assert_eq!(verdict_in(name, "SKILL.md", &content), problems, "{name}");
}

/// Checks what is wrong with front matter that lies in the folder `pdf-forms`.
#[track_caller]
fn check(front_matter: &str, problems: &[&str]) {
    let content = format!("---\n{front_matter}\n---\nBody.\n");
    assert_eq!(verdict_in("pdf-forms", "SKILL.md", &content), problems, "{front_matter}");
}

#[test]
fn a_name_has_lower_case_letters_digits_and_single_hyphens_inside() {
    for name in ["pdf-forms", "a", "404", "größe", "数据", "ⅷ", "x²"] {
        check_name(name, &[]);
    }
    for name in [
        "Pdf",
        "-lead",
        "trail-",
        "two--dashes",
        "under_score",
        "a b",
        "x.y",
        "smile-😀",
        "हिन्दी",
        "Größe",
    ] {
        check_name(name, &["name_invalid"]);
    }
    check_name(&"n".repeat(64), &[]);
    check_name(&"n".repeat(65), &["name_too_long"]);
}

#[test]
fn a_name_is_compared_in_its_normal_form() {
    // The folder spells the letter with a combining mark, the file in one character.
    let content = "---\nname: \"caf\\u00e9\"\ndescription: Fine.\n---\n";
    assert_eq!(verdict_in("cafe\u{301}", "SKILL.md", content), [""; 0]);
}

#[test]
fn name_and_description_are_required_and_the_name_is_the_folders() {
    check("name: pdf-forms\ndescription: Fine.", &[]);
    check("name: other-forms\ndescription: Fine.", &["name_mismatch"]);
    check("description: Fine.", &["name_missing"]);
    check("name:\ndescription: Fine.", &["name_missing"]);
    check("name: pdf-forms", &["description_missing"]);
    check("name: pdf-forms\ndescription: '  '", &["description_missing"]);
    check("# nothing", &["name_missing", "description_missing"]);
}

#[test]
fn lengths_count_characters() {
    let with = |field: &str, chars: usize| {
        format!("name: pdf-forms\ndescription: Fine.\n{field}: {}", "ü".repeat(chars))
    };
    let description = |chars: usize| format!("name: pdf-forms\ndescription: {}", "ü".repeat(chars));
    check(&description(1024), &[]);
    check(&description(1025), &["description_too_long"]);
    check(&with("compatibility", 500), &[]);
    check(&with("compatibility", 501), &["compatibility_too_long"]);
}

#[test]
fn fields_beyond_the_format_are_problems() {
    let sound = "name: pdf-forms\ndescription: Fine.\nlicense: MIT\nallowed-tools: Read\nmetadata:\n  author: me\n";
    check(sound, &[]);
    check(&format!("{sound}version: 1"), &["unknown_field"]);
    check(&format!("{sound}disable-model-invocation: true"), &["unknown_field"]);
    check(&format!("{sound}license: BSD"), &["duplicate_key"]);
}

#[test]
fn values_of_another_type_are_problems() {
    let sound = "name: pdf-forms\ndescription: Fine.\n";
    check("name: [pdf-forms]\ndescription: Fine.", &["wrong_type", "name_missing"]);
    check(&format!("{sound}license: [MIT]"), &["wrong_type"]);
    check(&format!("{sound}metadata: none"), &["wrong_type"]);
    check(&format!("{sound}metadata: {{a: {{b: c}}}}"), &["metadata_nested"]);
    check(&format!("{sound}allowed-tools: [Read, Write]"), &[]);
}

#[test]
fn nothing_is_repaired() {
    check("name: pdf-forms\ndescription: Use this: now", &["yaml_invalid"]);
    check("name: pdf-forms\ndescription: &a Fine.", &["yaml_invalid"]);
    check("name: pdf-forms\ndescription: !tag Fine.", &["yaml_invalid"]);
    check("just words", &["yaml_invalid"]);
    assert_eq!(verdict_in("x", "SKILL.md", "# Heading\n"), ["frontmatter_missing"]);
    assert_eq!(
        verdict_in("x", "SKILL.md", "\n---\nname: x\ndescription: y\n---\n"),
        ["frontmatter_late"]
    );
    assert_eq!(verdict_in("x", "SKILL.md", "---\nname: x\n"), ["frontmatter_unclosed"]);
}

#[test]
fn the_file_is_named_in_capitals() {
    let content = "---\nname: x\ndescription: y\n---\n";
    assert_eq!(verdict_in("x", "skill.md", content), ["file_name_case"]);
}

#[test]
fn a_path_without_a_skill_is_a_problem() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("notes.md"), "x").unwrap();
    assert_eq!(validate(root.path())[0].kind, "file_missing");
    assert_eq!(validate(&root.path().join("notes.md"))[0].kind, "file_missing");
    assert_eq!(validate(Path::new("/nowhere/at/all"))[0].kind, "unreadable");
}
