//! Which of several skills of one name is kept.

use std::{
    cmp::{Ordering, Reverse},
    collections::{HashMap, HashSet},
    path::PathBuf,
};

use serde::{Deserialize, Serialize};

use super::{Shadowed, Skill};

/// What happens when several skills share a name.
///
/// Within one root the first by path is the stronger, whatever the policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DuplicatePolicy {
    /// The root of the highest precedence wins, and of equals the later one.
    #[default]
    HighestWins,
    /// The first root of the list wins.
    FirstWins,
    /// The last root of the list wins.
    LastWins,
    /// All are kept, in the order of the roots.
    KeepAll,
    /// None is kept, and each is reported as an error.
    Error,
}

/// What decides between two skills of one name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rank {
    pub(crate) precedence: i32,
    pub(crate) root: usize,
    /// The place in the order of discovery.
    pub(crate) order: usize,
    pub(crate) fallback: bool,
}

impl DuplicatePolicy {
    /// Orders the stronger before the weaker.
    pub(crate) fn compare(self, left: &Rank, right: &Rank) -> Ordering {
        let by_root = match self {
            Self::HighestWins => {
                let strength = |rank: &Rank| Reverse((rank.precedence, rank.root));
                strength(left).cmp(&strength(right))
            }
            Self::LastWins => right.root.cmp(&left.root),
            Self::FirstWins | Self::KeepAll | Self::Error => left.root.cmp(&right.root),
        };
        by_root.then(left.order.cmp(&right.order))
    }
}

/// What is left after names were compared, and what had to go.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    pub(crate) kept: Vec<(Rank, Skill)>,
    pub(crate) shadowed: Vec<Shadowed>,
    /// Skills whose name is not theirs alone, where that is an error.
    pub(crate) refused: Vec<Skill>,
}

/// Applies the policy; what is kept is sorted by name and then by strength.
pub(crate) fn resolve(mut found: Vec<(Rank, Skill)>, policy: DuplicatePolicy) -> Resolved {
    let mut resolved = Resolved::default();
    found.sort_by(|left, right| policy.compare(&left.0, &right.0));
    let found = drop_fallbacks(found, &mut resolved);
    match policy {
        DuplicatePolicy::KeepAll => resolved.kept = found,
        DuplicatePolicy::Error => refuse_duplicates(found, &mut resolved),
        _ => keep_strongest(found, &mut resolved),
    }
    resolved.kept.sort_by(|left, right| left.1.name.cmp(&right.1.name));
    resolved
}

fn drop_fallbacks(found: Vec<(Rank, Skill)>, resolved: &mut Resolved) -> Vec<(Rank, Skill)> {
    if !found.iter().any(|(rank, _)| rank.fallback) {
        return found;
    }
    let own = found.iter().filter(|(rank, _)| !rank.fallback);
    let own: HashMap<_, _> =
        own.rev().map(|(_, skill)| (skill.name.to_lowercase(), skill.location.clone())).collect();
    let mut kept = Vec::new();
    for (rank, skill) in found {
        match own.get(&skill.name.to_lowercase()).filter(|_| rank.fallback) {
            Some(winner) => resolved.shadowed.push(Shadowed::new(winner, skill)),
            None => kept.push((rank, skill)),
        }
    }
    kept
}

fn keep_strongest(found: Vec<(Rank, Skill)>, resolved: &mut Resolved) {
    let mut winners: HashMap<String, PathBuf> = HashMap::new();
    for (rank, skill) in found {
        if let Some(winner) = winners.get(&skill.name) {
            resolved.shadowed.push(Shadowed::new(winner, skill));
            continue;
        }
        winners.insert(skill.name.clone(), skill.location.clone());
        resolved.kept.push((rank, skill));
    }
}

fn refuse_duplicates(found: Vec<(Rank, Skill)>, resolved: &mut Resolved) {
    let mut once = HashSet::new();
    let names = found.iter().map(|(_, skill)| skill.name.clone());
    let repeated: HashSet<_> = names.filter(|name| !once.insert(name.clone())).collect();
    for (rank, skill) in found {
        if repeated.contains(&skill.name) {
            resolved.refused.push(skill);
        } else {
            resolved.kept.push((rank, skill));
        }
    }
}
