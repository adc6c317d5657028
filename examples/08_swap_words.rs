//! Swap the words of a module: a folder of the same shape lies over the texts that ship.

use std::path::Path;

use brute_prompts::{PromptContext, PromptError, SystemPrompt};

fn main() -> Result<(), PromptError> {
    // The folder holds `identity/default.txt`; all other modules keep their words.
    let words = Path::new(env!("CARGO_MANIFEST_DIR")).join("words");
    let shipped = SystemPrompt::default();
    let mine = shipped.clone().overlay(words)?;
    // A folder that no module is named after would say nothing, so it is an error here.
    mine.check()?;

    let ctx = PromptContext::new("anthropic", "claude-sonnet");
    let (before, after) = (shipped.prepare(&ctx)?, mine.prepare(&ctx)?);
    for (old, new) in before.iter().zip(&after) {
        let mark = if old.text == new.text { "as it ships" } else { "swapped" };
        println!("{mark:13}{}", new.name);
    }
    println!("\n{}", after.sections()[0].text);
    Ok(())
}
