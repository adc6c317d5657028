//! Reads JSON that is not complete yet.

mod text;

use serde_json::{Map, Value};

/// How deep a value may nest, as for every reader of JSON here.
const DEEPEST: usize = 127;

/// Reads as much as there is of a JSON text whose end is still to come.
///
/// Open texts, lists and objects are closed; a member whose value has not begun is left out, and so
/// is a number, word or escape that may go on. Returns nothing for what can never become JSON.
/// Takes time in proportion to the text.
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
    let mut reader = Reader { rest: text, depth: 0 };
    match reader.value().ok()? {
        Read::Whole(value) => reader.next().is_none().then_some(value),
        Read::Open(value) => value,
    }
}

/// What was read of a value.
enum Read<T = Value> {
    /// All of it.
    Whole(T),
    /// What there is, if it is worth anything; then the text ended.
    Open(Option<T>),
}

/// The text can never become JSON.
struct NoJson;

/// The text that is still to be read.
struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// Returns the next sign that is no white space, without taking it.
    fn next(&mut self) -> Option<u8> {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
        self.rest.bytes().next()
    }

    /// Takes so many bytes, which end between two letters.
    fn take(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        taken
    }

    fn value(&mut self) -> Result<Read, NoJson> {
        match self.next() {
            None => Ok(Read::Open(None)),
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::list),
            Some(b'"') => self.text().map(|text| match text {
                Read::Whole(text) => Read::Whole(text.into()),
                Read::Open(text) => Read::Open(text.map(Value::from)),
            }),
            Some(_) => self.word(),
        }
    }

    fn nested(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Read, NoJson>,
    ) -> Result<Read, NoJson> {
        if self.depth == DEEPEST {
            return Err(NoJson);
        }
        self.take(1);
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn list(&mut self) -> Result<Read, NoJson> {
        let mut items = Vec::new();
        if self.next() == Some(b']') {
            self.take(1);
            return Ok(Read::Whole(items.into()));
        }
        loop {
            match self.value()? {
                Read::Whole(item) => items.push(item),
                Read::Open(item) => {
                    items.extend(item);
                    return Ok(Read::Open(Some(items.into())));
                }
            }
            match self.is_last(b']')? {
                Read::Whole(false) => {}
                Read::Whole(true) => return Ok(Read::Whole(items.into())),
                Read::Open(_) => return Ok(Read::Open(Some(items.into()))),
            }
        }
    }

    fn object(&mut self) -> Result<Read, NoJson> {
        let mut members = Map::new();
        if self.next() == Some(b'}') {
            self.take(1);
            return Ok(Read::Whole(members.into()));
        }
        loop {
            if let Read::Open(_) = self.member(&mut members)? {
                return Ok(Read::Open(Some(members.into())));
            }
            match self.is_last(b'}')? {
                Read::Whole(false) => {}
                Read::Whole(true) => return Ok(Read::Whole(members.into())),
                Read::Open(_) => return Ok(Read::Open(Some(members.into()))),
            }
        }
    }

    fn member(&mut self, members: &mut Map<String, Value>) -> Result<Read<()>, NoJson> {
        let name = match self.next() {
            None => return Ok(Read::Open(None)),
            Some(b'"') => self.text()?,
            Some(_) => return Err(NoJson),
        };
        let Read::Whole(name) = name else { return Ok(Read::Open(None)) };
        match self.next() {
            None => return Ok(Read::Open(None)),
            Some(b':') => self.take(1),
            Some(_) => return Err(NoJson),
        };
        match self.value()? {
            Read::Whole(value) => {
                members.insert(name, value);
                Ok(Read::Whole(()))
            }
            Read::Open(value) => {
                members.extend(value.map(|value| (name, value)));
                Ok(Read::Open(None))
            }
        }
    }

    /// Takes what stands between two items; tells whether it was the end of them.
    fn is_last(&mut self, end: u8) -> Result<Read<bool>, NoJson> {
        match self.next() {
            None => Ok(Read::Open(None)),
            Some(sign) if sign == end || sign == b',' => {
                self.take(1);
                Ok(Read::Whole(sign == end))
            }
            Some(_) => Err(NoJson),
        }
    }

    /// Reads a number, `true`, `false` or `null`; one at the end of the text may go on.
    fn word(&mut self) -> Result<Read, NoJson> {
        let ends = |letter: char| matches!(letter, ',' | ']' | '}' | ' ' | '\t' | '\r' | '\n');
        match self.rest.find(ends) {
            Some(0) => Err(NoJson),
            Some(end) => serde_json::from_str(self.take(end)).map(Read::Whole).map_err(|_| NoJson),
            None if may_go_on(self.rest) => {
                self.take(self.rest.len());
                Ok(Read::Open(None))
            }
            None => Err(NoJson),
        }
    }
}

/// Tells whether a number or word may begin like this.
fn may_go_on(start: &str) -> bool {
    let is_number =
        |start: &str| start.starts_with(|sign: char| sign == '-' || sign.is_ascii_digit());
    ["true", "false", "null"].iter().any(|word| word.starts_with(start))
        || is_number(start)
            && start.bytes().all(|sign| sign.is_ascii_digit() || b"+-.eE".contains(&sign))
}
