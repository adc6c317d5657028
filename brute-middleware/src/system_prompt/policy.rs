//! When the system message is rendered.

use std::{collections::BTreeMap, sync::Arc};

use brute_core::{Message, Part, Role, Section, Turn, Zone};
use brute_prompts::{ContextMessage, PromptMode};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    kept::{read, tell_unreadable},
    session_facts::facts_source,
};

/// The metadata key of the message that was rendered, before that of a role is added.
pub(super) const SNAPSHOT: &str = "system_prompt";

/// Tells whether a key of a session's metadata is that of a message that was rendered.
pub(crate) fn is_snapshot(key: &str) -> bool {
    key.strip_prefix(SNAPSHOT).is_some_and(|role| role.is_empty() || role.starts_with('.'))
}

/// Says when the system message is rendered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RenderPolicy {
    /// For each turn whose log has no system message; equal facts give equal bytes.
    #[default]
    WhenMissing,
    /// For each turn, in place of a system message that this layer made; others are respected.
    EveryTurn,
    /// Once, as long as the session is open in this process and its facts are not
    /// [gathered anew](crate::reload_prompt_facts). Sections of the dynamic zone, such as
    /// `git_status`, are rendered for each turn all the same.
    OncePerSession,
    /// Once; it is kept in the session's metadata and used again after the session was reopened,
    /// until its facts are [gathered anew](crate::reload_prompt_facts). Dynamic sections are rendered
    /// for each turn all the same; the mode of the prompt is that of the first turn.
    Snapshot,
}

/// What was rendered earlier and holds for the session; of what may change with each call only the
/// names.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) mode: PromptMode,
    sections: Vec<Section>,
    dynamic: Vec<Arc<str>>,
    /// What stands in messages of its own.
    pub(super) beside: Vec<ContextMessage>,
}

impl Kept {
    pub(super) fn of(mode: PromptMode, sections: &[Section], beside: &[ContextMessage]) -> Self {
        let (dynamic, stable): (Vec<&Section>, Vec<&Section>) =
            sections.iter().partition(|section| section.zone == Zone::Dynamic);
        Self {
            mode,
            sections: stable.into_iter().cloned().collect(),
            dynamic: dynamic.iter().map(|section| section.name.clone()).collect(),
            beside: beside.to_vec(),
        }
    }

    /// Returns what is kept, and behind it what may change, out of a prompt that was rendered now.
    ///
    /// In which zone a text stands depends on what it looked at, so the first turn decides for each
    /// section: none vanishes, and none stands twice.
    pub(super) fn with(&self, now: Vec<Section>) -> Vec<Section> {
        let is_kept = |name: &str| self.sections.iter().any(|section| &*section.name == name);
        let was_dynamic = |name: &str| self.dynamic.iter().any(|dynamic| &**dynamic == name);
        let may_change =
            |section: &Section| match (was_dynamic(&section.name), is_kept(&section.name)) {
                (true, false) => true,
                (false, true) => false,
                _ => section.zone == Zone::Dynamic,
            };
        let dynamic: Vec<_> = now.into_iter().filter(may_change).map(as_dynamic).collect();
        self.sections.iter().cloned().chain(dynamic).collect()
    }
}

fn as_dynamic(section: Section) -> Section {
    Section { zone: Zone::Dynamic, ..section }
}

/// What a session keeps, as it was read from this metadata.
#[derive(Clone)]
struct Read {
    source: Arc<Value>,
    kept: Kept,
}

/// What a session keeps in memory, for each key and the facts that were gathered.
#[derive(Clone, Default)]
struct InMemory(BTreeMap<Arc<str>, (Option<Arc<Value>>, Kept)>);

impl InMemory {
    fn get(&self, turn: &Turn, key: &str) -> Option<Kept> {
        let (then, kept) = self.0.get(key)?;
        let are_same = match (then, &facts_source(turn)) {
            (Some(then), Some(now)) => Arc::ptr_eq(then, now),
            (then, now) => then.is_none() && now.is_none(),
        };
        are_same.then(|| kept.clone())
    }
}

impl RenderPolicy {
    /// Tells whether a message that the layer made before gives way to a new one.
    pub(super) fn renews(self) -> bool {
        self == Self::EveryTurn
    }

    /// Tells whether the session keeps a prompt that another process can go on with.
    pub(super) fn has_snapshot(self, turn: &Turn, key: &str) -> bool {
        self == Self::Snapshot && read_snapshot(turn, key).is_some()
    }

    /// Returns what was rendered earlier and still counts.
    pub(super) fn recall(self, turn: &Turn, key: &str) -> Option<Kept> {
        match self {
            Self::WhenMissing | Self::EveryTurn => None,
            Self::OncePerSession => {
                let memory: InMemory = turn.journal.kept()?;
                memory.get(turn, key)
            }
            Self::Snapshot => {
                let kept = read_snapshot(turn, key);
                if kept.is_none() {
                    tell_unreadable::<Kept>(turn, key);
                }
                kept
            }
        }
    }

    /// Keeps what was rendered, where it still counts later.
    pub(super) fn keep(self, turn: &Turn, key: &Arc<str>, kept: impl FnOnce() -> Kept) {
        match self {
            Self::WhenMissing | Self::EveryTurn => {}
            Self::OncePerSession => {
                let mut memory: InMemory = turn.journal.kept().unwrap_or_default();
                memory.0.insert(key.clone(), (facts_source(turn), kept()));
                turn.journal.keep(memory);
            }
            Self::Snapshot => {
                if let Ok(snapshot) = serde_json::to_value(kept()) {
                    turn.journal.remember(key.clone(), snapshot);
                }
            }
        }
    }
}

/// Reads what a session keeps; what is not readable counts as nothing, so that it is rendered anew.
fn read_snapshot(turn: &Turn, key: &str) -> Option<Kept> {
    let source = turn.journal.remembered(key)?;
    let known: Option<Read> = turn.journal.kept();
    if let Some(known) = known.filter(|known| Arc::ptr_eq(&known.source, &source)) {
        return Some(known.kept);
    }
    let kept: Kept = read(turn, key)?;
    turn.journal.keep(Read { source, kept: kept.clone() });
    Some(kept)
}

pub(super) fn system_message(sections: impl IntoIterator<Item = Section>) -> Message {
    Message::new(Role::System, sections.into_iter().map(Part::Section).collect())
}

/// Tells whether a message is a system message that the layer did not make: its own are all of
/// named sections.
pub(super) fn is_foreign(message: &Message) -> bool {
    let is_section = |part: &Part| matches!(part, Part::Section(_));
    message.role == Role::System && !message.parts.iter().all(is_section)
}
