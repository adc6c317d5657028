//! What a skill file says, however it is written.

use std::fs;

use brute_prompts::{
    Severity,
    skill::{DiscoverOptions, Discovery, Skill, SkillRoot, Validation, discover},
};

/// Reads one file in a folder of this name.
fn read_as(folder: &str, file: &str, content: &[u8], validation: Validation) -> Discovery {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join(folder)).unwrap();
    fs::write(root.path().join(folder).join(file), content).unwrap();
    let options = DiscoverOptions::default().validation(validation);
    let mut found = discover(&[SkillRoot::project(root.path())], &options);
    for skill in &mut found.skills {
        // The folder is about to go, so the body is read now and put where tests find it.
        let body = skill.load_body().unwrap();
        skill.metadata.insert("body".into(), body);
    }
    found
}

fn read(content: &str) -> Discovery {
    read_as("tidy-logs", "SKILL.md", content.as_bytes(), Validation::Lenient)
}

/// Reads front matter that names the skill and holds the given lines.
fn read_lines(lines: &str) -> Discovery {
    read(&format!("---\nname: tidy-logs\n{lines}\n---\nBody.\n"))
}

#[track_caller]
fn only(found: &Discovery) -> &Skill {
    assert_eq!(found.skills.len(), 1, "{:?}", found.diagnostics);
    &found.skills[0]
}

fn kinds(found: &Discovery) -> Vec<&str> {
    found.diagnostics.iter().map(|diagnostic| diagnostic.kind).collect()
}

/// Checks what a `description` turns into, and that nothing was odd about it.
#[track_caller]
fn check(yaml: &str, description: &str) {
    let found = read_lines(yaml);
    assert_eq!(only(&found).description, description);
    assert_eq!(kinds(&found), [""; 0], "{:?}", found.diagnostics);
}

/// Checks what a faulty `description` is taken for.
#[track_caller]
fn check_repaired(yaml: &str, description: &str) {
    let found = read_lines(yaml);
    assert_eq!(only(&found).description, description);
    assert_eq!(kinds(&found), ["yaml_repaired"]);
    assert_eq!(found.diagnostics[0].severity, Severity::Warning);
}

/// Checks that a file is left out, and why.
#[track_caller]
fn check_left_out(content: &str, kind: &str) {
    let found = read(content);
    assert_eq!(found.skills, []);
    assert_eq!(kinds(&found), [kind]);
    assert_eq!(found.diagnostics[0].severity, Severity::Error);
    assert!(found.diagnostics[0].path.ends_with("tidy-logs/SKILL.md"));
}

#[test]
fn a_value_is_the_text_that_stands_there() {
    check("description: Shortens logs.", "Shortens logs.");
    check("description: 'It''s: quoted'", "It's: quoted");
    check(
        r#"description: "Turns \"fixes #12\" into a link: \u00fc.""#,
        "Turns \"fixes #12\" into a link: ü.",
    );
    check("description: C# code # a comment", "C# code");
    check("description: See http://localhost:80/a:b", "See http://localhost:80/a:b");
    check("description:   padded   ", "padded");
    check("description:\n  On the next line.", "On the next line.");
    check("description: Over\n  two lines.", "Over two lines.");
    check("description: >-\n  Folded\n  text.", "Folded text.");
    check("description: |\n  Kept\n  --- apart.", "Kept\n--- apart.");
    check("\"description\": a quoted key", "a quoted key");
}

#[test]
fn nothing_turns_into_a_number_a_date_or_nothing() {
    for text in [
        "404",
        "0x1F",
        "1e3",
        "1_000",
        ".inf",
        "2024-01-01",
        "yes",
        "true",
        "null",
        "~",
        "007",
        "12:30:45",
    ] {
        check(&format!("description: {text}"), text);
    }
    let found =
        read_as("404", "SKILL.md", b"---\nname: 404\ndescription: 1.0\n---\n", Validation::Lenient);
    assert_eq!((only(&found).name.as_str(), found.diagnostics.len()), ("404", 0));
}

