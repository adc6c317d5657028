//! What a tool may be called.

use crate::{Error, ErrorKind};

/// The most characters that every provider takes.
const LONGEST: usize = 64;

/// Fails if there is a provider that refuses a tool of this name.
pub(super) fn check(name: &str) -> Result<(), Error> {
    if (1..=LONGEST).contains(&name.len()) && name.bytes().all(is_allowed) {
        return Ok(());
    }
    let message = format!(
        "no tool can be named {name:?}: providers take 1 to {LONGEST} ASCII letters, digits, `_` and `-`; name it otherwise, with `Toolbox::rename`, or with `Toolbox::with_named` where the name is not yours",
    );
    Err(Error::new(ErrorKind::Invalid, message))
}

fn is_allowed(letter: u8) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'-')
}
