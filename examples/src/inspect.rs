//! Prints a system prompt, as text or with everything that is known of it.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use brute_prompts::{
    Diagnostic, PromptContext, Rendered, SystemPrompt, ToolNames,
    gather::{GatherOptions, Today, gather},
    plain,
};
use tower::BoxError;

use crate::{arguments::Prompt, folder};

/// Prints the prompt that the default stack would render for these facts.
///
/// # Errors
/// Fails where a file, the directory or the date cannot be read, and where `out` is closed.
pub(crate) fn inspect(out: &mut impl Write, prompt: &Prompt) -> Result<(), BoxError> {
    let rendered = SystemPrompt::default().prepare(&context(prompt)?)?;
    write(out, &rendered, prompt.json)?;
    out.flush()?;
    Ok(())
}

fn write(out: &mut impl Write, rendered: &Rendered, as_json: bool) -> Result<(), BoxError> {
    if as_json {
        serde_json::to_writer_pretty(&mut *out, &rendered.report())?;
        writeln!(out)?;
    } else {
        writeln!(out, "{rendered}")?;
    }
    Ok(())
}

/// Collects the facts: those that were given, and for the rest those that are gathered.
fn context(prompt: &Prompt) -> Result<PromptContext, BoxError> {
    let mut options = GatherOptions::new(folder::open(&prompt.cwd)?);
    if let Some(date) = &prompt.date {
        options = options.clock(Today::parse(date)?);
    }
    let gathered = gather(&options);
    warn(&gathered.diagnostics);
    let mut ctx = PromptContext {
        tools: prompt.tools.as_deref().map_or_else(ToolNames::all, tool_names),
        custom_rules: prompt.rules.as_deref().map(rules).transpose()?.map(Into::into),
        agent: prompt.agent.as_deref().map(Into::into),
        agent_switched: prompt.agent_switched.as_deref().map(Into::into),
        max_steps_reached: prompt.max_steps,
        ..PromptContext::new(prompt.provider.as_str(), prompt.model.as_str())
    };
    gathered.facts.apply(&mut ctx);
    Ok(ctx)
}

/// Reads `read,edit=apply_patch`: the names that texts know, and the names on offer.
fn tool_names(list: &str) -> ToolNames {
    let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
    ToolNames::of(names.map(|name| name.split_once('=').unwrap_or((name, name))))
}

fn rules(file: &Path) -> Result<String, BoxError> {
    fs::read_to_string(file)
        .map_err(|error| format!("cannot read the rules {}: {error}", folder::shown(file)).into())
}

/// Says what was odd about the files; nothing of it stops the prompt.
fn warn(diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        // Without standard error there is nobody left to tell.
        drop(writeln!(io::stderr(), "{}", plain::visible(&diagnostic.to_string())));
    }
}