#[test]
fn flow_style_is_read() {
    let found = read(
        "---\n{name: tidy-logs, description: 'In one line.', metadata: {author: me, version: 1.0}}\n---\n",
    );
    let skill = only(&found);
    assert_eq!(skill.description, "In one line.");
    assert_eq!(
        (skill.metadata["author"].as_str(), skill.metadata["version"].as_str()),
        ("me", "1.0")
    );
}

#[test]
fn a_faulty_value_is_taken_as_it_stands() {
    check_repaired("description: Use this for: changelogs, tags", "Use this for: changelogs, tags");
    check_repaired("description: [draft] writes mail", "[draft] writes mail");
    check_repaired("description: {{ x }} and more", "{{ x }} and more");
    check_repaired("description: @mentions people", "@mentions people");
    check_repaired("description: `code` first", "`code` first");
    check_repaired("description: %d percent", "%d percent");
    check_repaired("description: - not a list", "- not a list");
    check_repaired("description: *bold* words", "*bold* words");
    check_repaired("description: &anchor words", "&anchor words");
    check_repaired("description: !important words", "!important words");
    check_repaired("description: \"one\" and \"two\"", "\"one\" and \"two\"");
    check_repaired("description: \"never closed", "\"never closed");
    check_repaired("description: > on the same line", "> on the same line");
    check_repaired("description: Two lines\n  with: a colon", "Two lines with: a colon");
    check_repaired(
        "description: One line\nand one without indent",
        "One line and one without indent",
    );
    check_repaired("description: |\nnot indented", "not indented");
}

