//! What must hold of a reply.

use std::sync::Arc;

use super::{complain, complain_if, request::Before};
use crate::{Message, Reply, Role};

pub(super) fn check(before: &Before, reply: &Reply, below: &str) {
    check_added(before, reply, below);
    check_recorded(before, reply, below);
    if let Some(complaint) = unpaired(&reply.added, before.step == 0) {
        complain("law 3", below, &complaint);
    }
}

/// Checks that a reply holds what is new, and nothing of the view.
fn check_added(before: &Before, reply: &Reply, below: &str) {
    for message in &reply.added {
        complain_if(
            is_view(message),
            "law 1",
            below,
            "answered with a message that belongs to the view only",
        );
        let is_old = before.log.iter().any(|old| Arc::ptr_eq(old, message));
        complain_if(is_old, "law 1", below, "answered with a message that the log holds already");
    }
}

/// Tells whether a message is a prompt or a reminder, whoever is said to speak.
fn is_view(message: &Message) -> bool {
    let is_section = message.sections().next().is_some();
    matches!(message.role, Role::System | Role::Developer) || is_section
}

/// Checks that what was recorded comes back in the reply, except the input and what was put in front of it.
fn check_recorded(before: &Before, reply: &Reply, below: &str) {
    let recorded = before.journal.entries(before.recorded);
    for message in recorded.iter().skip(in_front_of_input(&recorded)) {
        let is_view = is_view(message);
        complain_if(is_view, "law 1", below, "recorded a message that belongs to the view only");
        let is_new = |added: &Arc<Message>| added.id == message.id;
        let is_input = before.step == 0 && message.role == Role::User;
        // A layer that answers in the place of an error has nothing else to say.
        let is_kept = before.failed_below() || reply.added.iter().any(is_new);
        let is_lost = !is_input && !is_kept;
        complain_if(is_lost, "law 1", below, "recorded a message that its reply does not hold");
    }
}

/// Counts the developer messages that a layer above `AcceptInput` recorded in front of the input.
fn in_front_of_input(recorded: &[Arc<Message>]) -> usize {
    let is_told = |message: &&Arc<Message>| {
        message.role == Role::Developer && message.sections().next().is_none()
    };
    let told = recorded.iter().take_while(is_told).count();
    let is_followed = recorded.get(told).is_some_and(|message| message.role == Role::User);
    if is_followed { told } else { 0 }
}

/// Returns what is wrong with the pairing in a reply; calls may be open at its end inside the loop.
fn unpaired(added: &[Arc<Message>], must_be_closed: bool) -> Option<String> {
    let mut open: Vec<Arc<str>> = Vec::new();
    let mut answered = 0;
    for message in added {
        if message.role == Role::Tool {
            for result in message.tool_results() {
                if open.get(answered) != Some(&result.call_id) {
                    return Some(format!(
                        "the result of {:?} is not the one that is due",
                        result.call_id
                    ));
                }
                answered += 1;
            }
        } else if answered == open.len() {
            answered = 0;
            open = message.tool_calls().map(|call| call.id.clone()).collect();
        } else {
            return Some(format!(
                "the calls {:?} have no result before the next message",
                &open[answered..]
            ));
        }
    }
    let is_partly_answered = answered > 0 && answered < open.len();
    let is_open = must_be_closed && answered < open.len();
    (is_partly_answered || is_open)
        .then(|| format!("the calls {:?} have no result", &open[answered..]))
}
