//! What a model is asked, be the input accepted or not.

use crate::{Error, ErrorKind, Event, Log, Turn};

/// What a model says of an input that it sees and nobody recorded.
const FORGOTTEN: &str = "the input is in no record, and the next turn will not know it: put AcceptInputLayer above the model";

/// What a loop without a layer that accepts the input is refused with.
const NOWHERE: &str = "the input never reached the log, so the steps of the loop cannot tell where it belongs: put AcceptInputLayer above the tool loop";

/// Returns what a model is asked: the log, and behind it an input that no layer put there.
///
/// For those who write a model. A model alone, or below layers of a single call, so answers what
/// was said; since nobody records it, a diagnostic tells. In a stack that `AcceptInputLayer` stands
/// in, it is the log.
///
/// # Errors
/// Fails with [`ErrorKind::Invalid`] below a tool loop that no layer accepts the input above.
pub fn conversation(turn: &Turn) -> Result<Log, Error> {
    let mut log = turn.log.clone();
    if let Some(input) = turn.input.message() {
        if turn.facts.step > 0 {
            return Err(Error::new(ErrorKind::Invalid, NOWHERE));
        }
        turn.events.emit(|| Event::diagnostic(FORGOTTEN));
        log.push(input.clone());
    }
    Ok(log)
}