#[test]
fn a_repair_leaves_the_other_fields_alone() {
    let found = read_lines(
        "description: Fine\nlicense: MIT: or so\nmetadata:\n  note: a: b\n  list: [x, y]",
    );
    let skill = only(&found);
    assert_eq!(skill.description, "Fine");
    assert_eq!(skill.license.as_deref(), Some("MIT: or so"));
    assert_eq!(skill.metadata["note"], "a: b");
    assert_eq!(skill.metadata["list"], r#"["x","y"]"#);
    let lines: Vec<_> =
        found.diagnostics.iter().map(|diagnostic| &diagnostic.message[..7]).collect();
    assert_eq!(lines, ["line 4:", "line 6:", "the met"]);
}

#[test]
fn a_list_or_mapping_in_the_place_of_a_text_is_taken_as_it_stands() {
    for (yaml, description) in [
        ("description: [draft]", "[draft]"),
        ("description: {a: b}", "{a: b}"),
        ("description:\n  Use it for: changelogs", "Use it for: changelogs"),
    ] {
        let found = read_lines(yaml);
        assert_eq!(only(&found).description, description);
        assert_eq!(kinds(&found), ["wrong_type"]);
    }
}

#[test]
fn the_last_of_two_equal_keys_counts_and_both_are_reported() {
    let found = read_lines("description: First.\ndescription: Second.");
    assert_eq!(only(&found).description, "Second.");
    assert_eq!(kinds(&found), ["duplicate_key"]);
}

#[test]
fn a_thousand_odd_fields_are_reported_in_one_line() {
    let lines: Vec<_> = (0..1_000).map(|index| format!("field-{index}: x")).collect();
    let lines = lines.join("\n");
    let found = read_lines(&format!("description: Fine.\n{lines}\n{lines}"));
    assert_eq!(kinds(&found), ["duplicate_key", "unknown_field"]);
    assert!(found.diagnostics.iter().all(|found| found.message.contains("\"field-4\", others")));
}

#[test]
fn a_thousand_repairs_are_summed_up() {
    let found = read_lines(&format!("description: Fine.{}", "\nx: a: b".repeat(1_000)));
    let repairs: Vec<_> =
        found.diagnostics.iter().filter(|found| found.kind == "yaml_repaired").collect();
    assert_eq!(
        (repairs.len(), repairs[8].message.as_str()),
        (9, "992 more values were taken as they stand")
    );
}

#[test]
fn line_ends_and_a_byte_order_mark_leave_no_trace() {
    for line_end in ["\n", "\r\n", "\r"] {
        let content = "\u{feff}---\nname: tidy-logs\ndescription: >-\n  Two\n  lines.\n---\n\nFirst.\nSecond.\n";
        let found = read(&content.replace('\n', line_end));
        let skill = only(&found);
        assert_eq!((skill.name.as_str(), skill.description.as_str()), ("tidy-logs", "Two lines."));
        assert_eq!(skill.metadata["body"], "First.\nSecond.");
        assert_eq!(found.diagnostics, []);
    }
}

#[test]
fn blanks_behind_a_delimiter_are_not_seen() {
    let found = read("---  \nname: tidy-logs\ndescription: Fine.\n---\t\nGo.\n");
    assert_eq!((only(&found).metadata["body"].as_str(), found.diagnostics.len()), ("Go.", 0));
}

#[test]
fn later_rules_of_dashes_belong_to_the_body() {
    let found =
        read("---\nname: tidy-logs\ndescription: Fine.\n---\n\n\n  Indented.\n\n---\nEnd.\n---\n");
    assert_eq!(only(&found).metadata["body"], "  Indented.\n\n---\nEnd.\n---");
}

#[test]
fn a_file_without_readable_front_matter_is_left_out() {
    check_left_out("", "frontmatter_missing");
    check_left_out(" \n\t\n", "frontmatter_missing");
    check_left_out("# Just a heading\n", "frontmatter_missing");
    check_left_out("----\nname: x\n----\n", "frontmatter_missing");
    check_left_out(" ---\nname: x\n---\n", "frontmatter_missing");
    check_left_out("---\nname: tidy-logs\ndescription: Fine.\n", "frontmatter_unclosed");
    check_left_out("---\n{{{ not a mapping\n- ]\n---\nBody.\n", "yaml_invalid");
    check_left_out("---\njust words\n---\n", "yaml_invalid");
    check_left_out("---\n- a\n- b\n---\n", "yaml_invalid");
    check_left_out("---\nname: tidy-logs\n---\n", "description_missing");
    check_left_out("---\nname: tidy-logs\ndescription: ' '\n---\n", "description_missing");
    check_left_out("---\nname: tidy-logs\ndescription:\n---\n", "description_missing");
}

#[test]
fn blank_lines_before_the_front_matter_are_forgiven() {
    let found = read("\n\n---\nname: tidy-logs\ndescription: Fine: really.\n---\nBody.\n");
    assert_eq!(only(&found).metadata["body"], "Body.");
    assert_eq!(kinds(&found), ["frontmatter_late", "yaml_repaired"]);
    assert!(found.diagnostics[1].message.starts_with("line 5:"));
}

#[test]
fn a_file_that_is_not_utf8_is_left_out_wherever_the_fault_is() {
    for content in [
        &b"---\nname: tidy-logs\ndescription: \xff\n---\n"[..],
        b"---\nname: tidy-logs\ndescription: Fine.\n---\n\xff",
    ] {
        let found = read_as("tidy-logs", "SKILL.md", content, Validation::Lenient);
        assert_eq!((found.skills.len(), kinds(&found)), (0, vec!["not_utf8"]));
    }
}

#[test]
fn what_the_format_does_not_know_is_worth_a_note() {
    let found =
        read_lines("description: Fine.\nargument-hint: something\ndisable-model-invocation: true");
    assert!(only(&found).disable_model_invocation);
    assert_eq!(kinds(&found), ["unknown_field"]);
    assert_eq!(found.diagnostics[0].severity, Severity::Info);
    assert!(found.diagnostics[0].message.contains("\"argument-hint\";"));
}

#[test]
fn values_that_break_a_rule_are_kept_and_reported() {
    let long = "x".repeat(1025);
    let found = read(&format!(
        "---\nname: Tidy Logs\ndescription: {long}\ncompatibility: {}\n---\n",
        "y".repeat(501)
    ));
    assert_eq!(only(&found).description, long);
    assert_eq!(
        kinds(&found),
        ["name_invalid", "name_mismatch", "description_too_long", "compatibility_too_long"]
    );
}

#[test]
fn a_missing_name_is_that_of_the_folder() {
    let found = read("---\ndescription: Fine.\n---\n");
    assert_eq!((only(&found).name.as_str(), kinds(&found)), ("tidy-logs", vec!["name_missing"]));
}

#[test]
fn allowed_tools_may_be_separated_in_any_way() {
    for tools in [
        "Read, Bash(git add:*) Write",
        "[Read, 'Bash(git add:*)', Write, Read]",
        "\n  - Read\n  - Bash(git add:*)\n  - Write",
    ] {
        let found = read_lines(&format!("description: Fine.\nallowed-tools: {tools}"));
        assert_eq!(only(&found).allowed_tools, ["Read", "Bash(git add:*)", "Write"]);
        assert_eq!(found.diagnostics, []);
    }
}

#[test]
fn an_alias_that_leads_somewhere_is_refused() {
    let bomb = "a: &a [x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nd: [*c, *c]\n";
    check_left_out(
        &format!("---\nname: tidy-logs\ndescription: Fine.\n{bomb}---\n"),
        "yaml_invalid",
    );
}

#[test]
fn deep_nesting_and_endless_front_matter_are_refused_early() {
    let deep =
        format!("---\nname: tidy-logs\ndescription: Fine.\nx: {}\n---\n", "[".repeat(30_000));
    let found = read(&deep);
    assert_eq!(kinds(&found), ["yaml_repaired", "unknown_field"]);
    check_left_out(&format!("---\n{}---\n", "key: value\n".repeat(7_000)), "frontmatter_unclosed");
}

#[test]
fn a_file_beyond_the_limit_is_left_out() {
    let content = format!("---\nname: tidy-logs\ndescription: Fine.\n---\n{}", "x".repeat(256_000));
    check_left_out(&content, "file_too_large");
}

#[test]
fn the_strict_policy_leaves_out_what_deviates() {
    let content = b"---\nname: tidy-logs\ndescription: Fine: really\n---\n";
    let found = read_as("tidy-logs", "SKILL.md", content, Validation::Spec);
    assert_eq!((found.skills.len(), kinds(&found)), (0, vec!["yaml_invalid"]));
    let sound = b"---\nname: tidy-logs\ndescription: Fine.\n---\n";
    assert_eq!(read_as("tidy-logs", "SKILL.md", sound, Validation::Spec).skills.len(), 1);
}

#[test]
fn without_rules_a_description_may_be_missing() {
    let found = read_as("tidy-logs", "SKILL.md", b"---\nname: Any Name\n---\n", Validation::None);
    assert_eq!((only(&found).name.as_str(), only(&found).description.as_str()), ("Any Name", ""));
    assert_eq!(found.diagnostics, []);
}

#[test]
fn another_case_of_the_file_name_is_loaded_with_a_warning() {
    let content = b"---\nname: tidy-logs\ndescription: Fine.\n---\n";
    let found = read_as("tidy-logs", "Skill.MD", content, Validation::Lenient);
    assert_eq!((found.skills.len(), kinds(&found)), (1, vec!["file_name_case"]));
}

#[test]
fn a_skill_survives_being_written_and_read_as_json() {
    let found = read_lines(
        "description: Fine.\nlicense: MIT\nallowed-tools: Read\nmetadata:\n  requires-bins: git",
    );
    let json = serde_json::to_string(&found.skills).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Skill>>(&json).unwrap(), found.skills);
    assert!(serde_json::from_str::<Skill>(r#"{"name": "x"}"#).unwrap().user_invocable);
}
