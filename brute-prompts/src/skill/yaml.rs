//! The one place that knows a YAML parser.

use granit_parser::{Event, Options, Parser, ScalarStyle, ScanError, Span, Tag};

/// How deep lists and mappings may nest; the parser refuses more before it builds anything.
const MAX_DEPTH: usize = 16;

/// A YAML value in which every scalar is the text that the author wrote.
///
/// Nothing turns into a number, a boolean, a date or nothing: `404`, `yes` and `~` are texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Yaml {
    Text(String),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

/// Why a text is not YAML that a skill may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct YamlFault {
    /// The line within the text, counted from 1.
    pub(crate) line: usize,
    pub(crate) message: String,
    /// Whether the text is sound YAML of a kind that is refused, so that no repair is tried.
    pub(crate) refused: bool,
}

/// Reads one YAML document; an empty one is an empty mapping.
///
/// # Errors
///
/// Text that is not YAML; more than one document; nesting beyond sixteen levels; keys that are not
/// text; tags, anchors and aliases, which front matter has no use for and which make bombs possible.
pub(crate) fn parse(text: &str) -> Result<Yaml, YamlFault> {
    let mut builder = Builder::default();
    for step in Parser::new_from_str_with_options(text, options()) {
        let (event, span) = step?;
        builder.accept(event, &span)?;
    }
    builder.finish()
}

fn options() -> Options {
    granit_parser::options! {
        emit_comments: false,
        disallow_directives: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    }
}

/// A collection that is still open, with the key that waits for its value.
enum Open {
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>, Option<String>),
}

#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    root: Option<Yaml>,
    /// The first anchor: a fault, but an alias that comes after it is the worse one.
    anchor: Option<YamlFault>,
}

impl Builder {
    fn accept(&mut self, event: Event<'_>, span: &Span) -> Result<(), YamlFault> {
        match event {
            Event::Alias(_) => return Err(refused(span)),
            Event::Scalar(text, style, anchor, tag) => {
                self.check(anchor, tag.as_deref(), span)?;
                // The parser says `~` for a value that is not there.
                let absent = style == ScalarStyle::Plain && span.start.index() >= span.end.index();
                let text = if absent { String::new() } else { text.into_owned() };
                return self.place(Yaml::Text(text), span);
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.check(anchor, tag.as_deref(), span)?;
                self.open.push(Open::List(Vec::new()));
            }
            Event::MappingStart(_, anchor, tag) => {
                self.check(anchor, tag.as_deref(), span)?;
                self.open.push(Open::Map(Vec::new(), None));
            }
            Event::SequenceEnd | Event::MappingEnd => return self.close(span),
            _ => {}
        }
        Ok(())
    }

    fn check(&mut self, anchor: usize, tag: Option<&Tag>, span: &Span) -> Result<(), YamlFault> {
        if anchor != 0 && self.anchor.is_none() {
            self.anchor =
                Some(fault(span, "an anchor (&) is not allowed; put the value in quotes"));
        }
        match tag {
            Some(tag) if !tag.is_yaml_core_schema_tag("str") => {
                Err(fault(span, "a tag (!) is not allowed; put the value in quotes"))
            }
            _ => Ok(()),
        }
    }

    fn close(&mut self, span: &Span) -> Result<(), YamlFault> {
        match self.open.pop() {
            Some(Open::List(items)) => self.place(Yaml::List(items), span),
            Some(Open::Map(pairs, _)) => self.place(Yaml::Map(pairs), span),
            None => Err(fault(span, "a collection ends that never began")),
        }
    }

    fn place(&mut self, value: Yaml, span: &Span) -> Result<(), YamlFault> {
        match (self.open.last_mut(), value) {
            (Some(Open::List(items)), value) => items.push(value),
            (Some(Open::Map(pairs, key)), value) => match (key.take(), value) {
                (Some(key), value) => pairs.push((key, value)),
                (None, Yaml::Text(text)) => *key = Some(text),
                (None, _) => return Err(fault(span, "a key must be a text")),
            },
            (None, _) if self.root.is_some() => {
                return Err(fault(span, "a second document begins; front matter is one document"));
            }
            (None, value) => self.root = Some(value),
        }
        Ok(())
    }

    fn finish(self) -> Result<Yaml, YamlFault> {
        match self.anchor {
            Some(fault) => Err(fault),
            None => Ok(self.root.unwrap_or(Yaml::Map(Vec::new()))),
        }
    }
}

fn fault(span: &Span, message: &str) -> YamlFault {
    YamlFault { line: span.start.line(), message: message.into(), refused: false }
}

fn refused(span: &Span) -> YamlFault {
    let message = "an alias (*) is not allowed; write the value out";
    YamlFault { line: span.start.line(), message: message.into(), refused: true }
}

impl From<ScanError> for YamlFault {
    fn from(error: ScanError) -> Self {
        Self { line: error.marker().line(), message: error.info(), refused: false }
    }
}

impl Yaml {
    /// Returns a text as it is, and anything else as JSON on one line.
    pub(crate) fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            other => other.to_json().to_string(),
        }
    }

    fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::List(items) => items.iter().map(Self::to_json).collect(),
            Self::Map(pairs) => {
                pairs.iter().map(|(key, value)| (key.clone(), value.to_json())).collect()
            }
        }
    }

    /// Returns the value of a key of a mapping, the last one when it stands there twice.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Map(pairs) = self else { return None };
        pairs.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}
