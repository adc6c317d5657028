//! Renders a prompt for a turn.

use brute_core::{Error, ErrorKind, Message, Part, Role, Section, Turn, Zone};
use brute_prompts::{PromptError, Rendered, SystemPrompt};

use crate::prompt_context;

/// Renders the system message of a turn; nothing where no module has anything to say.
pub(super) fn render(prompt: &SystemPrompt, turn: &Turn) -> Result<Option<Message>, Error> {
    let rendered = prompt.prepare(&prompt_context(turn)).map_err(prompt_error)?;
    Ok((!rendered.is_empty()).then(|| system_message(&rendered)))
}

fn system_message(rendered: &Rendered) -> Message {
    Message::new(
        Role::System,
        rendered.iter().map(|section| Part::Section(core_section(section))).collect(),
    )
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
