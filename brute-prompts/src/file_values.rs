//! The files of a prompt as texts see them.

use minijinja::{
    context,
    value::{Serde, Value},
};

use crate::{
    CutFile, FileStatus, InstructionFile, InstructionScope, WorkspaceFile, WorkspaceFiles,
    WorkspaceWarning, plain,
};

/// Returns the list of instruction files.
pub(crate) fn instruction_files(files: &[InstructionFile]) -> Value {
    files.iter().map(instruction_file).collect()
}

fn instruction_file(file: &InstructionFile) -> Value {
    let is_global = file.scope == InstructionScope::Global;
    context! {
        path => plain::visible(&file.path).as_ref(),
        text => file.text.clone(),
        truncated => file.truncated,
        scope => if is_global { "global" } else { "project" },
    }
}

/// Returns the files of a workspace: those that hold within a session, and those that do not.
pub(crate) fn workspace_files(workspace: &WorkspaceFiles) -> Value {
    let of = |dynamic: bool| -> Value {
        let files = workspace.files.iter().filter(|file| file.status != FileStatus::Dropped);
        files.filter(|file| file.is_dynamic() == dynamic).map(workspace_file).collect()
    };
    let is_persona = |file: &WorkspaceFile| {
        &*file.name == "SOUL.md" && matches!(file.status, FileStatus::Ok | FileStatus::Truncated)
    };
    context! {
        stable => of(false),
        dynamic => of(true),
        has_persona => workspace.files.iter().any(is_persona),
        warning => workspace.warning.as_ref().map(warning),
    }
}

fn workspace_file(file: &WorkspaceFile) -> Value {
    context! {
        name => plain::visible(&file.name).as_ref(),
        path => plain::visible(&file.path).as_ref(),
        text => file.text.clone(),
        status => Value::from(Serde(file.status)),
    }
}

fn warning(warning: &WorkspaceWarning) -> Value {
    let files: Value = warning.files.iter().map(cut_file).collect();
    context! { files, more => warning.more }
}

fn cut_file(file: &CutFile) -> Value {
    context! {
        name => plain::visible(&file.name).as_ref(),
        raw_chars => file.raw_chars,
        injected_chars => file.injected_chars,
        percent => file.percent,
        causes => Value::from(Serde(&file.causes)),
    }
}
