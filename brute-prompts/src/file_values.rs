//! The files of a prompt as texts see them.

use minijinja::{context, value::Value};

use crate::{InstructionFile, InstructionScope, plain};

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
