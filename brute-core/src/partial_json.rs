//! Reads JSON that is not complete yet.

use serde_json::Value;

/// Reads as much as there is of a JSON text whose end is still to come.
///
/// Open texts, lists and objects are closed; a member whose value has not begun is left out, and so
/// is a number, word or escape that may go on. Returns nothing for what can never become JSON.
///
/// ```
/// use brute_core::partial_json;
/// use serde_json::json;
///
/// assert_eq!(partial_json(r#"{"path": "src/ma"#), Some(json!({ "path": "src/ma" })));
/// assert_eq!(partial_json(r#"{"path": "a", "lim"#), Some(json!({ "path": "a" })));
/// ```
pub fn partial_json(text: &str) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let mut scan = Scan::default();
    text.char_indices().for_each(|(at, letter)| scan.step(at, letter));
    scan.candidates(text).find_map(|candidate| serde_json::from_str(&candidate).ok())
}

/// Where the text could be cut, and what would close it there.
#[derive(Default)]
struct Scan {
    closers: String,
    in_text: bool,
    escaped: bool,
    /// The places, newest last, where a value has ended or could be left out.
    cuts: Vec<(usize, String)>,
}

/// How many places are tried before giving up; one step back over a half-written member is enough.
const TRIES: usize = 4;

impl Scan {
    fn step(&mut self, at: usize, letter: char) {
        let after = at + letter.len_utf8();
        if self.in_text {
            self.step_in_text(after, letter);
            return;
        }
        match letter {
            '"' => self.in_text = true,
            '{' | '[' => {
                self.closers.push(if letter == '{' { '}' } else { ']' });
                self.cut(after);
            }
            '}' | ']' => {
                self.closers.pop();
                self.cut(after);
            }
            ',' => self.cut(at),
            _ => {}
        }
    }

    fn step_in_text(&mut self, after: usize, letter: char) {
        if self.escaped {
            self.escaped = false;
        } else if letter == '\\' {
            self.escaped = true;
        } else if letter == '"' {
            self.in_text = false;
            self.cut(after);
        }
    }

    fn cut(&mut self, at: usize) {
        if self.cuts.len() == TRIES {
            self.cuts.remove(0);
        }
        self.cuts.push((at, self.closing()));
    }

    fn closing(&self) -> String {
        self.closers.chars().rev().collect()
    }

    /// Makes whole texts, the longest first.
    fn candidates<'a>(&'a self, text: &'a str) -> impl Iterator<Item = String> + 'a {
        let open = self.in_text.then(|| {
            let end = text.len() - usize::from(self.escaped);
            let end = text[..end].rfind("\\u").filter(|at| end - at < 6).unwrap_or(end);
            format!("{}\"{}", &text[..end], self.closing())
        });
        let cuts = self.cuts.iter().rev().map(|(at, closing)| format!("{}{closing}", &text[..*at]));
        open.into_iter().chain(cuts)
    }
}
