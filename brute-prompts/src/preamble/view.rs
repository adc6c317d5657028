//! A run in the form in which the templates of preambles read it.

use serde::Serialize;
use serde_json::Value;

use super::{
    Outcome, Run, Stage,
    block::{Block, cleaned, code, quote, remark},
    mode::Layout,
    numbers::short_count,
    values::{Shown, shown},
};

/// A run as a template sees it.
#[derive(Debug, Default, Serialize)]
pub(super) struct RunView {
    goal: String,
    id: String,
    /// How many stages ran.
    done: usize,
    total: Option<usize>,
    /// How many of them are not told.
    omitted: usize,
    stages: Vec<StageView>,
    values: Vec<Shown>,
    values_omitted: usize,
    /// The preamble of the run around this one, and the one of this run.
    parent: Option<String>,
    own: Option<String>,
}

#[derive(Debug, Serialize)]
struct StageView {
    id: String,
    status: Option<&'static str>,
    handler: Option<String>,
    notes: Option<String>,
    failure_reason: Option<String>,
    is_command: bool,
    script: String,
    stdout: Block,
    stderr: Block,
    model: Option<String>,
    tokens_in: Option<String>,
    tokens_out: Option<String>,
    files: String,
    response: Option<Shown>,
}

impl RunView {
    pub(super) fn new(run: &Run, layout: &Layout) -> Self {
        let done: Vec<&Stage> = run.stages.iter().filter(|stage| !stage.is_mark()).collect();
        let omitted = done.len().saturating_sub(layout.stages);
        let told = &done[omitted..];
        let (values, values_omitted) = shown(run, told, layout.values);
        Self {
            goal: goal(&run.goal, layout),
            id: remark(&run.id, usize::MAX),
            done: done.len(),
            total: run.total_stages,
            omitted,
            stages: told.iter().map(|stage| StageView::new(run, stage, layout)).collect(),
            values,
            values_omitted,
            ..Self::default()
        }
    }

    /// Returns what is told of a run within another.
    pub(super) fn nested(parent: &str, own: String) -> Self {
        Self { parent: Some(cleaned(parent)), own: Some(own), ..Self::default() }
    }

    pub(super) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

fn goal(goal: &str, layout: &Layout) -> String {
    if layout.goal_on_one_line {
        return remark(goal, usize::MAX);
    }
    cleaned(goal).trim().to_owned()
}

impl StageView {
    fn new(run: &Run, stage: &Stage, layout: &Layout) -> Self {
        let Layout { lines, indent, remark: most, .. } = *layout;
        let said = |text: &Option<String>| said(text.as_deref(), most);
        let tokens = |count: fn(super::StageUsage) -> u64| stage.usage.map(count).map(short_count);
        let files: Vec<_> = stage.files.iter().map(|file| remark(file, usize::MAX)).collect();
        Self {
            id: remark(&stage.id, usize::MAX),
            status: stage.outcome.map(Outcome::name),
            handler: said(&stage.handler),
            notes: said(&stage.notes),
            failure_reason: said(&stage.failure_reason),
            is_command: stage.script.is_some(),
            script: stage.script.as_deref().map(|it| code(it, most, indent)).unwrap_or_default(),
            stdout: Block::last_lines(stage.stdout.as_deref(), lines, indent),
            stderr: Block::last_lines(stage.stderr.as_deref(), lines, indent),
            model: said(&stage.model),
            tokens_in: tokens(|usage| usage.input_tokens),
            tokens_out: tokens(|usage| usage.output_tokens),
            files: files.join(", "),
            response: response(run, stage),
        }
    }
}

/// Returns a remark on one line, unless it is blank.
fn said(text: Option<&str>, most: usize) -> Option<String> {
    text.map(|text| remark(text, most)).filter(|text| !text.is_empty())
}

fn response(run: &Run, stage: &Stage) -> Option<Shown> {
    let text = stage.response.as_deref().filter(|text| !text.trim().is_empty())?;
    Some(Shown::of(run, &format!("response.{}", stage.id), text, quote))
}
