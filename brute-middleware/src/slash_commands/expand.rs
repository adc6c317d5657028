//! Replaces the command of a skill by its text.

use std::sync::Arc;

use brute_core::{Error, ErrorKind, Event, Origin, Part, Turn};
use brute_prompts::{
    gather::GatherOptions,
    skill::{self, ExpandOptions, Expansion, Skill},
};

use crate::session_facts::{blocking, gather_facts, known_facts, wanted_skills};

/// Returns the first text that the user wrote, if the input begins with one or with generated text.
///
/// A preamble stands before it; a picture may stand around it.
pub(super) fn authored_start(turn: &Turn) -> Option<&str> {
    let message = turn.input.message()?;
    message.parts.iter().find_map(|part| match part {
        Part::Text(text) if text.origin == Origin::Authored => Some(&*text.text),
        _ => None,
    })
}

/// Replaces the command in the input, if it names a skill.
pub(super) async fn expand(
    turn: &mut Turn,
    options: ExpandOptions,
    gather: Option<&GatherOptions>,
) -> Result<(), Error> {
    let Some(input) = authored_start(turn).map(str::to_owned) else { return Ok(()) };
    let skills = skills(turn, gather).await;
    let expanded = blocking(move || Some(skill::expand(&input, &skills, options))).await;
    match expanded {
        Some(Ok(Expansion::Expanded { skill, text })) => replace(turn, skill.into(), text.into()),
        Some(Ok(Expansion::Unknown { name })) => turn.events.emit(|| {
            Event::diagnostic(format!("no skill is named {name:?}; the text stays as it is"))
        }),
        Some(Ok(Expansion::Plain)) | None => {}
        Some(Err(error)) => {
            return Err(Error::new(ErrorKind::Invalid, error.to_string()).because(error));
        }
    }
    Ok(())
}

async fn skills(turn: &mut Turn, gather: Option<&GatherOptions>) -> Vec<Skill> {
    let facts = match (known_facts(turn), gather) {
        (Some(facts), _) => facts,
        (None, Some(options)) => gather_facts(options.clone(), turn).await,
        (None, None) => return Vec::new(),
    };
    wanted_skills(&facts, gather).to_vec()
}

/// Puts the text of the skill in the place of the authored text.
fn replace(turn: &mut Turn, name: Arc<str>, text: Arc<str>) {
    let is_authored =
        |part: &&mut Part| matches!(part, Part::Text(text) if text.origin == Origin::Authored);
    if let Some(part) = turn.input.parts_mut().iter_mut().find(is_authored) {
        *part = Part::generated(text);
    }
    turn.events.emit(|| Event::SkillExpanded { name });
}
