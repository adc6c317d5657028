//! The tool `search`: the lines of files that match a regular expression.

mod files;
mod finds;
mod lines;
mod pattern;
mod report;

use async_trait::async_trait;
use brute_core::{Error, Tool, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use self::{files::Files, finds::Finds, lines::LineSearch};
use super::{
    look::{Looking, looking},
    place::Place,
    stop::Stop,
};

const DESCRIPTION: &str = "Searches the text of files for a regular expression and returns each \
    line that matches as `path:number: line`, files changed last first. Hidden files and those that \
    .gitignore names are left out.";

/// Searches the text of files; the tool `search`.
#[derive(Debug)]
pub struct Search(Looking<Arguments>);

/// How much one search returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// The most lines that are returned; those beyond are counted.
    pub lines: usize,
    /// The most bytes that are returned.
    pub bytes: usize,
    /// The most characters of one line; of a longer one, what stands around the match.
    pub line_chars: usize,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The regular expression; it is matched against each line by itself.
    pattern: String,
    /// The directory or file to search; by default the working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    path: Option<String>,
    /// Which files to search, such as `*.rs` or `src/**/*.{js,ts}`; with `!` before it, which not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    glob: Option<String>,
    /// Whether upper and lower case are the same.
    #[serde(default)]
    ignore_case: bool,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { lines: 100, bytes: 50 * 1024, line_chars: 2000 }
    }
}

impl Search {
    /// Creates the tool.
    pub fn new() -> Self {
        Self::within(SearchLimits::default())
    }

    /// Creates the tool with limits of its own, say for a model with a small window.
    pub fn within(limits: SearchLimits) -> Self {
        Self(looking("search", DESCRIPTION, move |arguments, place, stop| {
            search(arguments, limits, place, stop)
        }))
    }
}

impl Default for Search {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Tool for Search {
    fn spec(&self) -> ToolSpec {
        self.0.spec()
    }

    async fn call(&self, arguments: &Value, context: &ToolContext) -> Result<ToolOutput, Error> {
        self.0.call(arguments, context).await
    }
}

fn search(
    wanted: &Arguments,
    limits: SearchLimits,
    place: &Place,
    stop: &Stop,
) -> Result<ToolOutput, Error> {
    let root = place.find(wanted.path.as_deref().unwrap_or_default())?;
    let matcher = pattern::matcher(&wanted.pattern, wanted.ignore_case)?;
    let chosen = wanted.glob.as_deref().map(pattern::glob).transpose()?;
    let mut lines = LineSearch::new(&matcher, limits, place, stop);
    let mut finds = Finds::new(limits.lines);
    for file in Files::below(&root, chosen.as_ref(), stop) {
        match file.and_then(|path| Ok((lines.search(&path)?, path))) {
            Ok((found, path)) => finds.add(path, found),
            Err(error) => finds.add_failure(error),
        }
    }
    Ok(report::report(&finds, wanted, limits, place))
}
