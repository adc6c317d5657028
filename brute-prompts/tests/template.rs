//! Rendering a template with variables.

use std::error::Error as _;

use brute_prompts::{PromptErrorKind, Texts, template::render};
use serde_json::{Value, json};

#[track_caller]
fn check(template: &str, variables: &Value, expected: &str) {
    assert_eq!(render("page.html", template, variables).unwrap(), expected);
}

#[track_caller]
fn check_fails(template: &str, variables: &Value, kind: PromptErrorKind, mentions: &[&str]) {
    let error = render("intro.txt", template, variables).unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert_eq!(error.file(), Some("intro.txt"));
    for mention in mentions {
        assert!(error.to_string().contains(mention), "{mention:?} is not in {error}");
    }
}

#[test]
fn a_text_without_syntax_comes_out_untouched() {
    check("a } b { c\n", &json!({}), "a } b { c\n");
}

#[test]
fn the_last_line_break_is_kept() {
    check("{{ x }}\n", &json!({"x": 1}), "1\n");
}

#[test]
fn nothing_is_escaped_whatever_the_name_ends_in() {
    let text = r#"if a < b && c > "d": it's /ok/"#;
    for name in ["rules.txt", "rules.md", "skills.xml", "page.html", "env.xml.j2", "x.json", ""] {
        assert_eq!(render(name, "{{ x }}", &json!({"x": text})).unwrap(), text, "{name}");
    }
}

