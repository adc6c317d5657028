//! Finds, reads and merges the skills of several roots.

use std::{
    collections::{BTreeSet, HashMap},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    DiscoverOptions, Skill, SkillRoot,
    duplicates::{self, DuplicatePolicy, Rank},
    fault::Fault,
    find::{self, Candidate},
    load::{self, Place},
    read,
};
use crate::{Diagnostic, Severity};

/// A skill that a stronger one of the same name hides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shadowed {
    /// The name that both bear.
    pub name: String,
    /// The file that is offered.
    pub winner: PathBuf,
    /// The file that is not.
    pub loser: PathBuf,
}

impl Shadowed {
    pub(crate) fn new(winner: &Path, loser: Skill) -> Self {
        Self { name: loser.name, winner: winner.to_path_buf(), loser: loser.location }
    }

    fn diagnostic(&self) -> Diagnostic {
        let message = format!(
            "the skill {:?} is hidden by {}; rename or remove one",
            self.name,
            self.winner.display()
        );
        Fault::new("shadowed", message).with(&self.loser, Severity::Warning)
    }
}

/// A sound skill that is not on offer here, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ineligible {
    /// The skill.
    pub skill: Skill,
    /// What is missing, or who switched it off.
    pub reason: String,
}

/// What the roots hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Discovery {
    /// The skills on offer, by name, byte by byte.
    pub skills: Vec<Skill>,
    /// Everything that was odd, by root and path; name conflicts come last.
    pub diagnostics: Vec<Diagnostic>,
    /// Which file hides which.
    pub shadowed: Vec<Shadowed>,
    /// The skills that are sound and not on offer.
    pub ineligible: Vec<Ineligible>,
}

/// Looks for skills in the roots, which come from the lowest to the highest precedence.
///
/// Never fails: what cannot be read is left out and reported. Two calls over the same files give the
/// same result. A file that several roots lead to is one skill. A missing root is silent.
///
/// ```
/// use brute_prompts::skill::{DiscoverOptions, SkillRoot, discover};
///
/// let folder = tempfile::tempdir()?;
/// let skill = folder.path().join("tidy-logs");
/// std::fs::create_dir(&skill)?;
/// std::fs::write(
///     skill.join("SKILL.md"),
///     "---\nname: tidy-logs\ndescription: Shortens logs: noisy ones first.\n---\n\nKeep the last lines.\n",
/// )?;
///
/// let found = discover(&[SkillRoot::project(folder.path())], &DiscoverOptions::default());
/// assert_eq!(found.skills[0].description, "Shortens logs: noisy ones first.");
/// assert_eq!(found.skills[0].load_body().unwrap(), "Keep the last lines.");
/// // The colon should have been in quotes.
/// assert_eq!(found.diagnostics[0].kind, "yaml_repaired");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn discover(roots: &[SkillRoot], options: &DiscoverOptions) -> Discovery {
    let mut diagnostics = Vec::new();
    let candidates = find::find(roots, options, &mut diagnostics);
    let ranks =
        candidates.iter().enumerate().map(|(order, candidate)| rank(order, candidate, roots));
    let ranked: Vec<_> = ranks.zip(&candidates).collect();
    let doubles = doubles(&ranked, options.duplicates);

    let mut buffer = Vec::new();
    let mut loaded = Vec::new();
    for (rank, candidate) in ranked.into_iter().filter(|(rank, _)| !doubles.contains(&rank.order)) {
        let scope = &roots[candidate.root].scope;
        if let Some(skill) = load(candidate, scope, options, &mut buffer, &mut diagnostics) {
            loaded.push((rank, skill));
        }
    }
    merge(loaded, options, diagnostics)
}

fn rank(order: usize, candidate: &Candidate, roots: &[SkillRoot]) -> Rank {
    let root = &roots[candidate.root];
    Rank { precedence: root.precedence, root: candidate.root, order, fallback: root.fallback }
}

/// Returns the candidates that lead to a file which a stronger candidate leads to as well.
fn doubles(ranked: &[(Rank, &Candidate)], policy: DuplicatePolicy) -> BTreeSet<usize> {
    let mut strongest: HashMap<&Path, Rank> = HashMap::new();
    let mut doubles = BTreeSet::new();
    for (rank, candidate) in ranked {
        let best = strongest.entry(&candidate.real).or_insert(*rank);
        if best.order == rank.order {
            continue;
        }
        let (winner, loser) =
            if policy.compare(rank, best).is_lt() { (*rank, *best) } else { (*best, *rank) };
        *best = winner;
        doubles.insert(loser.order);
    }
    doubles
}

fn load(
    candidate: &Candidate,
    scope: &str,
    options: &DiscoverOptions,
    buffer: &mut Vec<u8>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Skill> {
    let Candidate { path, folder, size, odd_case, .. } = candidate;
    let place = Place { path, folder, scope, odd_case: *odd_case };
    match read::read(path, *size, options.max_file_bytes, buffer) {
        Ok(text) => load::load(text, &place, options.validation, diagnostics),
        Err(fault) => {
            diagnostics.push(fault.fatal(path));
            None
        }
    }
}

fn merge(
    loaded: Vec<(Rank, Skill)>,
    options: &DiscoverOptions,
    mut diagnostics: Vec<Diagnostic>,
) -> Discovery {
    let resolved = duplicates::resolve(loaded, options.duplicates);
    diagnostics.extend(resolved.shadowed.iter().map(Shadowed::diagnostic));
    diagnostics.extend(resolved.refused.iter().map(ambiguous));
    let mut discovery =
        Discovery { diagnostics, shadowed: resolved.shadowed, ..Discovery::default() };
    for (_, skill) in resolved.kept {
        match options.objection(&skill) {
            Some(reason) => discovery.ineligible.push(Ineligible { skill, reason }),
            None => discovery.skills.push(skill),
        }
    }
    discovery
}

fn ambiguous(skill: &Skill) -> Diagnostic {
    let message = format!("several skills are named {:?}; rename all but one", skill.name);
    Fault::new("duplicate_name", message).fatal(&skill.location)
}
