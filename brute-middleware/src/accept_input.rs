//! Records the user's input and makes it part of the log.

use brute_core::{Error, ErrorKind, Turn};
use tower::Layer;

use crate::prepared::{Prepare, Prepared};

/// Records the user's input and appends it to the log.
///
/// Above it layers shape what will be recorded, such as an expanded command; below it they change
/// only what the model sees. A turn that passes twice, as under a retry, is recorded once.
///
/// An input without text or media is refused, since providers refuse it too.
#[derive(Clone, Copy, Debug, Default)]
pub struct AcceptInputLayer;

impl Prepare for AcceptInputLayer {
    fn prepare(&self, turn: &mut Turn) -> Result<(), Error> {
        if let Some(input) = turn.input.take() {
            if input.is_blank() {
                return Err(blank_input());
            }
            turn.journal.accept(input, &mut turn.log);
        }
        Ok(())
    }
}

/// Service made by [`AcceptInputLayer`].
pub type AcceptInput<S> = Prepared<S, AcceptInputLayer>;

impl<S> Layer<S> for AcceptInputLayer {
    type Service = AcceptInput<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Prepared::new(inner, *self)
    }
}

fn blank_input() -> Error {
    Error::new(
        ErrorKind::Invalid,
        "the input is blank: send text or media, or `Input::none()` to go on",
    )
}
