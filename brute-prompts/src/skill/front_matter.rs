//! Where the front matter of a skill file ends and its body begins.

use std::borrow::Cow;

use super::fault::Fault;

/// The most bytes that front matter may take; YAML is not even looked at beyond it.
pub const MAX_FRONT_MATTER_BYTES: usize = 64 * 1024;

/// A skill file, cut in two.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parts<'a> {
    /// The lines between the delimiters.
    pub(crate) yaml: &'a str,
    /// The line of the file on which the YAML begins, counted from 1.
    pub(crate) yaml_line: usize,
    /// The text behind the closing delimiter.
    pub(crate) body: &'a str,
    /// Whether blank lines stood before the opening delimiter.
    pub(crate) late: bool,
}

/// Drops one byte order mark and turns every line end into LF.
pub(crate) fn normalise(text: &str) -> Cow<'_, str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !text.contains('\r') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// Cuts a normalised text at the first two delimiter lines.
///
/// # Errors
///
/// `frontmatter_missing` and `frontmatter_unclosed`.
pub(crate) fn split(text: &str) -> Result<Parts<'_>, Fault> {
    let unpadded = text.trim_start_matches(['\n', ' ', '\t']);
    let blank_lines = text[..text.len() - unpadded.len()].matches('\n').count();
    let (opening, rest) = first_line(unpadded);
    if !is_delimiter(opening) || (blank_lines == 0 && unpadded.len() < text.len()) {
        return Err(missing());
    }
    let end = closing_delimiter(rest)?;
    let (_, body) = first_line(&rest[end..]);
    Ok(Parts { yaml: &rest[..end], yaml_line: blank_lines + 2, body, late: blank_lines > 0 })
}

/// Returns the body as a prompt wants it: no blank line at either end.
pub(crate) fn trim_body(body: &str) -> &str {
    let mut body = body.trim_end();
    while let Some((line, rest)) = body.split_once('\n') {
        if !line.trim().is_empty() {
            break;
        }
        body = rest;
    }
    body
}

fn closing_delimiter(text: &str) -> Result<usize, Fault> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if start > MAX_FRONT_MATTER_BYTES {
            return Err(Fault::new("frontmatter_unclosed", too_long()));
        }
        if is_delimiter(line) {
            return Ok(start);
        }
        start += line.len();
    }
    let message = "the front matter is never closed; end it with a line of three dashes";
    Err(Fault::new("frontmatter_unclosed", message))
}

fn too_long() -> String {
    let limit = MAX_FRONT_MATTER_BYTES / 1024;
    format!(
        "no line of three dashes closes the front matter within {limit} KiB; close or shorten it"
    )
}

fn missing() -> Fault {
    let message = "the file does not begin with front matter; put name and description between two lines of three dashes at its top";
    Fault::new("frontmatter_missing", message)
}

fn is_delimiter(line: &str) -> bool {
    line.trim_end() == "---"
}

fn first_line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}
