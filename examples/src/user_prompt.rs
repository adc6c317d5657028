//! The question of a turn: a text or a file, and what happened before it.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use brute_prompts::{
    PromptError, PromptErrorKind,
    gather::ReferenceFolders,
    preamble::{PreambleMode, Run, Stage},
    user_prompt::{Inputs, UserPrompt},
};
use clap::Args;
use tower::BoxError;

use crate::folder;

/// What goes into the question, and above it.
#[derive(Args, Debug, Default)]
pub(crate) struct Parts {
    /// What it is for, which the question reads as `{{ goal }}`: a text, or `@FILE`
    #[arg(long, value_name = "TEXT")]
    goal: Option<String>,
    /// A value that the question reads as `{{ inputs.NAME }}`; may be given again
    #[arg(long = "input", value_name = "NAME=VALUE")]
    inputs: Vec<String>,
    /// How fully the question is told what happened before, such as `summary:low`
    #[arg(long, value_name = "MODE")]
    preamble: Option<PreambleMode>,
    /// What happened before, in JSON: a run such as {"goal": "Ship.", "stages": […]}, or a list of
    /// stages such as [{"id": "plan", "outcome": "success", "notes": "Two files."}]
    #[arg(long, value_name = "FILE")]
    stages: Option<PathBuf>,
}

/// A question that can be asked.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) text: String,
    /// What happened before, and how fully it is told.
    pub(crate) before: Option<(Run, PreambleMode)>,
}

impl Question {
    /// Reads the files that a question names, and fills in what it leaves open.
    ///
    /// # Errors
    /// Fails where a file cannot be read, an input makes no sense, or the template is wrong.
    pub(crate) fn read(text: &str, parts: &Parts) -> Result<Self, BoxError> {
        let run = parts.stages.as_deref().map(run).transpose()?;
        let mut prompt = UserPrompt::new(text).inputs(Inputs::parse(&parts.inputs)?);
        if let Some(goal) = parts.goal.as_deref().or_else(|| goal_of(run.as_ref()?)) {
            prompt = prompt.goal(goal);
        }
        let folders = ReferenceFolders::new(env::current_dir()?);
        let prompt = prompt.prepare(&folders).map_err(|error| explained(error, text))?;
        let before = before(parts, run, prompt.goal);
        Ok(Self { text: prompt.text, before })
    }
}

/// Returns the goal of a run, which is a text even where it looks like a reference.
fn goal_of(run: &Run) -> Option<&str> {
    Some(run.goal.as_str()).filter(|goal| !goal.trim().is_empty() && !goal.starts_with('@'))
}

/// Says how to ask a question as it is.
fn explained(error: PromptError, question: &str) -> BoxError {
    let is_file = question.starts_with('@');
    let advice = match error.kind() {
        PromptErrorKind::NotFound if is_file => {
            "put a space in front of a question that begins with @"
        }
        PromptErrorKind::Undefined if error.variable() == Some("goal") => "say it with --goal",
        PromptErrorKind::Undefined | PromptErrorKind::Syntax if !is_file => {
            "a question is a template: put {% raw %} and {% endraw %} around braces that are text"
        }
        _ => return error.into(),
    };
    format!("{error}; {advice}").into()
}

fn before(parts: &Parts, run: Option<Run>, goal: Option<String>) -> Option<(Run, PreambleMode)> {
    if run.is_none() && parts.preamble.is_none() {
        return None;
    }
    let mut run = run.unwrap_or_default();
    if let Some(goal) = goal {
        run.goal = goal;
    }
    Some((run, parts.preamble.unwrap_or_default()))
}

/// Reads a run, or a list of stages.
fn run(file: &Path) -> Result<Run, BoxError> {
    let failed = |error: BoxError| -> BoxError {
        format!("cannot read the stages {}: {error}", folder::shown(file)).into()
    };
    let text = fs::read_to_string(file).map_err(|error| failed(error.into()))?;
    let text = text.trim_start_matches('\u{feff}');
    let run = if text.trim_start().starts_with('[') {
        serde_json::from_str::<Vec<Stage>>(text).map(|stages| Run { stages, ..Run::default() })
    } else {
        serde_json::from_str(text)
    };
    run.map_err(|error| failed(error.into()))
}
