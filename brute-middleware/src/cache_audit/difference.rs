//! What differs between the prefixes of two calls.

use std::{collections::BTreeMap, sync::Arc};

use brute_core::{Message, Role, Section, ToolSpec};

use super::Sent;

/// Names what changed: the model, tools, sections of the system message, the first message.
pub(super) fn differences(before: &Sent, now: &Sent) -> Vec<String> {
    let mut changes = Vec::new();
    if before.model != now.model {
        changes.push(format!("the model {} in place of {}", now.model, before.model));
    }
    changes.extend(tool_changes(before, now));
    changes.extend(section_changes(before, now));
    changes.extend(message_change(before, now));
    changes
}

fn tool_changes(before: &Sent, now: &Sent) -> Vec<String> {
    let by_name = |sent: &Sent| -> BTreeMap<Arc<str>, ToolSpec> {
        sent.tools.specs().map(|spec| (spec.name.clone(), spec.clone())).collect()
    };
    compare("tool", &by_name(before), &by_name(now))
}

fn section_changes(before: &Sent, now: &Sent) -> Vec<String> {
    let (old, new) = (system_sections(before), system_sections(now));
    let changes =
        compare("section", &old.iter().cloned().collect(), &new.iter().cloned().collect());
    let order = |sections: &[(Arc<str>, Section)]| {
        sections.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>()
    };
    if changes.is_empty() && order(&old) != order(&new) {
        return vec!["the order of the sections".to_owned()];
    }
    changes
}

/// Returns the sections of the system messages, in order; a text without a name is one, too.
fn system_sections(sent: &Sent) -> Vec<(Arc<str>, Section)> {
    let systems = sent.log.iter().filter(|message| message.role == Role::System);
    systems.enumerate().flat_map(|(index, message)| named_sections(index, message)).collect()
}

fn named_sections(index: usize, message: &Message) -> Vec<(Arc<str>, Section)> {
    let mut sections: Vec<Section> = message.sections().cloned().collect();
    if sections.is_empty() {
        let name = format!("system message {}", index + 1).into();
        sections.push(Section {
            name,
            zone: brute_core::Zone::Static,
            text: message.text().into(),
        });
    }
    sections.into_iter().map(|section| (section.name.clone(), section)).collect()
}

/// Names what was added, removed and changed.
fn compare<T: PartialEq>(
    kind: &str,
    before: &BTreeMap<Arc<str>, T>,
    now: &BTreeMap<Arc<str>, T>,
) -> Vec<String> {
    let removed = before.keys().filter(|name| !now.contains_key(*name));
    let added = now.keys().filter(|name| !before.contains_key(*name));
    let changed =
        now.iter().filter(|(name, value)| before.get(*name).is_some_and(|old| old != *value));
    let told = |names: &mut dyn Iterator<Item = &Arc<str>>, what: &str| -> Vec<String> {
        names.map(|name| format!("{kind} {name} {what}")).collect()
    };
    [
        told(&mut { removed }, "was removed"),
        told(&mut { added }, "was added"),
        told(&mut changed.map(|(name, _)| name), "changed"),
    ]
    .concat()
}

/// Names the first message that is not the one that stood there before.
fn message_change(before: &Sent, now: &Sent) -> Option<String> {
    let others = |sent: &Sent| -> Vec<Arc<Message>> {
        sent.log.iter().filter(|message| message.role != Role::System).cloned().collect()
    };
    let (old, new) = (others(before), others(now));
    let same = |one: &Arc<Message>, other: &Arc<Message>| Arc::ptr_eq(one, other) || one == other;
    let place = old
        .iter()
        .enumerate()
        .find(|(index, message)| !new.get(*index).is_some_and(|other| same(message, other)));
    let (index, message) = place?;
    let id = if message.id.is_given() { format!(", id {}", message.id.0) } else { String::new() };
    let what = if index < new.len() { "changed" } else { "is missing" };
    Some(format!("message {} ({:?}{id}) {what}", index + 1, message.role))
}
