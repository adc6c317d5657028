//! Names of variables as another template language spells them.

use std::borrow::Cow;

use regex::Captures;

use crate::pattern::Pattern;

/// Raw text, which stays as it is, or a variable such as `{{ .DefaultSystemPrompt }}`.
static NAMES: Pattern = Pattern::new(
    r"(?xs)
    \{%[-+]?\s*raw\s*[-+]?%\} .*? \{%[-+]?\s*endraw\s*[-+]?%\}
    | \{\{(-?)\s*\.([A-Za-z][A-Za-z0-9]*)\s*(-?)\}\}",
);

/// The variables whose names differ in more than their spelling.
const RENAMED: [(&str, &str); 3] = [
    ("builder_run_command", "run_command"),
    ("builder_launch_command", "run_command"),
    ("estimated_tool_calls_for_context", "estimated_tool_calls"),
];

/// Returns the template with these variables under our names; no line is added or taken.
pub(super) fn translated(template: &str) -> Cow<'_, str> {
    let Some(names) = NAMES.regex() else {
        return Cow::Borrowed(template);
    };
    names.replace_all(template, |found: &Captures<'_>| match found.get(2) {
        Some(name) => format!("{{{{{} {} {}}}}}", &found[1], variable(name.as_str()), &found[3]),
        None => found[0].to_owned(),
    })
}

fn variable(name: &str) -> String {
    let name = snake_case(name);
    let renamed = RENAMED.iter().find(|(theirs, _)| *theirs == name);
    renamed.map_or(name.clone(), |(_, ours)| (*ours).to_owned())
}

fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 8);
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
