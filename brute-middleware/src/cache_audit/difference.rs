//! What differs between the prefixes of two calls.

use std::{collections::BTreeMap, fmt, sync::Arc};

use brute_core::{Message, Part, Role};

use super::{Sent, sent};

/// Names what changed: the model, tools, parts of the system messages, the first message.
pub(super) fn differences(before: &Sent, now: &Sent) -> Vec<String> {
    let mut changes = Vec::new();
    if before.model != now.model {
        changes.push(format!("the model {} in place of {}", now.model, before.model));
    }
    changes.extend(tool_changes(before, now));
    changes.extend(system_changes(before, now));
    changes.extend(message_change(before, now));
    changes
}

fn tool_changes(before: &Sent, now: &Sent) -> Vec<String> {
    let by_name = |sent: &Sent| -> BTreeMap<String, _> {
        let specs = sent.tools.specs();
        specs.map(|spec| (format!("tool {}", spec.name), sent::of_tool(spec))).collect()
    };
    compare(&by_name(before), &by_name(now))
}

fn system_changes(before: &Sent, now: &Sent) -> Vec<String> {
    let (old, new) = (system_pieces(before), system_pieces(now));
    let mut changes = compare(&by_place(&old), &by_place(&new));
    if order(&old, &new) != order(&new, &old) {
        changes.push("the order of the sections".to_owned());
    }
    changes
}

/// A part of a system message.
struct Piece {
    place: Place,
    /// How many messages stand before it, those of the system and others.
    behind: (usize, usize),
    part: Part,
}

/// What a part is told as.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// A section, by its name and how many of that name stand before it.
    Section(Arc<str>, usize),
    /// A part without a name, by its message and how many of those in it stand before it.
    Unnamed(usize, usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Section(name, 0) => write!(f, "section {name}"),
            Self::Section(name, before) => {
                write!(f, "section {name} (number {} of that name)", before + 1)
            }
            Self::Unnamed(message, 0) => write!(f, "system message {}", message + 1),
            Self::Unnamed(message, before) => {
                write!(f, "system message {} (text {})", message + 1, before + 1)
            }
        }
    }
}

/// Returns the parts of the system messages, in order.
fn system_pieces(sent: &Sent) -> Vec<Piece> {
    let mut seen = BTreeMap::new();
    let mut pieces = Vec::new();
    let mut behind = (0, 0);
    for message in sent.log.iter() {
        if message.role != Role::System {
            behind.1 += 1;
            continue;
        }
        for part in &message.parts {
            let place = next_place(part, behind.0, &mut seen);
            pieces.push(Piece { place, behind, part: sent::of_part(part) });
        }
        behind.0 += 1;
    }
    pieces
}

/// Returns the place of a part, and counts it.
fn next_place(part: &Part, message: usize, seen: &mut BTreeMap<Place, usize>) -> Place {
    let first = match part {
        Part::Section(section) => Place::Section(section.name.clone(), 0),
        _ => Place::Unnamed(message, 0),
    };
    let count = seen.entry(first.clone()).or_default();
    *count += 1;
    match first {
        Place::Section(name, _) => Place::Section(name, *count - 1),
        Place::Unnamed(message, _) => Place::Unnamed(message, *count - 1),
    }
}

fn by_place(pieces: &[Piece]) -> BTreeMap<&Place, &Part> {
    pieces.iter().map(|piece| (&piece.place, &piece.part)).collect()
}

/// Returns where those pieces stand that the others have, too.
fn order<'a>(pieces: &'a [Piece], others: &[Piece]) -> Vec<(&'a Place, (usize, usize))> {
    let others = by_place(others);
    let shared = pieces.iter().filter(|piece| others.contains_key(&piece.place));
    shared.map(|piece| (&piece.place, piece.behind)).collect()
}

/// Names what was added, removed and changed.
fn compare<K: Ord + fmt::Display, T: PartialEq>(
    before: &BTreeMap<K, T>,
    now: &BTreeMap<K, T>,
) -> Vec<String> {
    let removed = before.keys().filter(|name| !now.contains_key(*name));
    let added = now.keys().filter(|name| !before.contains_key(*name));
    let is_changed = |(name, value): &(&K, &T)| before.get(*name).is_some_and(|old| old != *value);
    let changed = now.iter().filter(is_changed).map(|(name, _)| name);
    let removed = removed.map(|name| format!("{name} was removed"));
    let added = added.map(|name| format!("{name} was added"));
    removed.chain(added).chain(changed.map(|name| format!("{name} changed"))).collect()
}

/// Names the first message that is not the one that stood there before.
fn message_change(before: &Sent, now: &Sent) -> Option<String> {
    let others = |sent: &Sent| -> Vec<Arc<Message>> {
        sent.log.iter().filter(|message| message.role != Role::System).cloned().collect()
    };
    let (old, new) = (others(before), others(now));
    // Two arguments whose members stand in another order are equal, but not the same bytes.
    let same = |one: &Arc<Message>, other: &Arc<Message>| {
        Arc::ptr_eq(one, other) || sent::of_message(one) == sent::of_message(other)
    };
    let place = old
        .iter()
        .enumerate()
        .find(|(index, message)| !new.get(*index).is_some_and(|other| same(message, other)));
    let (index, message) = place?;
    let id = if message.id.is_given() { format!(", id {}", message.id.0) } else { String::new() };
    let what = if index < new.len() { "changed" } else { "is missing" };
    Some(format!("message {} ({:?}{id}) {what}", index + 1, message.role))
}
