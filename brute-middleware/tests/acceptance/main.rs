//! What a user may rely on, from a prompt's first word to a session that is opened again.

mod files;
mod host;
mod prompt;
mod words;

use std::pin::Pin;

/// A check that panics where it does not hold.
type Check = fn() -> Pin<Box<dyn Future<Output = ()> + Send>>;

/// Names each check by the sentence that it holds.
macro_rules! checks {
    ($($name:literal => $check:path,)*) => { &[$(($name, || Box::pin($check()))),*] };
}

const CHECKS: &[(&str, Check)] = checks! {
    "a prompt is rendered when a turn passes and not before" => prompt::is_lazy,
    "behind a gateway the model decides on stack and words" => prompt::is_of_the_models_family,
    "a log with a system message stays as it is" => prompt::respects_a_system_message,
    "reminders stand in one order behind the instructions" => prompt::ends_in_reminders,
    "skills are listed without their bodies" => prompt::lists_skills,
    "an empty list of skills keeps the skills of the disk out" => prompt::takes_no_skills_for_an_answer,
    "a name that nobody gave fails and is named" => words::are_strict,
    "braces in a goal are text" => words::never_render_data,
    "a preamble tells two stages word for word" => words::tell_two_stages,
    "instruction files stay within their budget" => files::of_instructions_are_cut,
    "a command counts at the start and as a whole word" => words::begin_with_a_command,
    "a command in a preamble is text" => words::of_a_preamble_are_no_command,
    "workspace files stay within their budget and the model is warned once" => files::of_a_workspace_are_cut,
    "minimal mode keeps what a sub-agent needs" => prompt::can_be_minimal,
    "a provider replaces a section and what is stable stays in front" => prompt::takes_contributions,
    "the strongest prompt file counts and blank ones give way" => files::of_prompts_have_six_levels,
    "a prompt file counts as it was at the first request" => files::of_prompts_are_fixed,
    "the words that ship cannot ask for themselves" => files::cannot_ask_for_what_they_are,
    "comments on tool calls are asked for where the session was told so" => files::come_with_tool_preambles,
    "a prompt file knows how many tool calls fit" => files::know_how_many_calls_fit,
};

#[tokio::test]
async fn a_user_may_rely_on_every_one_of_these_sentences() {
    let mut failures = Vec::new();
    for (name, check) in CHECKS {
        if let Err(error) = tokio::spawn(check()).await {
            failures.push(format!("{name}: {}", said(error.into_panic())));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

fn said(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast::<String>().map(|text| *text);
    text.or_else(|panic| panic.downcast::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_default()
}
