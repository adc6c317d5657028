//! Renders a prompt for a turn.

use brute_core::{Error, ErrorKind, Event, Message, Part, Role, Section, Turn, Zone};
use brute_prompts::{ContextMessage, ContextRole, PromptContext, PromptError, SystemPrompt};

use super::facts::Facts;
use crate::prompt_context;

/// Returns what a prompt may read in a turn.
pub(super) fn context(turn: &Turn, facts: &Facts) -> PromptContext {
    let mut ctx = prompt_context(turn);
    facts.apply(&mut ctx);
    ctx
}

/// Renders the sections of the system message.
pub(super) fn sections(prompt: &SystemPrompt, ctx: &PromptContext) -> Result<Vec<Section>, Error> {
    let rendered = prompt.prepare(ctx).map_err(prompt_error)?;
    Ok(rendered.iter().map(core_section).collect())
}

/// Renders the sections for a prompt that is kept, of which those that may change are wanted.
///
/// Where they fail the kept prompt still counts, so it is told and there are none.
pub(super) fn sections_now(
    prompt: &SystemPrompt,
    ctx: &PromptContext,
    turn: &Turn,
) -> Vec<Section> {
    match sections(prompt, ctx) {
        Ok(sections) => sections,
        Err(error) => {
            let message = format!("{error}; the sections that may change are left out");
            turn.events.emit(|| Event::diagnostic(message));
            Vec::new()
        }
    }
}

/// Splits a prompt into what is the same for everybody and a message of the user with the rest.
pub(super) fn split(message: Message) -> Vec<Message> {
    let is_shared =
        |part: &Part| matches!(part, Part::Section(section) if section.zone == Zone::Static);
    let (shared, own): (Vec<_>, Vec<_>) = message.parts.into_iter().partition(is_shared);
    let parts = [(Role::System, shared), (Role::User, own)];
    let filled = parts.into_iter().filter(|(_, parts)| !parts.is_empty());
    filled.map(|(role, parts)| Message::new(role, parts)).collect()
}

/// Turns what of the prompt stands outside the system message, such as instruction files, into a
/// message.
pub(super) fn beside(message: &ContextMessage) -> Message {
    let role = match message.role {
        ContextRole::Developer => Role::Developer,
        ContextRole::User => Role::User,
    };
    Message::new(role, vec![Part::Section(core_section(&message.section))])
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
