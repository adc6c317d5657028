//! The one template engine: strict about names, never escaping, bounded in time and size.

mod depth;
mod pieces;

use std::error::Error as _;

use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value, syntax::SyntaxConfig,
    value::Serde,
};
use serde::Serialize;

pub(crate) use self::{
    depth::check_depth,
    pieces::{Piece, PieceKind, code_and_quotes, pieces},
};
use crate::{PromptError, PromptErrorKind};

/// How much work one render may do: about as many instructions, or 64 bytes for each.
const FUEL: u64 = 200_000;

/// How many bytes one render may write.
const MAX_OUTPUT: usize = 8 << 20;

/// Renders a template of the user with these variables.
///
/// Values go in once and are never rendered themselves. Nothing is escaped, whatever the name
/// ends in; the filter `xml` escapes `&`, `<`, `>`, `"` and `'` where a template asks for it.
///
/// # Errors
///
/// Fails where a variable, filter, function or included template does not exist, where the syntax
/// is wrong, and where the template does too much. The error names template, line and variable.
///
/// # Example
///
/// ```
/// use std::collections::BTreeMap;
///
/// use brute_prompts::template;
///
/// let variables = BTreeMap::from([("goal", "{{ 7 * 7 }}")]);
/// let text = template::render("goal.txt", "Goal: {{ goal }}", &variables)?;
/// assert_eq!(text, "Goal: {{ 7 * 7 }}");
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
pub fn render<V: Serialize + ?Sized>(
    name: &str,
    source: &str,
    variables: &V,
) -> Result<String, PromptError> {
    render_value(name, source, Value::from(Serde(variables)))
}

/// Renders a template of the user with the variables that a value holds.
pub(crate) fn render_value(
    name: &str,
    source: &str,
    variables: Value,
) -> Result<String, PromptError> {
    if !["{{", "{%", "{#"].iter().any(|mark| source.contains(mark)) {
        return Ok(source.to_owned());
    }
    check_depth(name, source)?;
    let text = environment().render_named_str(name, source, variables);
    checked(name, text.map_err(|error| failure(&error))?)
}

/// Returns the engine without templates.
pub(crate) fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_debug(true);
    environment.set_fuel(Some(FUEL));
    if let Ok(syntax) = SyntaxConfig::builder().keep_trailing_newline(true).build() {
        environment.set_syntax(syntax);
    }
    // It is the one way to nest a value without a limit, in a loop.
    environment.add_function("namespace", no_namespace);
    environment.add_filter("xml", |text: String| xml(&text));
    environment.add_filter("iso_date", |date: String| iso_date(&date));
    environment
}

fn no_namespace(_: minijinja::value::Rest<minijinja::Value>) -> Result<(), minijinja::Error> {
    let message = "namespace is not offered, since values could be nested in it without a limit";
    Err(minijinja::Error::new(minijinja::ErrorKind::UnknownFunction, message))
}

/// Returns the text, unless it is too large.
pub(crate) fn checked(name: &str, text: String) -> Result<String, PromptError> {
    if text.len() <= MAX_OUTPUT {
        return Ok(text);
    }
    let message = format!("template wrote {} bytes, at most {MAX_OUTPUT} are allowed", text.len());
    Err(PromptError::new(PromptErrorKind::OutputTooLarge, message).in_file(name))
}

/// Returns the text with the five characters that mean something in XML as entities.
pub(crate) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

/// Returns a date such as `Thu Mar 05 2026` as `2026-03-05`; what is no such date stays as it is.
fn iso_date(date: &str) -> String {
    jiff::civil::Date::strptime("%a %b %d %Y", date)
        .map_or_else(|_| date.to_owned(), |date| date.to_string())
}

/// Turns an error of the engine into ours, from the innermost template that failed.
pub(crate) fn failure(error: &Error) -> PromptError {
    let error = innermost(error);
    let kind = kind_of(error);
    let mut failure = PromptError::new(kind, message_of(error, kind));
    if let Some(file) = error.name() {
        failure = failure.in_file(file);
    }
    if let Some(line) = error.line() {
        failure = failure.at_line(line);
    }
    match undefined_name(error) {
        Some(variable) => failure.naming(variable.to_owned()),
        None => failure,
    }
}

fn innermost(error: &Error) -> &Error {
    let mut error = error;
    while let Some(cause) = error.source().and_then(|cause| cause.downcast_ref::<Error>()) {
        error = cause;
    }
    error
}

fn kind_of(error: &Error) -> PromptErrorKind {
    match error.kind() {
        ErrorKind::UndefinedError => PromptErrorKind::Undefined,
        ErrorKind::SyntaxError | ErrorKind::BadEscape => PromptErrorKind::Syntax,
        ErrorKind::TemplateNotFound => PromptErrorKind::MissingTemplate,
        ErrorKind::UnknownFilter => PromptErrorKind::UnknownFilter,
        ErrorKind::UnknownFunction | ErrorKind::UnknownMethod | ErrorKind::UnknownTest => {
            PromptErrorKind::UnknownFunction
        }
        ErrorKind::OutOfFuel => PromptErrorKind::Fuel,
        _ if undefined_name(error).is_some() => PromptErrorKind::Undefined,
        _ => PromptErrorKind::Render,
    }
}

fn message_of(error: &Error, kind: PromptErrorKind) -> String {
    let detail = error.detail();
    match (kind, undefined_name(error)) {
        (PromptErrorKind::Undefined, Some(name)) => format!("variable `{name}` is not defined"),
        (PromptErrorKind::Fuel, _) => {
            "template ran for too long, or printed too large a value".to_owned()
        }
        _ => match detail {
            Some(detail) => format!("{}: {detail}", error.kind()),
            None => error.kind().to_string(),
        },
    }
}

/// Returns the expression that the engine calls undefined.
fn undefined_name(error: &Error) -> Option<&str> {
    let before = error.detail()?.split_once("` is undefined")?.0;
    Some(before.rsplit_once('`')?.1)
}
