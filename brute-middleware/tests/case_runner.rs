//! The runner of the cases: what it passes, what it refuses, and how it says so.

#[path = "cases/runner/mod.rs"]
mod runner;

use std::{fs, path::Path};

use runner::{Summary, find, make_calls};
use serde_json::{Value, json};

/// Runs one case and returns the summary with the lines that were written.
fn outcome(case: &str) -> (Summary, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("below").join("the-case").join("case.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, case).unwrap();
    let files = find(folder.path()).unwrap();
    let mut out = Vec::new();
    let summary = runner::run(&files, make_calls, &mut out).unwrap();
    (summary, String::from_utf8(out).unwrap())
}

#[track_caller]
fn check_passes(case: &Value) {
    let (summary, lines) = outcome(&case.to_string());
    assert_eq!(
        (summary.to_string().as_str(), lines.as_str()),
        ("1 passed, 0 failed, 0 skipped", "")
    );
}

#[track_caller]
fn check_fails(case: &Value, complaint: &str) {
    let (summary, lines) = outcome(&case.to_string());
    assert_eq!(summary.to_string(), "0 passed, 1 failed, 0 skipped", "{case}");
    assert!(lines.contains(complaint), "{lines:?} does not mention {complaint:?}");
    assert_eq!(lines.lines().count(), 1, "{lines}");
}

#[track_caller]
fn check_skips(case: &Value, reason: &str) {
    let (summary, lines) = outcome(&case.to_string());
    assert_eq!(summary.to_string(), "0 passed, 0 failed, 1 skipped", "{lines}");
    assert!(lines.contains(reason), "{lines:?} does not mention {reason:?}");
}

fn case(op: &str, args: &Value, expect: &Value) -> Value {
    json!({ "id": "the-case", "call": { "op": op, "args": args }, "expect": expect })
}

/// A case that renders a text, to set conditions on.
fn text_case(text: &str, conditions: &Value) -> Value {
    let args = json!({ "cases": [{ "template": "{{ text }}", "vars": { "text": text } }] });
    case("render_template", &args, &json!({ "results": [{ "text": conditions }] }))
}

/// A case with a skill in its files.
fn skill_case(expect: &Value) -> Value {
    let args = json!({ "dirs": [{ "path": "skills", "scope": "project" }], "max_depth": 1 });
    let mut case = case("discover_skills", &args, expect);
    let file = "---\nname: Odd Name\ndescription: Does it.\nmetadata:\n  a: b\n---\nBody.\n";
    case["setup"] = json!({ "files": { "skills/odd/SKILL.md": file } });
    case
}

fn list_case(skills: usize, expect: &Value) -> Value {
    let skill = |number| json!({ "name": format!("s{number}"), "description": "Does <it> & \"that\".", "location": "/s" });
    let skills: Vec<_> = (0..skills).map(skill).collect();
    case("format_skills", &json!({ "skills": skills, "max_chars": 1200 }), expect)
}

#[test]
fn a_folder_without_a_case_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    assert!(find(folder.path()).unwrap_err().to_string().contains("there is no case"));
    assert!(find(Path::new("/nowhere/at/all")).unwrap_err().to_string().contains("/nowhere"));
}

#[test]
fn a_failure_is_one_line_with_name_expectation_and_outcome() {
    let wrong = text_case("one\ntwo", &json!("three"));
    let (summary, lines) = outcome(&wrong.to_string());
    assert_eq!((summary.passed, summary.failed, summary.skipped), (0, 1, 0));
    let line = "FAILED the-case: expect.results[0].text: expected \"three\", got \"one\\ntwo\"\n";
    assert_eq!(lines, line);
}

#[test]
fn a_file_that_is_no_case_is_a_failure() {
    let (summary, lines) = outcome("{");
    assert_eq!(summary.failed, 1);
    assert!(lines.starts_with("FAILED the-case: "), "{lines}");
}

#[test]
fn a_key_that_is_not_known_is_a_failure_wherever_it_stands() {
    let sound = skill_case(&json!({ "skills": [{ "name": "Odd Name" }] }));
    check_passes(&sound);
    for place in ["", "/setup", "/context", "/context/flags", "/call", "/call/args", "/expect"] {
        let mut case = sound.clone();
        case["context"] = json!({ "flags": {} });
        case.pointer_mut(place).unwrap()["novelty"] = json!("x");
        check_fails(&case, "novelty");
    }
}

