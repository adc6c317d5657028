//! Finds and reads instruction files, from the root of the repository down.

mod collect;
mod import;
mod names;
mod options;
mod walk;

use std::path::Path;

use self::collect::{Found, collect};
pub use self::{
    names::InstructionNames,
    options::{InstructionImports, InstructionOptions, InstructionWalk},
};
use crate::{
    Budget, Diagnostic, InstructionFile, Severity,
    budget::{Purse, Share},
    phrase::Phrases,
};

/// The instruction files of a folder, and what was odd about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instructions {
    /// The files in the order in which they stand in the prompt.
    pub files: Vec<InstructionFile>,
    /// What was odd.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the instruction files for a working directory: the global one first, then from the root
/// of the repository down to the directory. It fails for nothing.
///
/// # Example
///
/// ```no_run
/// use std::path::Path;
///
/// use brute_prompts::{Family, gather::{InstructionOptions, instructions}};
///
/// let options = InstructionOptions::default().family(&Family::ANTHROPIC);
/// for file in instructions(Path::new("/srv/app/api"), &options).files {
///     println!("{}: {} bytes", file.path, file.text.len());
/// }
/// ```
pub fn instructions(cwd: &Path, options: &InstructionOptions) -> Instructions {
    within(cwd, options, options.budget)
}

/// Reads the instruction files again, under the smaller limit that holds after a compaction.
pub fn reread_instructions(cwd: &Path, options: &InstructionOptions) -> Instructions {
    within(cwd, options, options.reread_budget)
}

fn within(cwd: &Path, options: &InstructionOptions, budget: Budget) -> Instructions {
    let mut instructions = Instructions::default();
    let found = collect(cwd, options, &mut instructions.diagnostics);
    let phrases = Phrases::new(&options.texts);
    let mut purse = Purse::new(budget);
    for file in found {
        instructions.spend(&file, &mut purse, &phrases);
    }
    instructions.diagnostics.extend(phrases.into_failures());
    instructions
}

impl Instructions {
    /// Adds what the budget allows of a file.
    fn spend(&mut self, found: &Found, purse: &mut Purse, phrases: &Phrases<'_>) {
        let left = purse.left();
        let marker = || format!("\n{}", phrases.say("cut_marker", []));
        let (text, truncated) = match purse.take(&found.text, |_| marker()) {
            Share::Whole if found.is_cut => (format!("{}{}", found.text, marker()), true),
            Share::Whole => (found.text.clone(), false),
            Share::Cut(text, _) => (text, true),
            Share::Nothing => return self.diagnostics.push(dropped(found)),
        };
        if truncated {
            self.diagnostics.push(cut(found, left));
        }
        self.files.push(InstructionFile {
            path: found.path.to_string_lossy().into(),
            raw_bytes: found.text.len(),
            text: text.into(),
            truncated,
            scope: found.scope,
        });
    }
}

fn cut(found: &Found, left: usize) -> Diagnostic {
    let message = format!(
        "the file has {} bytes and was cut to the {left} that were left of the budget; shorten it or raise the budget",
        found.text.len()
    );
    Diagnostic { path: found.path.clone(), kind: "truncated", severity: Severity::Warning, message }
}

fn dropped(found: &Found) -> Diagnostic {
    let message =
        "the files before it used up the budget; shorten them or raise the budget".to_owned();
    Diagnostic { path: found.path.clone(), kind: "dropped", severity: Severity::Warning, message }
}
