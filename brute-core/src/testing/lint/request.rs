//! What must hold of a request.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use super::{complain, complain_if};
use crate::{Journal, Log, Role, Turn, Zone};

/// What a lint keeps of a request until its reply comes.
pub(super) struct Before {
    pub(super) log: Log,
    pub(super) journal: Journal,
    pub(super) recorded: usize,
    pub(super) step: u32,
    input_taken: bool,
    repeated: bool,
    /// What the lint above handed down, and what this one does.
    above: Option<Call>,
    below: Call,
}

/// Handed down from lint to lint: the input was taken by something above.
#[derive(Clone, Copy)]
struct InputTaken;

/// Handed down from a lint to the next one: a call of the upper one, with what the lower one saw of
/// it. A step that is seen twice was made twice by the layer between them.
#[derive(Clone, Default)]
struct Call(Arc<Seen>);

#[derive(Default)]
struct Seen {
    last_step: AtomicU32,
    failed: AtomicBool,
}

impl Call {
    fn is_repeated(&self, step: u32) -> bool {
        self.0.last_step.swap(step, Ordering::Relaxed) == step && step > 0
    }
}

impl Before {
    /// Tells the lints below what was seen here.
    pub(super) fn mark(&self, mut turn: Turn) -> Turn {
        if self.input_taken {
            turn.extensions.insert(InputTaken);
        }
        turn.extensions.insert(self.below.clone());
        turn
    }

    /// Tells the lint above whether the newest call failed, here or below a layer that answered in
    /// the place of the error.
    pub(super) fn tell_above(&self, failed: bool) {
        if let Some(call) = &self.above {
            call.0.failed.store(failed, Ordering::Relaxed);
        }
    }

    /// Tells whether the newest call failed below, so that the layer between answers by itself.
    pub(super) fn failed_below(&self) -> bool {
        self.below.0.failed.load(Ordering::Relaxed)
    }

    /// Complains of a model call that was made again above the journal.
    pub(super) fn check_repeat(&self, above: &str) {
        let has_recorded = self.journal.recorded() > self.recorded;
        complain_if(
            self.repeated && has_recorded,
            "law 1",
            above,
            "made one step twice above Journal: a retry stands below Journal or above ToolLoop",
        );
    }
}

pub(super) fn check(turn: &Turn, above: &str) -> Before {
    let input_taken = turn.input.is_empty() && turn.journal.recorded() > 0;
    let above_call = turn.extensions.get::<Call>();
    let taken_above = turn.extensions.get::<InputTaken>().is_some();
    complain_if(
        taken_above && !turn.input.is_empty(),
        "law 1",
        above,
        "gave an input below AcceptInput",
    );
    let misses = turn.facts.step > 0 && turn.journal.seen() < turn.journal.recorded();
    complain_if(
        misses,
        "law 1",
        above,
        "called with a log that misses what this turn recorded: a retry stands below Journal or above ToolLoop",
    );
    if let Some(complaint) = unpaired(&turn.log) {
        complain("law 3", above, &complaint);
    }
    if let Some(name) = repeated_reminder(&turn.log) {
        complain(
            "the reminder rule",
            above,
            &format!("the reminder {name:?} stands twice in one request"),
        );
    }
    Before {
        log: turn.log.clone(),
        journal: turn.journal.clone(),
        recorded: turn.journal.recorded(),
        step: turn.facts.step,
        input_taken: input_taken || taken_above,
        repeated: above_call.is_some_and(|call| call.is_repeated(turn.facts.step)),
        above: above_call.cloned(),
        below: Call::default(),
    }
}

/// Checks that every tool call of a log has exactly one result, in the order of the calls.
///
/// # Panics
/// Panics with what is wrong, and the log.
#[track_caller]
pub fn assert_paired(log: &Log) {
    if let Some(complaint) = unpaired(log) {
        panic!("{complaint}: {log:#?}");
    }
}

/// Returns what is wrong with the pairing of calls and results in a view.
fn unpaired(log: &Log) -> Option<String> {
    let mut open: Vec<Arc<str>> = Vec::new();
    for message in log.iter() {
        if message.role == Role::Tool {
            for result in message.tool_results() {
                if open.first() != Some(&result.call_id) {
                    return Some(format!(
                        "the result of {:?} stands where {open:?} is due",
                        result.call_id
                    ));
                }
                open.remove(0);
            }
        } else if open.is_empty() {
            open.extend(message.tool_calls().map(|call| call.id.clone()));
        } else {
            return Some(format!("the calls {open:?} have no result before the next message"));
        }
    }
    (!open.is_empty()).then(|| format!("the calls {open:?} have no result"))
}

/// Returns the name of a reminder that stands in two places of a view.
///
/// Reminders are dynamic; two texts of a system prompt may well have one name.
fn repeated_reminder(log: &Log) -> Option<Arc<str>> {
    let mut seen = HashSet::new();
    let sections = log.iter().flat_map(|message| message.sections());
    let mut reminders = sections.filter(|section| section.zone == Zone::Dynamic);
    reminders.find(|section| !seen.insert(section.name.clone())).map(|section| section.name.clone())
}