#[test]
fn a_condition_that_is_not_known_is_a_failure_wherever_it_stands() {
    let expectations = [
        json!({ "skills": [{ "novelty": 1 }] }),
        json!({ "skills": [{ "name": { "novelty": 1 } }] }),
        json!({ "skills_include": [{ "novelty": 1 }] }),
        json!({ "skills_any_of": [[{ "name": "Odd Name" }], [{ "novelty": 1 }]] }),
        json!({ "diagnostics": { "novelty": true } }),
        json!({ "diagnostics": { "exclude": [{ "novelty": 1 }] } }),
        json!({ "diagnostics": { "exclude": [{ "kind": { "novelty": 1 } }] } }),
        json!({ "each_run": { "novelty": 1 } }),
        json!({ "runs": [{ "novelty": 1 }] }),
    ];
    for expect in expectations {
        check_fails(&skill_case(&expect), "novelty");
    }
    check_fails(
        &list_case(1, &json!({ "xml": { "tag": "available_skills", "novelty": 1 } })),
        "novelty",
    );
    check_fails(
        &case("environment_block", &json!({}), &json!({ "fields": { "novelty": 1 } })),
        "novelty",
    );
}

#[test]
fn a_case_for_a_feature_that_is_not_offered_is_skipped() {
    let mut case = text_case("x", &json!("y"));
    case["feature"] = json!("teleportation");
    check_skips(&case, "teleportation");
    for feature in ["imports", "list_budget", "manual_only"] {
        case["feature"] = json!(feature);
        check_fails(&case, "expected \"y\", got \"x\"");
    }
    case["call"]["op"] = json!("do_wonders");
    check_fails(&case, "do_wonders");
}

#[test]
fn a_need_that_is_not_known_is_a_failure() {
    let mut case = text_case("x", &json!("x"));
    case["setup"] = json!({ "needs": "case_sensitive_fs" });
    let (summary, _) = outcome(&case.to_string());
    assert_eq!(summary.failed, 0);
    case["setup"] = json!({ "needs": ["a_moon"] });
    check_fails(&case, "a_moon");
}

#[test]
fn each_condition_on_a_text_can_hold_and_can_fail() {
    let text = "ABC äöü abc";
    let table = [
        (json!({ "contains": "äö" }), json!({ "contains": ["ABC", "ABD"] })),
        (json!({ "not_contains": ["x", "y"] }), json!({ "not_contains": ["x", "abc"] })),
        (json!({ "starts_with": "ABC " }), json!({ "starts_with": "abc" })),
        (json!({ "matches": "(?i)^abc.*abc$" }), json!({ "matches": "^b" })),
        (json!({ "matches": "^(?!.*xyz)" }), json!({ "matches": "^(?!.*abc)" })),
        (json!({ "not_matches": "\\d" }), json!({ "not_matches": ["\\d", "\\s"] })),
        (json!({ "min_bytes": 14 }), json!({ "min_bytes": 15 })),
        (json!({ "max_bytes": 14 }), json!({ "max_bytes": 13 })),
        (json!({ "max_chars": 11 }), json!({ "max_chars": 10 })),
        (json!({ "count": { "b": 1, "B": 1, "z": 0 } }), json!({ "count": { "b": 2 } })),
        (json!({}), json!({ "matches": "(" })),
        (json!({}), json!({ "ends_with": "abc" })),
    ];
    for (holds, fails) in table {
        check_passes(&text_case(text, &holds));
        check_fails(&text_case(text, &fails), "expect.results[0].text");
    }
}

#[test]
fn a_limit_may_come_from_an_argument() {
    let expect = |limit: &str| json!({ "text": { "max_bytes_from": limit } });
    let mut case = list_case(40, &expect("max_chars"));
    check_passes(&case);
    case["expect"] = expect("no_such_argument");
    check_fails(&case, "argument");
}

