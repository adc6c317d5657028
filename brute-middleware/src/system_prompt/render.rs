//! Renders a prompt for a turn.

use brute_core::{Error, ErrorKind, Message, Section, Turn, Zone};
use brute_prompts::{PromptError, SystemPrompt};

use super::{facts::Facts, policy::system_message};
use crate::prompt_context;

/// Renders the system message of a turn; nothing where no module has anything to say.
pub(super) fn render(
    prompt: &SystemPrompt,
    turn: &Turn,
    facts: &Facts,
) -> Result<Option<Message>, Error> {
    let mut ctx = prompt_context(turn);
    facts.apply(&mut ctx);
    let rendered = prompt.prepare(&ctx).map_err(prompt_error)?;
    Ok((!rendered.is_empty()).then(|| system_message(rendered.iter().map(core_section))))
}

/// Turns a section of a prompt into a part of a message.
pub(crate) fn core_section(section: &brute_prompts::Section) -> Section {
    let zone = match section.zone {
        brute_prompts::Zone::Static => Zone::Static,
        brute_prompts::Zone::Session => Zone::Session,
        brute_prompts::Zone::Dynamic => Zone::Dynamic,
    };
    Section { name: section.name.clone(), zone, text: section.text.clone() }
}

pub(crate) fn prompt_error(error: PromptError) -> Error {
    Error::new(ErrorKind::Prompt, error.to_string()).because(error)
}
