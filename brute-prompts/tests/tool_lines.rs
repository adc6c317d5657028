//! Lines that come and go with the tools that they name.

use brute_prompts::{
    BUILT_IN_TOOLS, PromptContext, PromptError, PromptFile, PromptFileLevel, PromptSettings,
    SystemPrompt, Texts, ToolNames, template,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// What a host tells besides.
fn extra() -> Map<String, Value> {
    let extra = json!({
        "devtools": { "shell": "zsh", "name": "chrome" },
        "project": { "tools": { "shell": "fish" } },
        "yes": true,
        "rows": [1, 2],
        "goal": "g",
    });
    extra.as_object().unwrap().clone()
}

/// Renders a prompt file with these tools on offer.
fn tied(text: &str, tools: ToolNames) -> Result<String, PromptError> {
    let level = PromptFileLevel::Workspace;
    let file = PromptFile { path: "/ws/SYSTEM.md".into(), level, text: text.into() };
    let prompt = SystemPrompt::new(["identity"]);
    let prompt = prompt.configured(Some(&file), &PromptSettings::default());
    let extra = extra().into_iter().collect();
    let ctx = PromptContext { tools, extra, ..PromptContext::default() };
    let rendered = prompt.prepare(&ctx)?;
    let section = rendered.get("system_prompt");
    Ok(section.map(|section| section.text.to_string()).unwrap_or_default())
}

/// Renders the text without any condition, with all tools on offer.
fn untied(text: &str) -> Result<String, PromptError> {
    let mut variables = extra();
    let tools = BUILT_IN_TOOLS.map(|name| (name.to_owned(), Value::from(name)));
    variables.insert("tools".to_owned(), Value::Object(tools.into_iter().collect()));
    Ok(template::render("SYSTEM.md", text, &variables)?.trim().to_owned())
}

#[track_caller]
fn check(text: &str, with: &str, without: &str) {
    assert_eq!(untied(text).unwrap(), with, "untied {text:?}");
    assert_eq!(tied(text, ToolNames::all()).unwrap(), with, "with tools {text:?}");
    assert_eq!(tied(text, ToolNames::none()).unwrap(), without, "without tools {text:?}");
}

#[test]
fn a_line_goes_on_through_comments_tags_and_quotes_of_several_lines() {
    check("x\n{{ tools.read }} {# a\nb #}\nc", "x\nread \nc", "x\nc");
    check("{{ 'a'\n ~ 'b' }} {{ tools.read }}\nc", "ab read\nc", "c");
    check("{{ 'a\nb' }} {{ tools.read }}\nc", "a\nb read\nc", "c");
    check("{{\n tools.read\n}}.\nc", "read.\nc", "c");
    check("{{ [')', {'a': {'b': tools.read}}][1]['a']['b'] }}\nc", "read\nc", "c");
}

#[test]
fn a_line_with_a_statement_or_a_raw_part_is_left_to_its_author() {
    check("{% if true\n  and true %}{{ tools.read }}\n{% endif %}c", "read\nc", "None\nc");
    check(
        "{% raw %}{{ tools.read }}\n{{ tools.shell }}{% endraw %}",
        "{{ tools.read }}\n{{ tools.shell }}",
        "{{ tools.read }}\n{{ tools.shell }}",
    );
}

#[test]
fn only_tools_count_as_tools() {
    for text in [
        "{{ devtools.shell }}",
        "{{ devtools.name }}",
        "{{ project.tools.shell }}",
        "{{ project . tools.shell }}",
        "{{ goal ~ '/tools.md' }}",
        "{{ goal ~ \"/\\\"tools.md\" }}",
    ] {
        let expected = untied(text).unwrap();
        check(text, &expected, &expected);
    }
    check("a\n{{ goal ~ tools.read }}\n{{ (tools.shell) }}", "a\ngread\nshell", "a");
    check("a\n{{ tools.hammer|default('no') }} {{ tools.read }}\nb", "a\nno read\nb", "a\nb");
}

#[test]
fn the_word_raw_in_a_comment_or_in_quotes_means_nothing() {
    check("{# {% raw %} #}x\n- {{ tools.shell }} gone", "x\n- shell gone", "x");
    check("{{ '{% raw %}' }}\n- {{ tools.shell }}", "{% raw %}\n- shell", "{% raw %}");
    check("{{ '{#' }}\n- {{ tools.shell }}", "{#\n- shell", "{#");
    check("{#} {{ ' #}x\n- {{ tools.shell }}", "x\n- shell", "x");
}

#[test]
fn a_line_may_end_in_any_way() {
    for end in ["\n", "\r\n", "\r"] {
        let text = ["a", "- {{ tools.shell }}", "", "b"].join(end);
        check(&text, &["a", "- shell", "", "b"].join(end), &["a", "", "b"].join(end));
    }
}

#[test]
fn white_space_is_trimmed_as_without_the_condition() {
    check("a\n{{- tools.read }}\nb", "aread\nb", "a\nb");
    check("a\n  {{ tools.read -}}\n  b", "a\n  readb", "a\nb");
    check("{{ goal -}}\n  - {{ tools.read }}\nb", "g- read\nb", "g\nb");
    check("a\n- {{ tools.read }}  \n\n{%- if yes %} b{% endif %}", "a\n- read b", "a\n b");
    check("{% if yes -%}\n- {{ tools.read }}\n{%- endif %}\nb", "- read\nb", "b");
    check("a{# -#}\n {{ tools.read }}\n{#- -#}\n {{ tools.edit -}}\n b", "areadeditb", "ab");
}

#[test]
fn an_error_names_its_own_line() {
    for (text, line) in [
        ("{{ tools.read }}\n{{ nobody }}", 2),
        ("{{ tools.read }}\r{{ tools.read }}\n\n{{ nobody }}", 3),
        ("- {{ tools.read }} {# a\nb #}\n{{ (tools.read }}\n\n", 3),
        ("- {{ tools.read }}\n{{ tools.hammer }}\n\nb", 2),
        ("- {{ tools.read }}\n- {{ tools.read }} {# no end\n{{ tools.read }}", 3),
    ] {
        assert_eq!(tied(text, ToolNames::all()).unwrap_err().line(), Some(line), "{text:?}");
        assert_eq!(untied(text).unwrap_err().line(), Some(line), "untied {text:?}");
    }
}

#[test]
fn a_line_may_name_tools_often() {
    let text = format!("a\n{}\nb", "{{ tools.read }}".repeat(2_000));
    check(&text, &format!("a\n{}\nb", "read".repeat(2_000)), "a\nb");
}

#[test]
fn words_over_the_shipped_ones_are_tied_in_the_same_way() {
    let words = "Rex.\n- {{ tools.shell }} {# a\nb #}\n- {{ devtools.name }}";
    let texts = Texts::shipped().with([("identity/default.txt", words)]).unwrap();
    let prompt = SystemPrompt::new(["identity"]).texts(texts);
    let (tools, extra) = (ToolNames::none(), extra().into_iter().collect());
    let ctx = PromptContext { tools, extra, ..PromptContext::default() };
    assert_eq!(prompt.prepare(&ctx).unwrap().text(), "Rex.\n- chrome");
}

/// What templates are made of.
const PIECES: [&str; 44] = [
    "\n",
    "\n",
    "\r\n",
    "\r",
    " ",
    "  ",
    "- ",
    "word",
    "}",
    "{",
    "}}",
    "-}}",
    "é",
    "{{ tools.read }}",
    "{{- tools.shell }}",
    "{{ tools.edit -}}",
    "{{-tools.undo-}}",
    "{{ (tools.read) ~ '}}' }}",
    "{{\ntools.read\n}}",
    "{{ 'a' \n ~ 'b' }}",
    "{{ \"tools.x\" }}",
    "{{ devtools.shell }}",
    "{{ project.tools.shell -}}",
    "{{ {'a': {}} }}",
    "{{ '\\'}} \n' }}",
    "{{ goal ~ '/tools.md' }}",
    "{{ tools.hammer|default('') }}",
    "{{ tools.read or 1 }}",
    "{# c #}",
    "{#- {% raw %} -#}",
    "{# a\nb -#}",
    "{#}",
    "#}",
    "{#-#}",
    "{# {{ tools.read }} #}",
    "{% raw %}",
    "{% endraw %}",
    "{%- raw -%}",
    "{%- endraw -%}",
    "{% if yes -%}",
    "{%- if yes\n %}",
    "{% endif %}",
    "{%- endif -%}",
    "{% for row in rows %}x{% endfor %}",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn the_condition_changes_nothing_where_the_tools_are_on_offer(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..14),
    ) {
        let text = pieces.concat();
        let last_line = text.matches('\n').count() + 1;
        match (untied(&text), tied(&text, ToolNames::all())) {
            (Ok(untied), Ok(tied)) => prop_assert_eq!(tied, untied, "{:?}", text),
            (Err(untied), Err(tied)) => {
                prop_assert_eq!(tied.kind(), untied.kind(), "{:?}", text);
                // At the end of a text the engine names the line of the last tag.
                let is_at_end = untied.to_string().contains("unexpected end of input");
                let is_behind = tied.line() >= untied.line() && tied.line() <= Some(last_line);
                prop_assert!(tied.line() == untied.line() || is_at_end && is_behind, "{:?}", text);
            }
            (untied, tied) => prop_assert!(false, "{text:?}: {untied:?}, {tied:?}"),
        }
    }

    #[test]
    fn no_tied_line_prints_none(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..35]), 0..14),
    ) {
        if let Ok(text) = tied(&pieces.concat(), ToolNames::none()) {
            prop_assert!(!text.contains("None"), "{pieces:?}: {text:?}");
        }
    }
}