#[test]
fn a_list_of_skills_is_read_as_markup() {
    let skill = json!({ "name": "s0", "description": "Does <it> & \"that\".", "location": "/s" });
    let parts = json!({ "name": "s0", "description_contains": ["<it>", "&"] });
    for skill in [skill, parts] {
        let xml = json!({ "tag": "available_skills", "min_skills": 1, "skills": [skill] });
        check_passes(&list_case(1, &json!({ "xml": xml })));
    }
    let failures = [
        json!({ "tag": "no_such_tag" }),
        json!({ "tag": "available_skills", "skills": [] }),
        json!({ "tag": "available_skills", "skills": [{ "description": "Does &lt;it" }] }),
        json!({ "tag": "available_skills", "skills": [{ "description_contains": ["&lt;"] }] }),
        json!({ "tag": "available_skills", "min_skills": 2 }),
        json!({ "tag": "available_skills", "prefix_of_input": true }),
    ];
    for xml in failures {
        check_fails(&list_case(1, &json!({ "xml": xml })), "expect.xml");
    }
    let part = json!({ "tag": "available_skills", "prefix_of_input": true, "min_skills": 2 });
    check_passes(&list_case(40, &json!({ "xml": part, "text": { "matches": "\\d+ more" } })));
}

#[test]
fn diagnostics_are_compared_by_what_is_listed() {
    let path = "skills/odd/SKILL.md";
    let holds = [
        json!({ "include": [{ "path": path, "kind": "name_invalid", "severity": "warning" }] }),
        json!({ "exclude": [{ "path": path, "kind": "yaml_invalid" }] }),
        json!({ "exclude_kinds": ["shadowed"], "no_severity": ["error"] }),
        json!({ "min_for_path": { path: 2 } }),
        json!({ "min_for_path": { "path": path, "count": 2 } }),
    ];
    for diagnostics in holds {
        check_passes(&skill_case(&json!({ "diagnostics": diagnostics })));
    }
    let fails = [
        json!({ "none": true }),
        json!({ "include": [{ "path": path, "kind": "shadowed" }] }),
        json!({ "exclude": [{ "kind": "name_invalid" }] }),
        json!({ "exclude_kinds": ["name_mismatch"] }),
        json!({ "no_severity": "warning" }),
        json!({ "min_for_path": { path: 3 } }),
    ];
    for diagnostics in fails {
        check_fails(&skill_case(&json!({ "diagnostics": diagnostics })), "expect.diagnostics");
    }
}

#[test]
fn skills_are_compared_in_number_order_and_listed_keys() {
    let whole = json!({
        "name": "Odd Name", "description": { "contains": "it" }, "body": "Body.",
        "location": "skills/odd/SKILL.md", "scope": "project", "license": null,
        "metadata": { "a": "b" }, "allowed_tools": [],
    });
    check_passes(&skill_case(&json!({ "skills": [whole] })));
    check_passes(&skill_case(
        &json!({ "skills": [{ "location": "${ROOT}/skills/odd/SKILL.md" }] }),
    ));
    check_passes(&skill_case(&json!({ "skills_include": [{ "name": "Odd Name" }] })));
    check_passes(&skill_case(&json!({ "skills_any_of": [[], [{ "body": "Body." }]] })));
    for expect in [
        json!({ "skills": [] }),
        json!({ "skills": [{ "metadata": { "a": "c" } }] }),
        json!({ "skills_include": [{ "name": "Odd" }] }),
        json!({ "skills_any_of": [[], [{ "body": "" }]] }),
    ] {
        check_fails(&skill_case(&expect), "expect.skills");
    }
}

#[test]
fn a_failure_passes_only_where_it_is_expected() {
    let args = json!({ "max_depth": 1 });
    check_fails(&case("discover_skills", &args, &json!({})), "dirs");
    let rendering = json!({ "name": "a.txt", "cases": [{ "template": "\n{{ b }}" }] });
    let error = |kind: &str, part: &str| json!({ "results": [{ "error": { "kind": kind, "mentions": [part, "a.txt"] } }] });
    check_passes(&case("render_template", &rendering, &error("undefined", "b")));
    check_fails(&case("render_template", &rendering, &error("syntax", "b")), "undefined");
    check_fails(&case("render_template", &rendering, &error("undefined", "c")), "undefined");
}

