//! Commands with a slash in what a user wrote.

use std::fs;

use brute_prompts::skill::{
    Commands, ExpandError, ExpandOptions, Expansion, Skill, UnknownCommand, expand, fill, parse,
};
use regex::Regex;

/// Skills on disk with these names and texts.
fn skills(texts: &[(&str, &str)]) -> (tempfile::TempDir, Vec<Skill>) {
    let folder = tempfile::tempdir().unwrap();
    let skill = |(name, body): &(&str, &str)| {
        let location = folder.path().join(format!("{name}.md"));
        fs::write(&location, format!("---\nname: {name}\ndescription: d\n---\n\n{body}\n"))
            .unwrap();
        Skill { name: (*name).into(), location, ..Skill::default() }
    };
    let skills = texts.iter().map(skill).collect();
    (folder, skills)
}

const SKILLS: [(&str, &str); 4] = [
    ("commit", "Write a commit.\n\nRequest: {{user_input}}"),
    ("config", "Show settings. {{ user_input }}"),
    ("config-check", "Check settings. {{user_input}}"),
    ("test", "Run all tests."),
];

fn expand_with(options: ExpandOptions, input: &str) -> Result<Expansion, ExpandError> {
    let (_folder, skills) = skills(&SKILLS);
    expand(input, &skills, options)
}

#[track_caller]
fn check(input: &str, skill: &str, text: &str) {
    let expected = Expansion::Expanded { skill: skill.into(), text: text.into() };
    assert_eq!(expand_with(ExpandOptions::default(), input), Ok(expected));
}

#[track_caller]
fn check_plain(input: &str) {
    assert_eq!(expand_with(ExpandOptions::default(), input), Ok(Expansion::Plain), "{input}");
}

#[test]
fn a_leading_name_is_replaced_by_the_text_of_its_skill() {
    check("/commit fix the pager", "commit", "Write a commit.\n\nRequest: fix the pager");
    check("  \n/commit fix the pager ", "commit", "Write a commit.\n\nRequest: fix the pager");
    check(
        "/commit mention /test and /config",
        "commit",
        "Write a commit.\n\nRequest: mention /test and /config",
    );
    check("/config", "config", "Show settings. ");
    check("/config-check now", "config-check", "Check settings. now");
}

#[test]
fn arguments_run_over_as_many_lines_as_there_are() {
    check(
        "/commit\nfirst\n\n  - indented\nlast\n",
        "commit",
        "Write a commit.\n\nRequest: first\n\n  - indented\nlast",
    );
    check("/commit\t\u{a0}x", "commit", "Write a commit.\n\nRequest: x");
    check("/test\r\nunused", "test", "Run all tests.");
}

#[test]
fn arguments_go_in_as_they_are() {
    for words in
        ["cost $5, ${HOME}, $& and \\1 $0", "{{user_input}} {{ user_input }}", "{% raw %} <b>"]
    {
        check(
            &format!("/commit {words}"),
            "commit",
            &format!("Write a commit.\n\nRequest: {words}"),
        );
    }
}

#[test]
fn what_is_no_leading_name_stays_as_it_is() {
    for input in [
        "please run /commit",
        "/usr/bin/test fails",
        "/test/unit is empty",
        "/Users/me/notes.md",
        "//commit",
        "/",
        "/ commit",
        "/commit, please",
        "/config:check",
        "/Commit it",
        "/_x",
        "/9lives",
        "",
        "   ",
        "commit",
    ] {
        check_plain(input);
    }
}

#[test]
fn an_unknown_name_is_reported_and_stays_by_default() {
    let unknown = |name: &str| Ok(Expansion::Unknown { name: name.into() });
    assert_eq!(expand_with(ExpandOptions::default(), "/tmp is full"), unknown("tmp"));
    assert_eq!(expand_with(ExpandOptions::default(), "/comit x"), unknown("comit"));
    // A longer name is never taken for a shorter one.
    assert_eq!(expand_with(ExpandOptions::default(), "/testing"), unknown("testing"));
}

