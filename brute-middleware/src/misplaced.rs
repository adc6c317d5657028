//! Tells of layers that stand where they cannot do their work.

use brute_core::{Error, ErrorKind, Event, Turn};

/// Tells that a layer which shapes the input stands below the one that records it.
pub(crate) fn tell_below_input(turn: &Turn, layer: &str) {
    if turn.input.is_empty() && turn.journal.seen() > 0 {
        turn.events.emit(|| {
            Event::diagnostic(format!(
                "{layer} does nothing here, because the input is recorded already: put it above AcceptInput, in the default stack with `around_input`",
            ))
        });
    }
}

/// Fails where a layer that offers a tool stands below the one that runs them.
pub(crate) fn refuse_below_loop(turn: &Turn, layer: &str) -> Result<(), Error> {
    if turn.facts.step == 0 {
        return Ok(());
    }
    let message = format!(
        "{layer} offers a tool that nothing below runs: put it above SystemPrompt, in the default stack with `around_input`",
    );
    Err(Error::new(ErrorKind::Invalid, message))
}
