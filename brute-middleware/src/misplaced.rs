//! Tells of layers that stand where they cannot do their work.

use brute_core::{Event, Turn};

/// Tells that a layer which shapes the input stands below the one that records it.
pub(crate) fn tell_below_input(turn: &Turn, layer: &str) {
    if turn.input.is_empty() && turn.journal.seen() > 0 && turn.facts.step <= 1 {
        turn.events.emit(|| {
            Event::diagnostic(format!(
                "{layer} does nothing here, because the input is recorded already: put it above AcceptInput, in the default stack with `around_input`",
            ))
        });
    }
}

/// Tells, at the first step, that a layer which offers a tool stands below a tool loop: unless there
/// is another loop below, nothing runs the tool, and the prompt does not name it.
pub(crate) fn tell_below_loop(turn: &Turn, layer: &str) {
    if turn.facts.step == 1 {
        turn.events.emit(|| {
            Event::diagnostic(format!(
                "{layer} offers its tool below a tool loop, where it may be that nothing runs it: put it above SystemPrompt, in the default stack with `around_input`",
            ))
        });
    }
}