#[test]
fn the_xml_filter_escapes_five_characters_once_and_no_slash() {
    check(
        "{{ x | xml }}",
        &json!({"x": r#"/a&b/<c> "d" 'e'"#}),
        "/a&amp;b/&lt;c&gt; &quot;d&quot; &#39;e&#39;",
    );
    check("{{ x | xml }}", &json!({"x": "already &amp; once"}), "already &amp;amp; once");
    check("{{ x | xml }}", &json!({"x": 5}), "5");
}

#[test]
fn values_are_never_rendered_however_deep_or_often() {
    let rules = "Use {{ secret }} and {% for x in y %} and {# note #}";
    check("{{ rules }}", &json!({"rules": rules, "secret": "LEAK"}), rules);
    let docs = json!({"docs": [{"text": "{{ 7*7 }}"}]});
    check(
        "{{ docs[0].text }}|{{ docs|map(attribute=\"text\")|join }}",
        &docs,
        "{{ 7*7 }}|{{ 7*7 }}",
    );
}

#[test]
fn a_name_that_does_not_exist_is_an_error_wherever_it_stands() {
    let undefined = PromptErrorKind::Undefined;
    check_fails("Goal: {{ gaol }}", &json!({"goal": "x"}), undefined, &["gaol", "intro.txt"]);
    check_fails("{{ inputs.path }}", &json!({"inputs": {}}), undefined, &["inputs.path"]);
    check_fails("{{ a.b.c }}", &json!({"a": {}}), undefined, &["a.b"]);
    check_fails("{% if plan_mode %}x{% endif %}", &json!({}), undefined, &["plan_mode"]);
    check_fails("{% for s in skils %}{{ s }}{% endfor %}", &json!({}), undefined, &["skils"]);
    check_fails("{{ gone | upper }}", &json!({}), undefined, &["gone"]);
    check_fails("{{ gone | xml }}", &json!({}), undefined, &["gone"]);
    check_fails("{{ gone ~ 'x' }}", &json!({}), undefined, &["gone"]);
    check_fails("{{ gone + 1 }}", &json!({}), undefined, &["gone"]);
    check_fails("{% if gone == 1 or not gone %}x{% endif %}", &json!({}), undefined, &["gone"]);
}

#[test]
fn a_name_can_be_asked_for_and_given_a_default() {
    check("{{ x | default('none') }}", &json!({}), "none");
    check("{% if x is defined %}yes{% else %}no{% endif %}", &json!({}), "no");
}

#[test]
fn an_error_names_file_line_and_variable() {
    let error = render("intro.txt", "one\n\n{{ two }}\n", &json!({})).unwrap_err();
    assert_eq!((error.file(), error.line()), (Some("intro.txt"), Some(3)));
    assert_eq!(error.variable(), Some("two"));
    assert_eq!(error.to_string(), "variable `two` is not defined (intro.txt, line 3)");
    assert!(error.source().is_none());
}

#[test]
fn bad_syntax_is_an_error_with_its_line() {
    for template in ["a\n{{ x", "a\n{% if x %}", "a\n{% nonsense %}", "a\n{{ 'x }}", "a\n{{ x y }}"]
    {
        let error = render("intro.txt", template, &json!({"x": 1})).unwrap_err();
        assert_eq!(error.kind(), PromptErrorKind::Syntax, "{template:?}: {error}");
        assert!(error.line().is_some(), "{template:?}: {error}");
    }
}

#[test]
fn unknown_filters_functions_tests_and_templates_are_told_apart() {
    let none = json!({});
    check_fails("{{ 'x' | nope }}", &none, PromptErrorKind::UnknownFilter, &["nope"]);
    check_fails("{{ nope() }}", &none, PromptErrorKind::UnknownFunction, &["nope"]);
    check_fails("{{ 1 is nope }}", &none, PromptErrorKind::UnknownFunction, &["nope"]);
    check_fails("{{ 'x'.nope() }}", &none, PromptErrorKind::UnknownFunction, &["nope"]);
    check_fails("{% include 'nope.txt' %}", &none, PromptErrorKind::MissingTemplate, &["nope.txt"]);
    check_fails("{% extends 'nope.txt' %}", &none, PromptErrorKind::MissingTemplate, &["nope.txt"]);
}

#[test]
fn a_template_that_does_too_much_is_stopped() {
    let none = json!({});
    let loops = "{% for a in range(3000) %}{% for b in range(3000) %}x{% endfor %}{% endfor %}";
    check_fails(loops, &none, PromptErrorKind::Fuel, &["too long"]);
    let doublings =
        "{% set x = 'xxxxxxxx' %}".to_owned() + &"{% set x = x ~ x %}".repeat(28) + "{{ x }}";
    check_fails(&doublings, &none, PromptErrorKind::Fuel, &["too long"]);
    let recursion = "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}";
    assert!(render("intro.txt", recursion, &none).is_err());
    let huge = json!({"x": "x".repeat(9 << 20)});
    check_fails("{{ x }}", &huge, PromptErrorKind::OutputTooLarge, &["9437184 bytes"]);
}

#[test]
fn a_template_that_is_nested_too_deep_is_refused() {
    let chain = |start: &str, link: &str| format!("a\n{{{{ {start}{} }}}}", link.repeat(20_000));
    for (start, link) in [
        ("x", ".x"),
        ("x", "[0]"),
        ("x", "()"),
        ("x", " | upper"),
        ("x", " is defined"),
        ("1", "+1"),
        ("1", "~'}}'"),
        ("1", " if 1 else 1"),
        ("1 and ", "not "),
        ("1 ", "- "),
    ] {
        let error = render("intro.txt", &chain(start, link), &json!({"x": 1})).unwrap_err();
        assert_eq!(error.kind(), PromptErrorKind::Syntax, "{link}: {error}");
        assert_eq!((error.file(), error.line()), (Some("intro.txt"), Some(2)), "{link}");
    }
    let branches = format!("{{% if 0 %}}{}{{% endif %}}", "\n{%- elif 0 %}".repeat(20_000));
    check_fails(&branches, &json!({}), PromptErrorKind::Syntax, &["elif", "line 252"]);
}

#[test]
fn a_template_may_be_long_and_hold_long_lists() {
    let list = "\"a (b) [c] {{d}}\", ".repeat(2_000);
    check(&format!("{{% set x = [{list}] %}}{{{{ x | length }}}}"), &json!({}), "2000");
    let lines = "{{ x.y | default('}}') }} { %\n".repeat(5_000);
    check(&lines, &json!({"x": {"y": 1}}), &"1 { %\n".repeat(5_000));
}

#[test]
fn large_values_below_the_limit_pass() {
    let text = "line\n".repeat(200_000);
    check("{{ x }}", &json!({"x": text}), &text);
}

#[test]
fn values_cannot_be_nested_without_a_limit() {
    for template in [
        "{% set ns = namespace(a=[1]) %}{% for i in range(20000) %}{% set ns.a = [ns.a] %}{% endfor %}{{ ns.a }}".to_owned(),
        "{% set ns = namespace(a=[1]) %}{% for i in range(40) %}{% set ns.a = [ns.a, ns.a] %}{% endfor %}{{ ns.a }}".to_owned(),
        format!("{{% raw %}}{{{{ ' {{% endraw %}}{{{{ {}true }}}}", "not ".repeat(20_000)),
        format!("{{% raw %}}{{# {{% endraw %}}{{{{ {}true }}}}", "not ".repeat(20_000)),
    ] {
        let variables = std::collections::BTreeMap::<String, String>::new();
        assert!(brute_prompts::template::render("bomb", &template, &variables).is_err());
    }
}

#[test]
fn a_tag_far_to_the_right_is_an_error_and_never_a_panic() {
    let far = "x".repeat(70_000);
    let edge = "x".repeat(65_526);
    let quoted = format!("{{{{ \"{far}");
    for (source, line) in [
        (format!("{far}{{{{ \"abc"), 1),
        (format!("{edge}{{% raw %}}"), 1),
        (format!("{far}{{# abc"), 1),
        (format!("a\nb\n{far}{{% if"), 3),
        (format!("{{% raw %}}{far}"), 1),
        (quoted, 1),
        (format!("{far}{{{{ goal }}}}"), 1),
    ] {
        let error = render("far.txt", &source, &json!({ "goal": "x" }));
        let error = error.unwrap_err();
        assert_eq!((error.kind(), error.line()), (PromptErrorKind::Syntax, Some(line)), "{error}");
    }
    let overlay = Texts::shipped().with([("identity/default.txt", format!("{far}{{# abc"))]);
    assert_eq!(overlay.unwrap_err().kind(), PromptErrorKind::Syntax);
}

#[test]
fn columns_are_counted_in_characters() {
    for sign in ["x", "ж", "語", "🦀"] {
        let far = sign.repeat(64_000);
        check(&format!("{far}{{{{ goal }}}}"), &json!({ "goal": 1 }), &format!("{far}1"));
        let name = format!("{{{{ '{far}' ~ goal }}}}\n{{{{ goal }}}}");
        check(&name, &json!({ "goal": 1 }), &format!("{far}1\n1"));
        let source = format!("a\n{}{{{{ goal }}}}", sign.repeat(66_000));
        check_fails(&source, &json!({}), PromptErrorKind::Syntax, &["65000 characters", "line 2"]);
    }
}

#[test]
fn a_long_line_in_which_the_engine_cannot_fail_is_accepted() {
    let far = "語".repeat(70_000);
    let none = json!({});
    let json = format!("{{ \"a\": \"{far}\", \"b\": {{ }} }}");
    check(&format!("{json}\n{{{{ 1 }}}}\n{json}"), &none, &format!("{json}\n1\n{json}"));
    check(&format!("{{% raw %}}{far}{{% endraw %}}{far}"), &none, &format!("{far}{far}"));
    check(
        &format!("{far}{{% raw %}}{{{{{{% endraw %}}\n{{{{ 1 }}}}"),
        &none,
        &format!("{far}{{{{\n1"),
    );
    check(&format!("{{# {far} #}}a{{#- {far} -#}}\n{{{{ 1 }}}}"), &none, "a1");
    check(&format!("{{% set x = '{far}\n' %}}{{{{ x }}}}"), &none, &format!("{far}\n"));
    check(&format!("{{% set x = '{far}'\n%}}{{{{ x }}}}"), &none, &far);
    check(&format!("{{% set x = '{far}'   \r\n  %}}{{{{ x }}}}"), &none, &far);
}

#[test]
fn a_mistake_behind_a_long_line_is_an_error_and_never_a_panic() {
    let far = "語".repeat(70_000);
    for source in [
        format!("{{% set x = '{far}' %}}"),
        format!("{{% set x = '{far}' \u{a0}\n%}}"),
        format!("{{% set x = '{far}' ~ §\n%}}"),
        format!("{{% set x = 1 %}}{{# {far} #}}{{{{ 1_ }}}}"),
        format!("{{# {far} #}}{{{{ § }}}}"),
        format!("{{% raw %}}{far}{{% endraw %}}{{{{ 'a"),
        format!("{far}{{% raw %}}{{% endraw %}}{{# a"),
        format!("{{% raw %}}{far}{{% endraw x %}}"),
        format!("{{% raw x %}}{far}{{{{ § }}}}"),
        format!("{{# {far}\n{far}"),
        format!("{{{{ '{far}"),
        format!("{{{{ '{far}\\"),
        format!("{{{{ (1{far}"),
        format!("{{{{ 1 {} §", " ".repeat(70_000)),
        format!("{{{{ 1 {}", " ".repeat(70_000)),
    ] {
        let error = render("far.txt", &source, &json!({})).unwrap_err();
        assert_eq!(error.kind(), PromptErrorKind::Syntax, "{error}");
    }
    check_fails(&format!("{{# {far}\n"), &json!({}), PromptErrorKind::Syntax, &["comment"]);
}

#[test]
fn no_disguise_hides_how_deep_a_tag_is_nested() {
    let deep = format!("{}true", "not ".repeat(20_000));
    for source in [
        format!("{{{{ {{'a': {{}}}} and {deep} }}}}"),
        format!("{{{{ [{{'a': {{}}}}, 1 %}}, 2] and {deep} }}}}"),
        format!("{{% set x = {{'a': 1%}} %}}{{{{ {deep} }}}}"),
        format!("{{#}} {{{{ ' #}}{{{{ {deep} }}}}"),
        format!("{{% raw %}}{{%\u{a0}endraw %}}{{{{ '{{% endraw %}}{{{{ {deep} }}}}"),
        format!("{{{{ '{{% raw %}}' }}}}{{{{ {deep} }}}}"),
        format!("{{{{ {deep}"),
    ] {
        check_fails(&source, &json!({}), PromptErrorKind::Syntax, &["1000 parts"]);
    }
}

#[test]
fn the_time_to_check_grows_with_the_length_alone() {
    for piece in ["{{ x }}", "{# c #}", "{% set y = 'x' %}", "{", "{%", "{% raw %}{% endraw %}"] {
        let started = std::time::Instant::now();
        let _ =
            render("long.txt", &piece.repeat(20_000).replace("}}{{", "}}\n{{"), &json!({"x": 1}));
        assert!(started.elapsed().as_secs() < 5, "{piece}");
    }
}
