//! A rendered prompt: order, zones, joins and sizes.

use brute_prompts::{
    Module, PromptContext, PromptError, PromptModule, Rendered, SystemPrompt, Zone,
    estimated_tokens,
};

struct Fixed(&'static str, Zone, Option<&'static str>);

impl PromptModule for Fixed {
    fn render(&self, _: &PromptContext) -> Result<Option<String>, PromptError> {
        Ok(self.2.map(str::to_owned))
    }

    fn name(&self) -> &str {
        self.0
    }

    fn zone(&self) -> Zone {
        self.1
    }
}

fn render(modules: impl IntoIterator<Item = Module>) -> Rendered {
    SystemPrompt::new(modules).prepare(&PromptContext::new("openai", "gpt-5")).unwrap()
}

#[track_caller]
fn check_text(sections: &[Option<&'static str>], expected: &str) {
    let modules = sections.iter().map(|text| Fixed("x", Zone::Static, *text).into());
    let rendered = render(modules);
    assert_eq!(rendered.text(), expected);
    assert_eq!(rendered.to_string(), expected);
    assert_eq!((rendered.bytes(), rendered.is_empty()), (expected.len(), expected.is_empty()));
}

#[test]
fn sections_are_joined_by_one_blank_line() {
    check_text(&[Some("a"), Some("b"), Some("c")], "a\n\nb\n\nc");
    check_text(&[Some("A.\n"), Some("\n\nB.\n\n")], "A.\n\nB.");
}

#[test]
fn sections_that_say_nothing_leave_no_gap() {
    check_text(&[Some("A.\n"), None, Some(""), Some("  \n"), Some("B.")], "A.\n\nB.");
    check_text(&[None, Some(" \n")], "");
    check_text(&[], "");
}

#[test]
fn the_indent_of_a_first_line_is_kept() {
    check_text(&[Some(" \n  indented\n  too \n")], "  indented\n  too");
}

#[test]
fn dynamic_sections_move_behind_all_others_and_nothing_else_moves() {
    let modules = [
        Fixed("d1", Zone::Dynamic, Some("d1")),
        Fixed("s1", Zone::Static, Some("s1")),
        Fixed("e1", Zone::Session, Some("e1")),
        Fixed("d2", Zone::Dynamic, Some("d2")),
        Fixed("s2", Zone::Static, Some("s2")),
    ];
    let rendered = render(modules.map(Module::from));
    let order: Vec<(&str, Zone)> =
        rendered.iter().map(|section| (&*section.name, section.zone)).collect();
    let expected = [
        ("s1", Zone::Static),
        ("e1", Zone::Session),
        ("s2", Zone::Session),
        ("d1", Zone::Dynamic),
        ("d2", Zone::Dynamic),
    ];
    assert_eq!(order, expected, "a static section behind a session one counts as session");
}

#[test]
fn sizes_count_bytes_and_a_quarter_of_the_characters() {
    let rendered = render([Module::text("a", "äöü"), Module::text("b", "xyz")]);
    assert_eq!((rendered.bytes(), rendered.tokens()), (6 + 2 + 3, 2));
    let section = &rendered.sections()[0];
    assert_eq!((section.bytes(), section.tokens()), (6, 1));
    assert_eq!((estimated_tokens(""), estimated_tokens("abcde")), (0, 2));
}

#[test]
fn a_report_says_everything_about_a_prompt() {
    let rendered = render(["code_style".into(), Module::text("own", "Be kind.")]);
    let report = serde_json::to_value(rendered.report()).unwrap();
    let code_style = rendered.get("code_style").unwrap();
    assert_eq!(
        report,
        serde_json::json!({
            "provider": "openai",
            "model": "gpt-5",
            "family": "openai",
            "sections": [
                {
                    "name": "code_style",
                    "zone": "static",
                    "source": "text/code_style/default.txt",
                    "bytes": code_style.bytes(),
                    "tokens": code_style.tokens(),
                    "text": &*code_style.text,
                },
                {
                    "name": "own",
                    "zone": "static",
                    "source": "host",
                    "bytes": 8,
                    "tokens": 2,
                    "text": "Be kind.",
                },
            ],
            "text": rendered.text(),
            "bytes": rendered.bytes(),
            "tokens": rendered.tokens(),
        }),
    );
}

#[test]
fn a_rendered_prompt_can_be_kept_and_read_back() {
    let rendered = render(["identity".into(), Module::text("own", "Be kind.")]);
    let json = serde_json::to_string(&rendered).unwrap();
    assert_eq!(serde_json::from_str::<Rendered>(&json).unwrap(), rendered);
}

#[test]
fn equal_contexts_give_equal_bytes() {
    let ctx = || PromptContext {
        cwd: Some("/srv".into()),
        custom_rules: Some("Be kind.".into()),
        max_steps_reached: true,
        ..PromptContext::new("google", "gemini")
    };
    let prompt = SystemPrompt::default();
    assert_eq!(prompt.prepare(&ctx()).unwrap(), prompt.clone().prepare(&ctx()).unwrap());
}

#[test]
fn static_sections_are_the_same_for_everybody() {
    let of = |ctx: PromptContext| {
        let rendered = SystemPrompt::default().prepare(&ctx).unwrap();
        let sections = rendered.iter().filter(|section| section.zone == Zone::Static);
        sections.cloned().collect::<Vec<_>>()
    };
    let mine = PromptContext {
        cwd: Some("/home/me".into()),
        date: Some("Thu Mar 05 2026".into()),
        agent: Some("plan".into()),
        ..PromptContext::new("anthropic", "claude-1")
    };
    assert_eq!(of(mine), of(PromptContext::new("anthropic", "claude-2")));
}
