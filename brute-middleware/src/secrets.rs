//! Texts that must not be written anywhere.

use std::{borrow::Cow, env, fmt, fmt::Write, ops::Range, sync::Arc};

use serde_json::Value;

/// What stands in the place of a secret.
const REDACTED: &str = "[redacted]";

/// Ends of the names of environment variables that hold secrets.
const SECRET_NAMES: [&str; 4] = ["KEY", "TOKEN", "SECRET", "PASSWORD"];

/// The shortest value of such a variable that is taken for a secret: shorter ones are words.
const SHORTEST: usize = 8;

/// Texts that must not be written anywhere, such as keys; a clone is one reference count.
///
/// They are found as they are and in the forms that they take inside of JSON, of JSON inside of
/// JSON, of XML, of addresses, and of escaped lines.
///
/// ```
/// use brute_middleware::Secrets;
///
/// let secrets = Secrets::new(["pass\"word"]);
/// assert_eq!(secrets.redact(r#"{"key": "pass\"word"}"#), r#"{"key": "[redacted]"}"#);
/// ```
#[derive(Clone, Default)]
pub struct Secrets(Arc<Vec<String>>);

impl Secrets {
    /// Knows these secrets; blank ones would stand everywhere and are ignored.
    pub fn new<S: AsRef<str>>(secrets: impl IntoIterator<Item = S>) -> Self {
        Self::default().with(secrets)
    }

    /// Knows the values of all environment variables whose name ends in `KEY`, `TOKEN`, `SECRET`
    /// or `PASSWORD`.
    pub fn from_env() -> Self {
        let is_secret = |name: &str| {
            let name = name.to_ascii_uppercase();
            SECRET_NAMES.iter().any(|end| name.ends_with(end))
        };
        let variables = env::vars_os().filter_map(|(name, value)| {
            let value = value.into_string().ok()?;
            (is_secret(&name.to_string_lossy()) && value.len() >= SHORTEST).then_some(value)
        });
        Self::new(variables)
    }

    /// Knows these secrets, too.
    #[must_use]
    pub fn with<S: AsRef<str>>(mut self, secrets: impl IntoIterator<Item = S>) -> Self {
        let known = Arc::make_mut(&mut self.0);
        for secret in secrets {
            let secret = secret.as_ref().trim();
            if !secret.is_empty() {
                known.extend(forms(secret));
            }
        }
        known.sort();
        known.dedup();
        self
    }

    /// Tells whether nothing is secret.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the text with a mark in the place of every secret; secrets that overlap share one.
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let places = self.places(text);
        if places.is_empty() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(redacted(text, &places, 0..text.len()))
    }

    /// Returns the pieces of a text without the secrets of the whole; a mark stands in the piece in
    /// which its secret begins.
    pub(crate) fn redact_pieces(&self, pieces: &[&str]) -> Vec<String> {
        let text = pieces.concat();
        let places = self.places(&text);
        let mut end = 0;
        let cut = pieces.iter().map(|piece| {
            let start = end;
            end += piece.len();
            redacted(&text, &places, start..end)
        });
        cut.collect()
    }

    /// Replaces every secret in the texts and keys of a value.
    pub fn redact_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Cow::Owned(redacted) = self.redact(text) {
                    *text = redacted;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact_value(item)),
            Value::Object(members) => {
                let redacted = std::mem::take(members).into_iter().map(|(key, mut value)| {
                    self.redact_value(&mut value);
                    (self.redact(&key).into_owned(), value)
                });
                *members = redacted.collect();
            }
            _ => {}
        }
    }

    /// Returns where secrets stand, in order and apart from each other.
    fn places(&self, text: &str) -> Vec<Range<usize>> {
        let mut places: Vec<_> =
            self.0.iter().flat_map(|secret| occurrences(text, secret)).collect();
        places.sort_by_key(|place| (place.start, place.end));
        let mut apart: Vec<Range<usize>> = Vec::new();
        for place in places {
            match apart.last_mut().filter(|last| place.start < last.end) {
                Some(last) => last.end = last.end.max(place.end),
                None => apart.push(place),
            }
        }
        apart
    }
}

/// Returns a part of a text, with a mark in the place of every secret that begins in it.
fn redacted(text: &str, places: &[Range<usize>], part: Range<usize>) -> String {
    let mut out = String::with_capacity(part.len());
    let mut copied = part.start;
    let first = places.partition_point(|place| place.end <= part.start);
    for place in places[first..].iter().take_while(|place| place.start < part.end) {
        if place.start >= part.start {
            out.push_str(&text[copied..place.start]);
            out.push_str(REDACTED);
        }
        copied = place.end.min(part.end);
    }
    out.push_str(&text[copied..part.end]);
    out
}

/// Returns every place of a text, those that overlap included.
fn occurrences(text: &str, secret: &str) -> Vec<Range<usize>> {
    let first = secret.chars().next().map_or(1, char::len_utf8);
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(secret) {
        places.push(from + at..from + at + secret.len());
        from += at + first;
    }
    places
}

/// Returns the forms in which a secret may stand in a text.
fn forms(secret: &str) -> Vec<String> {
    let once = json(secret);
    let ascii = in_ascii(&once);
    let mut forms = vec![
        secret.to_owned(),
        json(&once),
        json(&ascii),
        once.replace('/', "\\/"),
        once,
        ascii,
        in_xml(secret, "&quot;", "&#39;"),
        in_xml(secret, "\"", "'"),
        secret.escape_default().to_string(),
        secret.escape_debug().to_string(),
        in_address(secret, "%20"),
        in_address(secret, "+"),
    ];
    // Texts are also shown line by line, with something before each line.
    forms.extend(
        secret.lines().map(str::trim).filter(|line| line.len() >= SHORTEST).map(Into::into),
    );
    forms
}

/// Returns the text as it stands between the quotes of JSON.
fn json(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn in_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

fn in_xml(text: &str, quote: &str, apostrophe: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', quote).replace('\'', apostrophe)
}

fn in_address(text: &str, blank: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' => out.push_str(blank),
            b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets").field("forms", &self.0.len()).finish_non_exhaustive()
    }
}
