//! Where the files of a workspace stand in a stack that has no place for them.

use std::sync::LazyLock;

use crate::{Module, PromptContext, edit::Edit};

/// The module with the files, and the one with the file that changes with each call.
static FILES: LazyLock<[Module; 2]> =
    LazyLock::new(|| ["workspace_files", "heartbeat_file"].map(Module::from));

/// The module in front of which the files stand.
const BEHIND: &str = "instructions";

/// Gives the files a place where there are some, unless the stack or a change has one for them.
pub(crate) fn place(modules: &mut Vec<Module>, edits: &[Edit], ctx: &PromptContext) {
    if ctx.workspace_files.is_none() {
        return;
    }
    let [files, heartbeat] = &*FILES;
    if is_missing(files, modules, edits) {
        let at = modules.iter().position(|module| module.name() == BEHIND);
        modules.insert(at.unwrap_or(modules.len()), files.clone());
    }
    if is_missing(heartbeat, modules, edits) {
        modules.push(heartbeat.clone());
    }
}

fn is_missing(module: &Module, modules: &[Module], edits: &[Edit]) -> bool {
    let stands = modules.iter().any(|other| other.name() == module.name());
    !stands && !edits.iter().any(|edit| edit.adds(module.name()))
}
