//! Line ends and byte order marks.

use std::borrow::Cow;

/// Returns the text without one byte order mark, with every line end as LF.
pub(crate) fn normalise(text: &str) -> Cow<'_, str> {
    let text = without_mark(text);
    if !text.contains('\r') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// Returns the text without one byte order mark.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