#[test]
fn an_unknown_name_can_be_an_error_that_names_the_known_ones() {
    let strict = ExpandOptions { unknown: UnknownCommand::Error, ..ExpandOptions::default() };
    let error = expand_with(strict, "/comit x").unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown skill \"comit\"; known skills: commit, config, config-check, test"
    );
    // Without skills nobody can have meant one.
    assert_eq!(expand("/comit x", &[], strict), Ok(Expansion::Unknown { name: "comit".into() }));
}

#[test]
fn arguments_can_be_put_behind_a_text_without_a_place_for_them() {
    let append = ExpandOptions { append_arguments: true, ..ExpandOptions::default() };
    assert_eq!(fill("Run all tests.", "src only", append), "Run all tests.\n\nsrc only");
    assert_eq!(fill("Run all tests.", "", append), "Run all tests.");
    assert_eq!(fill("Run {{user_input}}.", "src", append), "Run src.");
    assert_eq!(fill("Run all tests.", "src only", ExpandOptions::default()), "Run all tests.");
}

#[test]
fn nothing_but_the_placeholder_is_touched() {
    let body = "Use {{ .Values.image }} and {% raw %}. {{\tuser_input  }}: ${{ github.sha }} {{user_input}} {{ user_inputs }} {{{user_input}}}";
    let filled =
        "Use {{ .Values.image }} and {% raw %}. it: ${{ github.sha }} it {{ user_inputs }} {it}";
    assert_eq!(fill(body, "it", ExpandOptions::default()), filled);
}

#[test]
fn a_skill_that_people_may_not_call_is_unknown_to_them() {
    let (_folder, mut skills) = skills(&SKILLS);
    skills[0].user_invocable = false;
    let expansion = expand("/commit x", &skills, ExpandOptions::default());
    assert_eq!(expansion, Ok(Expansion::Unknown { name: "commit".into() }));
}

#[test]
fn a_skill_that_is_hidden_from_the_model_can_be_called_by_people() {
    let (_folder, mut skills) = skills(&SKILLS);
    skills[3].disable_model_invocation = true;
    assert!(matches!(
        expand("/test", &skills, ExpandOptions::default()),
        Ok(Expansion::Expanded { .. })
    ));
}

#[test]
fn a_skill_whose_file_has_gone_is_an_error_that_names_it() {
    let (folder, skills) = skills(&SKILLS);
    drop(folder);
    let error = expand("/test", &skills, ExpandOptions::default()).unwrap_err();
    assert!(
        matches!(&error, ExpandError::Body(_)) && error.to_string().contains("test.md"),
        "{error}"
    );
}

#[test]
fn the_first_command_that_matches_is_found() {
    let commands = Commands::new()
        .on("/clear", 1)
        .on_match(Regex::new("(?i)^!").unwrap(), 2)
        .when(|input| input.ends_with('?'), 3)
        .on("Model", 4)
        .on("clear", 5);
    let find = |input| {
        commands.find(input).map(|(handler, command)| (*handler, command.name, command.arguments))
    };
    assert_eq!(find("/clear"), Some((1, "clear", "")));
    assert_eq!(find(" /clear all\nof it "), Some((1, "clear", "all\nof it")));
    assert_eq!(find("!ls -l"), Some((2, "", "!ls -l")));
    assert_eq!(find("/help me?"), Some((3, "help", "me?")));
    assert_eq!(find("/Model small"), Some((4, "Model", "small")));
    assert_eq!(find("/clearing"), None);
    assert_eq!(find("clear"), None);
    assert_eq!(commands.names().collect::<Vec<_>>(), ["clear", "Model", "clear"]);
}

#[test]
fn a_command_is_taken_apart_without_being_looked_up() {
    let command = parse("/deploy to the moon").unwrap();
    assert_eq!((command.name, command.arguments), ("deploy", "to the moon"));
}
