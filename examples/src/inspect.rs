//! Prints a system prompt, as text or with everything that is known of it.

mod diff;
mod page;
mod pieces;
mod report;
mod schemas;
mod sources;

use std::{
    env, fs,
    io::{self, Write},
    path::Path,
};

use brute_prompts::{
    Diagnostic, Profile, PromptContext, PromptMode, PromptSettings, Rendered, SourceReport,
    SystemPrompt, ToolNames,
    gather::{
        GatherOptions, PromptFileOptions, Today, WorkspaceOptions, configured_settings, gather,
        resolve_prompt_file, workspace_root,
    },
    plain,
};
use tower::BoxError;

use crate::{
    arguments::{Mode, Prompt},
    folder,
};

/// A prompt, and the facts that it was rendered for.
pub(crate) struct Seen {
    ctx: PromptContext,
    rendered: Rendered,
}

/// Prints the prompt that the profile would render for these facts.
///
/// # Errors
/// Fails where a file, the directory or the date cannot be read, and where `out` is closed.
pub(crate) fn inspect(out: &mut impl Write, prompt: &Prompt) -> Result<(), BoxError> {
    if prompt.view.diff.is_empty() {
        show(out, prompt, &Seen::of(prompt)?)?;
    } else {
        diff::diff(out, prompt)?;
    }
    out.flush()?;
    Ok(())
}

fn show(out: &mut impl Write, prompt: &Prompt, seen: &Seen) -> Result<(), BoxError> {
    let view = &prompt.view;
    if let Some(file) = &view.html {
        page::keep(file, seen)?;
    }
    if view.json {
        report::json(out, seen, view.report)?;
    } else if view.report {
        report::table(out, seen)?;
    } else if view.html.is_none() {
        writeln!(out, "{}", seen.rendered)?;
    }
    Ok(())
}

impl Seen {
    /// Renders a prompt.
    fn of(prompt: &Prompt) -> Result<Self, BoxError> {
        let ctx = context(prompt)?;
        Ok(Self {
            rendered: configured(SystemPrompt::profile(prompt.profile), prompt)?.prepare(&ctx)?,
            ctx,
        })
    }

    /// Returns where the bytes come from: those of the prompt, then those that go beside it.
    fn sources(&self) -> Vec<SourceReport> {
        let mut sources = self.rendered.sources(&self.ctx);
        sources.extend(schemas::of(&self.ctx.tools));
        sources
    }
}

/// Returns the prompt with the file of the user or the project, where the profile has such files.
fn configured(stack: SystemPrompt, prompt: &Prompt) -> Result<SystemPrompt, BoxError> {
    let home = env::home_dir();
    let cwd = folder::open(&prompt.cwd)?;
    let project = Some(workspace_root(None, &cwd));
    let files = match prompt.profile {
        Profile::Brute => PromptFileOptions::brute(home.as_deref(), project),
        Profile::Builder => PromptFileOptions::builder(home.as_deref(), project),
        _ => return Ok(stack),
    };
    let settings = configured_settings(&files, PromptSettings::default())?;
    Ok(stack.configured(resolve_prompt_file(&files)?.as_ref(), &settings))
}

/// Collects the facts: those that were given, and for the rest those that are gathered.
fn context(prompt: &Prompt) -> Result<PromptContext, BoxError> {
    let mut options = GatherOptions::new(folder::open(&prompt.cwd)?);
    if let Some(date) = &prompt.date {
        options = options.clock(Today::parse(date)?);
    }
    if prompt.workspace_files {
        options = options.workspace(None, WorkspaceOptions::default());
    }
    let gathered = gather(&options);
    warn(&gathered.diagnostics);
    let mut ctx = PromptContext {
        custom_rules: prompt.rules.as_deref().map(rules).transpose()?.map(Into::into),
        agent: prompt.agent.as_deref().map(Into::into),
        agent_switched: prompt.agent_switched.as_deref().map(Into::into),
        max_steps_reached: prompt.max_steps,
        prompt_mode: prompt.mode.into(),
        ..PromptContext::new(prompt.provider.as_str(), prompt.model.as_str())
    };
    ctx.tools = tools(prompt, &ctx);
    gathered.facts.apply(&mut ctx);
    Ok(ctx)
}

/// Returns the tools that were given, else those that the profile counts on.
fn tools(prompt: &Prompt, ctx: &PromptContext) -> ToolNames {
    let of_profile = || prompt.profile.tools(&SystemPrompt::default().family(ctx));
    prompt.tools.as_deref().map_or_else(of_profile, tool_names)
}

impl From<Mode> for PromptMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Full => Self::Full,
            Mode::Minimal => Self::Minimal,
            Mode::None => Self::None,
        }
    }
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
