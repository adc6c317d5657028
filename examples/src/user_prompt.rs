//! The question of a turn: a text or a file, and what happened before it.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use brute_prompts::{
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
    /// What happened before: a run, or a list of its stages, in JSON
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
        let mut prompt = UserPrompt::new(text).inputs(Inputs::parse(&parts.inputs)?);
        if let Some(goal) = &parts.goal {
            prompt = prompt.goal(goal);
        }
        let prompt = prompt.prepare(&ReferenceFolders::new(env::current_dir()?))?;
        let before = before(parts, prompt.goal)?;
        Ok(Self { text: prompt.text, before })
    }
}

fn before(parts: &Parts, goal: Option<String>) -> Result<Option<(Run, PreambleMode)>, BoxError> {
    if parts.stages.is_none() && parts.preamble.is_none() {
        return Ok(None);
    }
    let mut run = parts.stages.as_deref().map(run).transpose()?.unwrap_or_default();
    if let Some(goal) = goal {
        run.goal = goal;
    }
    Ok(Some((run, parts.preamble.unwrap_or_default())))
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
