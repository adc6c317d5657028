//! What the tools on offer can be asked for.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::{ToolChoice, ToolSpec, Toolbox, Turn};

/// The names that a tool may have for what it looks at, in the order of preference.
const PATHS: [&str; 6] = ["file_path", "path", "directory", "dir", "file", "filename"];
const PATTERNS: [&str; 5] = ["pattern", "regex", "query", "text", "word"];

/// The tools on offer, as far as the model may call them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer<'a> {
    tools: &'a Toolbox,
    choice: &'a ToolChoice,
}

/// A call to be made.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    /// The name under which the tool is on offer.
    pub(super) name: Arc<str>,
    /// A JSON object.
    pub(super) arguments: Value,
}

impl<'a> Offer<'a> {
    pub(super) fn of(turn: &'a Turn) -> Self {
        Self { tools: &turn.tools, choice: &turn.settings.tool_choice }
    }

    /// Asks for the entries of a directory; `None` is the working directory.
    pub(super) fn list(&self, path: Option<&str>) -> Option<Call> {
        let spec = self.known("list")?;
        match (argument(spec, &PATHS), path) {
            (Some(name), Some(path)) => Some(call(spec, [(name, path.into())])),
            (Some(name), None) if is_required(spec, name) => Some(call(spec, [(name, ".".into())])),
            (_, None) => Some(call(spec, [])),
            (None, Some(_)) => None,
        }
    }

    /// Asks for a file.
    pub(super) fn read(&self, path: &str) -> Option<Call> {
        let spec = self.known("read")?;
        let name = argument(spec, &PATHS)?;
        Some(call(spec, [(name, path.into())]))
    }

    /// Asks for the places of a word, in whatever case it is written.
    pub(super) fn search(&self, word: &str) -> Option<Call> {
        let spec = self.known("search")?;
        let name = argument(spec, &PATTERNS)?;
        let mut arguments = vec![(name, escaped(word).into())];
        if has_argument(spec, "ignore_case") {
            arguments.push(("ignore_case", true.into()));
        }
        Some(call(spec, arguments))
    }

    /// Says why nothing can be looked at, if that is so.
    pub(super) fn why_not(&self) -> Option<String> {
        let names: Vec<_> = self.tools.specs().map(|spec| &*spec.name).collect();
        if names.is_empty() {
            return Some("there are no tools on offer".into());
        }
        if *self.choice == ToolChoice::None {
            return Some("tools are off for this call".into());
        }
        let is_known = |name: &&str| self.known(name).is_some();
        let knows_any = ["list", "read", "search"].iter().any(is_known);
        let names = names.join(", ");
        (!knows_any).then(|| format!("none of list, read and search is on offer, but only {names}"))
    }

    fn known(&self, name: &str) -> Option<&'a ToolSpec> {
        let may_call = |spec: &&ToolSpec| match self.choice {
            ToolChoice::None => false,
            ToolChoice::Tool(only) => *spec.name == **only,
            ToolChoice::Auto | ToolChoice::Required => true,
        };
        self.tools.specs().filter(may_call).find(|spec| spec.known_name() == name)
    }
}

fn call<'n>(spec: &ToolSpec, arguments: impl IntoIterator<Item = (&'n str, Value)>) -> Call {
    let arguments = arguments.into_iter().map(|(name, value)| (name.to_owned(), value));
    Call { name: spec.name.clone(), arguments: Value::Object(arguments.collect::<Map<_, _>>()) }
}

/// Finds the argument of a tool that takes a text of some meaning.
fn argument(spec: &ToolSpec, names: &[&'static str]) -> Option<&'static str> {
    names.iter().copied().find(|name| has_argument(spec, name))
}

fn has_argument(spec: &ToolSpec, name: &str) -> bool {
    spec.parameters.pointer("/properties").is_some_and(|properties| properties.get(name).is_some())
}

fn is_required(spec: &ToolSpec, name: &str) -> bool {
    let required = spec.parameters.get("required").and_then(Value::as_array);
    required.is_some_and(|required| required.iter().any(|member| member == name))
}

/// Writes a word as a regular expression that means only itself.
fn escaped(word: &str) -> String {
    let mut escaped = String::with_capacity(word.len());
    for letter in word.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
