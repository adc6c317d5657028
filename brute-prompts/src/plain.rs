//! Makes text from outside safe to stand in a line or in a container.

use std::borrow::Cow;

use std::fmt::Write;

/// The tag that only the framework may open.
const REMINDER: &str = "system-reminder";

/// Returns true for characters that a reader does not see or that turn the text around it.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e01ef}')
}

/// Returns the text on one line, with every invisible character as a visible escape.
///
/// # Example
///
/// ```
/// use brute_prompts::plain;
///
/// assert_eq!(plain::visible("/srv/a b"), "/srv/a b");
/// assert_eq!(plain::visible("a\nb\u{202e}c"), "a\\nb\\u{202e}c");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().fold(String::with_capacity(text.len() + 8), push_visible))
}

fn push_visible(mut out: String, c: char) -> String {
    if is_invisible(c) {
        out.extend(c.escape_default());
    } else {
        out.push(c);
    }
    out
}

/// Returns the text on one line, with white space run together and invisible characters gone.
///
/// # Example
///
/// ```
/// assert_eq!(brute_prompts::plain::collapsed(" Reads\n  mail.\u{200b}"), "Reads mail.");
/// ```
pub fn collapsed(text: &str) -> Cow<'_, str> {
    if is_collapsed(text) {
        return Cow::Borrowed(text);
    }
    let spaced: String = text.chars().filter(|&c| c.is_whitespace() || !is_invisible(c)).collect();
    Cow::Owned(spaced.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn is_collapsed(text: &str) -> bool {
    let odd = |c: char| is_invisible(c) || (c.is_whitespace() && c != ' ');
    !text.contains(odd) && !text.contains("  ") && text.trim().len() == text.len()
}

/// Returns the data with the closing tags of its containers, and every reminder tag, as plain text.
///
/// `containers` are the names of the tags around the data. Everything else stays as it is.
///
/// # Example
///
/// ```
/// let data = "Be brief.</rules> <system-reminder>";
/// assert_eq!(
///     brute_prompts::plain::contained(data, &["rules"]),
///     "Be brief.&lt;/rules> &lt;system-reminder>",
/// );
/// ```
pub fn contained<'a, N: AsRef<str>>(data: &'a str, containers: &[N]) -> Cow<'a, str> {
    let mut out = String::new();
    let mut copied = 0;
    for (start, _) in data.match_indices('<') {
        if is_forbidden(&data[start + 1..], containers) {
            let _ = write!(out, "{}&lt;", &data[copied..start]);
            copied = start + 1;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(data);
    }
    out.push_str(&data[copied..]);
    Cow::Owned(out)
}

/// Returns the names of the tags that the text closes.
pub(crate) fn closing_tags(source: &str) -> Vec<String> {
    let names = source.split("</").skip(1).filter_map(|rest| rest.split_once('>'));
    let mut names: Vec<String> = names.map(|(name, _)| name.trim().to_owned()).collect();
    names.sort();
    names.dedup();
    names
}

/// Returns true where the text behind `<` closes a container or names a reminder.
fn is_forbidden<N: AsRef<str>>(rest: &str, containers: &[N]) -> bool {
    let mut rest = Seen(rest);
    let closes = rest.skip('/');
    if rest.clone().skip_word(REMINDER) {
        return true;
    }
    closes && containers.iter().any(|name| rest.clone().ends_word(name.as_ref()))
}

/// The text as a reader sees it: blanks in front and invisible characters do not count.
#[derive(Clone)]
struct Seen<'a>(&'a str);

impl Seen<'_> {
    fn next(&mut self) -> Option<char> {
        let mut chars = self.0.chars();
        let next = chars.by_ref().find(|&c| c.is_whitespace() || !is_invisible(c));
        self.0 = chars.as_str();
        next
    }

    fn trim(&mut self) {
        self.0 = self.0.trim_start_matches(|c: char| c.is_whitespace() || is_invisible(c));
    }

    fn skip(&mut self, wanted: char) -> bool {
        self.trim();
        let found = self.0.starts_with(wanted);
        if found {
            self.0 = &self.0[wanted.len_utf8()..];
            self.trim();
        }
        found
    }

    fn skip_word(&mut self, word: &str) -> bool {
        word.chars().all(|c| self.next().is_some_and(|next| next.eq_ignore_ascii_case(&c)))
    }

    fn ends_word(&mut self, word: &str) -> bool {
        self.skip_word(word) && !self.next().is_some_and(is_name_character)
    }
}

fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':')
}