#[test]
fn runs_lay_arguments_and_context_over_the_base() {
    let mut case =
        case("assemble_prompt", &json!({ "sections": ["A."], "messages": [] }), &json!({}));
    case["context"] = json!({ "flags": { "agent": "plan" } });
    case["call"]["apply"] = json!(2);
    case["call"]["runs"] = json!([
        {},
        { "args": { "sections": ["B."] } },
        { "context": { "flags": { "max_steps_reached": true } } },
    ]);
    case["expect"] = json!({
        "each_run": { "system": { "matches": "^[AB]\\." } },
        "runs": [
            { "system": { "starts_with": "A." }, "reminders": ["plan"] },
            { "system": { "starts_with": "B." }, "reminders": ["plan"] },
            { "reminders": ["max_steps"] },
        ],
    });
    check_passes(&case);
    case["expect"]["all_runs_equal"] = json!(false);
    check_passes(&case);
    case["expect"] = json!({ "all_runs_equal": true });
    check_fails(&case, "all_runs_equal");
    case["expect"] = json!({ "runs": [{}, {}] });
    check_fails(&case, "3 runs");
}

#[test]
fn what_a_context_leaves_open_is_not_known() {
    let mut case = case("environment_block", &json!({}), &json!({ "fields": { "model": null } }));
    check_passes(&case);
    case["context"] = json!({ "model": null, "provider": null, "cwd": null });
    check_passes(&case);
    case["context"] = json!({ "model": "a-model" });
    check_fails(&case, "a-model");
}

#[test]
fn texts_of_runs_are_compared_line_by_line() {
    let mut case = case("build_default_prompt", &json!({}), &json!({ "differing_lines_max": 1 }));
    case["call"]["runs"] = json!([
        { "context": { "clock": "2026-03-05T10:00:00Z" } },
        { "context": { "clock": "2026-03-06T10:00:00Z" } },
    ]);
    check_passes(&case);
    case["expect"] = json!({ "differing_lines_max": 0 });
    check_fails(&case, "1 of");
}

#[test]
fn calls_are_repeated_side_by_side_and_each_is_compared() {
    let mut case =
        skill_case(&json!({ "skills": [{ "name": "Odd Name" }], "all_runs_equal": true }));
    (case["call"]["repeat"], case["call"]["parallel"]) = (json!(6), json!(3));
    check_passes(&case);
    case["expect"] = json!({ "skills": [{ "name": "Other" }] });
    check_fails(&case, "and 5 more");
}

#[test]
fn files_are_written_byte_by_byte_and_links_lead_where_they_say() {
    let body =
        json!({ "parts": ["---\nname: a\ndescription: A.\n---\n", { "repeat": "é", "times": 3 }] });
    let mut case =
        skill_case(&json!({ "skills": [{ "name": "a", "body": "ééé" }, { "body": "Body." }] }));
    case["setup"] = json!({
        "dirs": ["skills/empty"],
        "files": {
            "skills/a/SKILL.md": body,
            "skills/b/TEXT": { "base64": "LS0tCmRlc2NyaXB0aW9uOiBCLgotLS0KQm9keS4=" },
        },
        "symlinks": { "skills/b/SKILL.md": "TEXT" },
    });
    check_passes(&case);
}

#[test]
fn a_repository_is_built_step_by_step() {
    let expect = |branch: &str, lines: &Value| {
        json!({ "fields": {
            "is_git": true, "branch": branch, "status_lines": lines, "status_truncated": false,
            "recent_commits": { "matches": "^[0-9a-f]{7,} first$" }, "date": "2026-03-05",
        } })
    };
    let mut case =
        case("environment_block", &json!({}), &expect("trunk", &json!(["?? b.txt", "?? n-0"])));
    case["context"] = json!({ "cwd": "repo", "clock": "2026-03-05T23:00:00-08:00" });
    case["setup"] = json!({
        "files": { "repo/a.txt": "a", "repo/b.txt": "b" },
        "git": [
            { "do": "init", "dir": "repo", "branch": "trunk" },
            { "do": "commit", "dir": "repo", "message": "first", "paths": ["a.txt"] },
            { "do": "worktree", "dir": "repo", "branch": "side", "path": "tree" },
            { "do": "many_files", "dir": "repo", "count": 1, "name": "n-{i}" },
        ],
    });
    check_passes(&case);
    case["expect"] = json!({ "fields": { "recent_commits": ["first"] } });
    check_passes(&case);
    case["context"]["cwd"] = json!("tree");
    case["expect"] = expect("side", &json!([]));
    check_passes(&case);
    case["setup"]["git"] = json!([{ "do": "rewrite", "dir": "repo" }]);
    check_fails(&case, "rewrite");
}
