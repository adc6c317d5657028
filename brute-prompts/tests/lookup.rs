//! Where the words of a module come from, and what becomes of their lines.

use std::fs;

use brute_prompts::{
    PromptContext, PromptErrorKind, Rendered, SystemPrompt, Texts, ToolNames, Zone,
};
use tempfile::TempDir;

fn ctx(provider: &str) -> PromptContext {
    PromptContext { tools: ToolNames::only(["read", "shell"]), ..PromptContext::new(provider, "") }
}

/// Renders one module with these words.
fn render_in(ctx: &PromptContext, words: &str) -> Rendered {
    let texts = Texts::shipped().with([("own/default.txt", words)]).unwrap();
    SystemPrompt::new(["own"]).texts(texts).prepare(ctx).unwrap()
}

#[track_caller]
fn check(words: &str, expected: &str) {
    assert_eq!(render_in(&ctx(""), words).text(), expected);
}

#[track_caller]
fn check_zone(words: &str, zone: Zone) {
    let rendered = render_in(&ctx(""), words);
    assert_eq!(rendered.get("own").unwrap().zone, zone, "{words}");
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn a_familys_own_words_come_before_the_default_ones() {
    let texts = Texts::shipped();
    let source = |family| texts.source("identity", family);
    assert_eq!(source("anthropic"), Some("text/identity/anthropic.txt"));
    assert_eq!(source("ollama"), Some("text/identity/default.txt"));
    assert_eq!(source("unknown"), Some("text/identity/default.txt"));
    assert_eq!(source("../identity/anthropic"), Some("text/identity/default.txt"));
    assert_eq!(texts.source("nothing", "anthropic"), None);
}

#[test]
fn an_overlay_shadows_the_folder_of_a_module_whole() {
    let overlay = folder(&[("identity/openai.txt", "Mine.\n"), ("git_safety/default.txt", "Ask.")]);
    let prompt = SystemPrompt::new(["identity", "git_safety", "conventions"]);
    let prompt = prompt.overlay(overlay.path()).unwrap();
    let openai = prompt.prepare(&ctx("openai")).unwrap();
    assert!(openai.text().starts_with("Mine.\n\nAsk.\n\n# "));
    assert!(openai.sections()[0].source.ends_with("identity/openai.txt"));
    let anthropic = prompt.prepare(&ctx("anthropic")).unwrap();
    assert!(anthropic.get("identity").is_none(), "only the overlay's files count");
}

#[test]
fn an_overlay_may_hold_new_modules_and_silence_old_ones() {
    let overlay = folder(&[("house_rules/default.txt", "Be kind.")]);
    fs::create_dir(overlay.path().join("conventions")).unwrap();
    let prompt = SystemPrompt::new(["conventions", "house_rules"]).overlay(overlay.path()).unwrap();
    assert_eq!(prompt.prepare(&ctx("")).unwrap().text(), "Be kind.");
}

#[test]
fn overlays_lie_on_top_of_each_other() {
    let first = folder(&[("identity/default.txt", "First."), ("code_style/default.txt", "Kept.")]);
    let second = folder(&[("identity/default.txt", "Second.")]);
    let prompt = SystemPrompt::new(["identity", "code_style"]);
    let prompt = prompt.overlay(first.path()).unwrap().overlay(second.path()).unwrap();
    assert_eq!(prompt.prepare(&ctx("")).unwrap().text(), "Second.\n\nKept.");
}

#[test]
fn hidden_files_and_other_endings_are_no_words() {
    let files = [
        ("identity/default.txt", "Mine."),
        ("identity/.openai.txt", "Hidden."),
        ("identity/openai.txt~", "Backup."),
        ("identity/notes.md", "Notes."),
        (".git/config.txt", "Hidden."),
        ("README.txt", "Read me."),
    ];
    let overlay = folder(&files);
    let prompt = SystemPrompt::new(["identity"]).overlay(overlay.path()).unwrap();
    assert_eq!(prompt.prepare(&ctx("openai")).unwrap().text(), "Mine.");
}

#[test]
fn words_have_one_kind_of_line_end_and_no_byte_order_mark() {
    let words =
        "\u{feff}# A\r\n\r\n- `{{ tools.write }}` it\r\n- `{{ tools.read }}` it\r\n\r\nb\r\n";
    check(words, "# A\n\n- `read` it\n\nb");
    let overlay = folder(&[("own/default.txt", words)]);
    let prompt = SystemPrompt::new(["own"]).overlay(overlay.path()).unwrap();
    assert_eq!(prompt.prepare(&ctx("")).unwrap().text(), "# A\n\n- `read` it\n\nb");
}

#[cfg(unix)]
#[test]
fn words_behind_a_link_that_leads_nowhere_are_an_error_and_not_silence() {
    let overlay = folder(&[("git_safety/openai.txt", "Mine.")]);
    let link = overlay.path().join("git_safety/default.txt");
    std::os::unix::fs::symlink("gone.txt", &link).unwrap();
    let error = SystemPrompt::default().overlay(overlay.path()).unwrap_err();
    assert_eq!((error.kind(), error.file()), (PromptErrorKind::Io, link.to_str()));
}

#[test]
fn an_overlay_that_cannot_be_read_is_an_error_that_names_the_path() {
    let folder = TempDir::new().unwrap();
    let error = SystemPrompt::default().overlay(folder.path().join("gone")).unwrap_err();
    assert_eq!(error.kind(), PromptErrorKind::Io);
    assert!(error.file().unwrap().ends_with("gone"), "{error}");

    fs::create_dir(folder.path().join("identity")).unwrap();
    fs::write(folder.path().join("identity/default.txt"), b"\xff\xfe").unwrap();
    let error = SystemPrompt::default().overlay(folder.path()).unwrap_err();
    assert_eq!(error.kind(), PromptErrorKind::NotUtf8);
    assert!(error.file().unwrap().ends_with("default.txt"), "{error}");
}

#[test]
fn bad_syntax_in_an_overlay_is_found_when_it_is_laid() {
    let overlay = folder(&[("identity/default.txt", "one\n{% if x %}\n")]);
    let error = SystemPrompt::default().overlay(overlay.path()).unwrap_err();
    assert_eq!(error.kind(), PromptErrorKind::Syntax);
    assert!(error.file().unwrap().ends_with("default.txt"), "{error}");
    assert!(error.line().is_some());
}

#[test]
fn words_that_are_nested_too_deep_are_refused_when_they_are_laid() {
    let line = format!("one\n{}", "{{ tools.read }} ".repeat(20_000));
    for words in [line, format!("one\n{{{{ cwd{} }}}}", ".x".repeat(20_000))] {
        let overlay = folder(&[("identity/default.txt", words.as_str())]);
        let error = SystemPrompt::default().overlay(overlay.path()).unwrap_err();
        assert_eq!((error.kind(), error.line()), (PromptErrorKind::Syntax, Some(2)), "{error}");
        assert!(error.file().unwrap().ends_with("default.txt"), "{error}");
    }
}

#[test]
fn an_undefined_name_in_words_is_an_error_with_section_file_line_and_known_names() {
    let words =
        "A rule with `{{ tools.read }}`.\nA rule with `{{ tools.shell }}`.\nIn {{ cwdd }}.\n";
    let texts = Texts::shipped().with([("own/default.txt", words)]).unwrap();
    let error = SystemPrompt::new(["own"]).texts(texts).prepare(&ctx("")).unwrap_err();
    assert_eq!(error.kind(), PromptErrorKind::Undefined);
    assert_eq!((error.section(), error.file()), (Some("own"), Some("own/default.txt")));
    assert_eq!((error.line(), error.variable()), (Some(3), Some("cwdd")));
    assert!(error.known().iter().any(|name| name == "cwd"));
}

#[test]
fn a_tool_that_nobody_knows_is_an_error() {
    let texts = Texts::shipped().with([("own/default.txt", "Use `{{ tools.raed }}`.")]).unwrap();
    let error = SystemPrompt::new(["own"]).texts(texts).prepare(&ctx("")).unwrap_err();
    assert_eq!((error.kind(), error.variable()), (PromptErrorKind::Undefined, Some("tools.raed")));
    assert!(error.known().iter().any(|name| name == "read"));
}

#[test]
fn words_may_include_other_words() {
    let files = [("own/default.txt", "{% include 'text/code_style/default.txt' %}And more.")];
    let texts = Texts::shipped().with(files).unwrap();
    let text = SystemPrompt::new(["own"]).texts(texts.clone()).prepare(&ctx("")).unwrap().text();
    let shipped = SystemPrompt::new(["code_style"]).prepare(&ctx("")).unwrap().text();
    assert_eq!(text, format!("{shipped}\nAnd more."));

    let error = texts.with([("own/default.txt", "{% include 'nope' %}")]).unwrap();
    let error = SystemPrompt::new(["own"]).texts(error).prepare(&ctx("")).unwrap_err();
    assert_eq!(error.kind(), PromptErrorKind::MissingTemplate);
}

#[test]
fn a_value_cannot_close_the_container_of_words_that_were_included() {
    let files =
        [("instructions/default.txt", "{% include 'text/instructions/default.txt' %}\nReally.")];
    let texts = Texts::shipped().with(files).unwrap();
    let ctx = PromptContext { custom_rules: Some("a</project_rules>b".into()), ..ctx("") };
    let text = SystemPrompt::new(["instructions"]).texts(texts).prepare(&ctx).unwrap().text();
    assert!(text.contains("a&lt;/project_rules>b") && text.ends_with("Really."), "{text}");
}

#[test]
fn paths_of_words_have_one_form() {
    for path in ["identity.txt", "a/b/c.txt", "/a.txt", "a/.txt", "a/b.md", "../a/b.txt", "./b.txt"]
    {
        let error = Texts::shipped().with([(path, "x")]).unwrap_err();
        assert_eq!((error.kind(), error.file()), (PromptErrorKind::InvalidName, Some(path)));
    }
}

#[test]
fn a_tool_is_called_by_the_name_under_which_it_is_on_offer() {
    let tools = ToolNames::of([("edit", "apply_patch")]);
    let ctx = PromptContext { tools, ..PromptContext::default() };
    assert_eq!(render_in(&ctx, "Use `{{ tools.edit }}`.").text(), "Use `apply_patch`.");
}

#[test]
fn a_line_that_names_an_absent_tool_disappears() {
    check("a\n- `{{ tools.write }}` it\n- `{{ tools.read }}` it\nb\n", "a\n- `read` it\nb");
    check("`{{ tools.read }}` and `{{ tools.write }}`\nb", "b");
    check("a\nlast `{{ tools.write }}`", "a");
    check("`{{- tools.write -}}`\nb", "b");
}

#[test]
fn a_line_with_tags_is_left_to_its_author() {
    check("{% if tools.write %}`{{ tools.write }}`{% else %}none{% endif %}\n", "none");
    check("{% raw %}\n`{{ tools.write }}`\n{% endraw %}", "`{{ tools.write }}`");
}

#[test]
fn a_heading_without_text_disappears() {
    check("# A\n\n## B\n`{{ tools.write }}`\n\n## C\nc\n", "# A\n\n## C\nc");
    check("# A\n\n## B\n`{{ tools.write }}`\n\n# C\nc\n", "# C\nc");
    check("a\n\n# B\n\n`{{ tools.write }}`\n", "a");
    check("# A\n\nb\n", "# A\n\nb");
}

#[test]
fn a_section_of_nothing_but_headings_is_left_out() {
    assert!(render_in(&ctx(""), "# A\n\n`{{ tools.write }}`\n").is_empty());
    assert!(render_in(&ctx(""), " \n\t\n").is_empty());
    assert!(render_in(&ctx(""), "").is_empty());
}

#[test]
fn blank_lines_do_not_pile_up_but_code_keeps_its_own() {
    check("\n\na\n\n\n`{{ tools.write }}`\n\nb\n\n", "a\n\nb");
    check("```\n# no heading\n\n\n\nx\n```\n", "```\n# no heading\n\n\n\nx\n```");
}

#[test]
fn values_keep_their_lines() {
    let rules = "# Rules\n\n\n\n## Empty\n\n```\n";
    let ctx = PromptContext { custom_rules: Some(rules.into()), ..ctx("") };
    let rendered = render_in(&ctx, "<r>\n{{ custom_rules }}\n</r>\n\n\n# Gone\n");
    assert_eq!(rendered.text(), format!("<r>\n{rules}\n</r>"));
}

#[test]
fn two_values_side_by_side_close_no_container() {
    let mut ctx = ctx("");
    ctx.extra.insert("a".into(), "</".into());
    ctx.extra.insert("b".into(), "own>".into());
    let rendered = render_in(&ctx, "<own>{{ a }}{{ b }}</own>");
    assert_eq!(rendered.text(), "<own>&lt;/own></own>");
}

#[test]
fn the_zone_of_words_follows_from_what_they_look_at() {
    check_zone("Use `{{ tools.read }}`.", Zone::Static);
    check_zone("In {{ cwd or 'some place' }}.", Zone::Session);
    check_zone("{% if agent %}x{% endif %}Go.", Zone::Dynamic);
    check_zone("{% if team is defined %}x{% endif %}Go.", Zone::Static);
    check_zone("{% for n in range(2) %}{{ n }}{% endfor %}", Zone::Static);
}

#[test]
fn words_change_with_everything_they_look_at() {
    let words = "{% if team is defined %}For {{ team }}.{% else %}For all.{% endif %} {{ cwd or 1 }} {{ tools.read }}";
    let texts = Texts::shipped().with([("own/default.txt", words)]).unwrap();
    let prompt = SystemPrompt::new(["own"]).texts(texts);
    let text = |ctx: &PromptContext| prompt.prepare(ctx).unwrap().text();
    let mut other = ctx("");
    for _ in 0..2 {
        assert_eq!(text(&ctx("")), "For all. 1 read");
        other.extra.insert("team".into(), "tools".into());
        assert_eq!(text(&other), "For tools. 1 read");
        other.cwd = Some("/srv".into());
        assert_eq!(text(&other), "For tools. /srv read");
        other.tools = ToolNames::of([("read", "read_file")]);
        assert_eq!(text(&other), "For tools. /srv read_file");
        other = ctx("");
    }
}

#[test]
fn more_contexts_than_are_remembered_still_get_their_own_words() {
    let texts = Texts::shipped().with([("own/default.txt", "{{ cwd }} {{ tools.read }}")]).unwrap();
    let prompt = SystemPrompt::new(["own"]).texts(texts);
    for _ in 0..2 {
        for index in 0..40 {
            let (cwd, read) = (format!("/srv/{index}"), format!("read_{index}"));
            let tools = ToolNames::of([("read", read.clone())]);
            let ctx = PromptContext { cwd: Some(cwd.clone().into()), tools, ..ctx("") };
            assert_eq!(prompt.prepare(&ctx).unwrap().text(), format!("{cwd} {read}"));
        }
    }
}

#[test]
fn words_that_would_lose_what_their_module_says_are_refused_when_they_are_laid() {
    for (path, text, slot) in [
        ("instructions/default.txt", "Follow the rules.", "custom_rules"),
        ("skills/anthropic.txt", "There are skills.", "skills"),
        ("git_status/default.txt", "The tree is {{ cwd }}.", "git"),
    ] {
        let error = Texts::shipped().with([(path, text)]).unwrap_err();
        assert_eq!(error.kind(), PromptErrorKind::MissingSlot);
        assert!(error.to_string().contains(slot) && error.to_string().contains(path), "{error}");
    }
    for (path, text) in [
        ("instructions/default.txt", " \n"),
        ("instructions/default.txt", "{{ custom_rules }}"),
        ("skills/default.txt", "{% for skill in skills %}{{ skill.name }}{% endfor %}"),
        ("identity/default.txt", "You are Rex."),
    ] {
        assert!(Texts::shipped().with([(path, text)]).is_ok(), "{path}: {text}");
    }
}

#[test]
fn words_given_in_code_that_are_nested_too_deep_are_refused() {
    let words = format!("{{{{ {}true }}}}", "not ".repeat(50_000));
    assert!(Texts::shipped().with([("identity/default.txt", words)]).is_err());
}
