//! Instruction files that stand among the files of a workspace already.

use std::sync::Arc;

use crate::{FileStatus, InstructionFile, PromptContext, WorkspaceFile};

/// Returns the instruction files that the files of the workspace do not tell, or nothing where they
/// tell none of them.
///
/// A file counts as told where it stands there whole, under its path or with the same text: of one
/// that was cut there, the whole is told here.
pub(crate) fn without_doubles(ctx: &PromptContext) -> Option<Arc<[InstructionFile]>> {
    let (workspace, files) = (ctx.workspace_files.as_ref()?, ctx.instructions.as_ref()?);
    let is_double = |file: &InstructionFile| workspace.files.iter().any(|told| tells(told, file));
    if !files.iter().any(is_double) {
        return None;
    }
    Some(files.iter().filter(|file| !is_double(file)).cloned().collect())
}

fn tells(told: &WorkspaceFile, file: &InstructionFile) -> bool {
    told.status == FileStatus::Ok && (told.path == file.path || *told.text == *file.text)
}
