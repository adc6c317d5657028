//! The one error of this crate: what failed, in which section, file and line.

use std::{error::Error as StdError, fmt};

/// An error of any type, boxed.
type BoxError = Box<dyn StdError + Send + Sync + 'static>;

/// Tells what went wrong in a [`PromptError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PromptErrorKind {
    /// A template names a variable that does not exist.
    Undefined,
    /// A template is not well formed.
    Syntax,
    /// A template includes one that does not exist.
    MissingTemplate,
    /// A template uses a filter that does not exist.
    UnknownFilter,
    /// A template calls a function, method or test that does not exist.
    UnknownFunction,
    /// A template ran for too long.
    Fuel,
    /// A template wrote too much.
    OutputTooLarge,
    /// A template failed in another way.
    Render,
    /// Words have no place for what their module is there to say.
    MissingSlot,
    /// A prompt names a module that does not exist.
    UnknownModule,
    /// A name holds characters that it must not hold.
    InvalidName,
    /// A fact is not of the shape that it must have.
    InvalidFact,
    /// A file or folder could not be read.
    Io,
    /// A file is not UTF-8.
    NotUtf8,
    /// A file is in none of the places where it may lie.
    NotFound,
    /// A file lies outside of the folders to which reading is confined.
    Outside,
    /// Nothing is left to be said.
    Blank,
    /// A module of the host failed.
    Module,
}

/// Says what failed while a prompt was put together.
///
/// [`Display`](fmt::Display) prints this level only, the causes follow through
/// [`source`](StdError::source). Branch on [`kind`](Self::kind), not on the text.
///
/// # Example
///
/// ```
/// use std::collections::BTreeMap;
///
/// use brute_prompts::{PromptErrorKind, template};
///
/// let variables = BTreeMap::from([("goal", "x")]);
/// let error = template::render("intro.txt", "Goal: {{ gaol }}", &variables).unwrap_err();
/// assert_eq!(error.kind(), PromptErrorKind::Undefined);
/// assert_eq!((error.file(), error.line()), (Some("intro.txt"), Some(1)));
/// assert_eq!(error.variable(), Some("gaol"));
/// ```
#[derive(Debug)]
pub struct PromptError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: PromptErrorKind,
    message: String,
    section: Option<String>,
    file: Option<String>,
    line: Option<usize>,
    variable: Option<String>,
    known: Vec<String>,
    source: Option<BoxError>,
}

impl PromptError {
    /// Returns an error of this kind; `message` is lower case, without a full stop.
    pub fn new(kind: PromptErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            section: None,
            file: None,
            line: None,
            variable: None,
            known: Vec::new(),
            source: None,
        }))
    }

    /// Wraps the error of a host's own module.
    pub fn module(source: impl Into<BoxError>) -> Self {
        let source = source.into();
        let mut error = Self::new(PromptErrorKind::Module, source.to_string());
        error.0.source = Some(source);
        error
    }

    /// Adds what caused the error.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<BoxError>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Adds the file in which the error lies.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.0.file = Some(file.into());
        self
    }

    /// Adds the line, counted from one.
    #[must_use]
    pub fn at_line(mut self, line: usize) -> Self {
        self.0.line = Some(line);
        self
    }

    /// Adds the names among which the right one can be found.
    #[must_use]
    pub fn with_known<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.0.known = names.into_iter().map(Into::into).collect();
        self
    }

    /// Adds the section in which the error lies, unless one is known already.
    #[must_use]
    pub(crate) fn in_section(mut self, section: &str) -> Self {
        self.0.section.get_or_insert_with(|| section.to_owned());
        self
    }

    /// Adds the variable that is at fault.
    #[must_use]
    pub(crate) fn naming(mut self, variable: String) -> Self {
        self.0.variable = Some(variable);
        self
    }

    /// Returns what went wrong.
    pub fn kind(&self) -> PromptErrorKind {
        self.0.kind
    }

    /// Returns the name of the section, where the error lies in one.
    pub fn section(&self) -> Option<&str> {
        self.0.section.as_deref()
    }

    /// Returns the file or the name of the template.
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }

    /// Returns the line in the file, counted from one.
    pub fn line(&self) -> Option<usize> {
        self.0.line
    }

    /// Returns the variable that is not defined, as the template spells it.
    pub fn variable(&self) -> Option<&str> {
        self.0.variable.as_deref()
    }

    /// Returns the names that would have been right.
    pub fn known(&self) -> &[String] {
        &self.0.known
    }

    fn write_place(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(section) = self.section() {
            write!(f, " in section `{section}`")?;
        }
        match (self.file(), self.line()) {
            (Some(file), Some(line)) => write!(f, " ({file}, line {line})"),
            (Some(file), None) => write!(f, " ({file})"),
            (None, Some(line)) => write!(f, " (line {line})"),
            (None, None) => Ok(()),
        }
    }
}

impl fmt::Display for PromptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        self.write_place(f)?;
        if self.0.known.is_empty() {
            return Ok(());
        }
        write!(f, "; known: {}", self.0.known.join(", "))
    }
}

impl StdError for PromptError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}
