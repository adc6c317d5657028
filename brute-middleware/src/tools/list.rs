//! The tool `list`: the entries of a directory, and of those below it.

mod entries;

use std::path::Path;

use async_trait::async_trait;
use brute_core::{Error, Tool, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use self::entries::Entries;
use super::{
    look::{Looking, from_one, looking},
    place::{Found, Place, tool_error},
    show,
    stop::Stop,
};

const DESCRIPTION: &str = "Lists the entries of a directory, sorted, one path a line; directories \
    end in a slash, links show their target. Hidden entries are left out. With a depth, it goes \
    into directories too, except those that .gitignore names.";

/// Lists a directory; the tool `list`.
#[derive(Debug)]
pub struct List(Looking<Arguments>);

/// How much of a directory one call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListLimits {
    /// The most entries that are returned.
    pub entries: usize,
    /// The most entries that are counted, whereupon the tool goes no further.
    pub counted: u64,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The directory, absolute or relative to the working directory; by default the latter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    path: Option<String>,
    /// How many levels to list; by default 1, the entries of the directory itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "from_one")]
    depth: Option<usize>,
}

impl Default for ListLimits {
    fn default() -> Self {
        Self { entries: 2000, counted: 200_000 }
    }
}

impl List {
    /// Creates the tool.
    pub fn new() -> Self {
        Self::within(ListLimits::default())
    }

    /// Creates the tool with limits of its own, say for a model with a small window.
    pub fn within(limits: ListLimits) -> Self {
        Self(looking("list", DESCRIPTION, move |arguments: &Arguments, place, stop| {
            let path = arguments.path.as_deref().unwrap_or_default();
            match place.find(path)? {
                Found::Directory(path) => {
                    list(&path, arguments.depth.unwrap_or(1), limits, place, stop)
                }
                Found::File(path) => {
                    Err(tool_error(format!("{} is a file, no directory", place.show(&path))))
                }
            }
        }))
    }
}

impl Default for List {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Tool for List {
    fn spec(&self) -> ToolSpec {
        self.0.spec()
    }

    async fn call(&self, arguments: &Value, context: &ToolContext) -> Result<ToolOutput, Error> {
        self.0.call(arguments, context).await
    }
}

/// Lists a directory down to a depth.
pub(super) fn list(
    directory: &Path,
    depth: usize,
    limits: ListLimits,
    place: &Place,
    stop: &Stop,
) -> Result<ToolOutput, Error> {
    let entries = Entries::below(directory, depth.max(1), limits, stop)
        .map_err(|error| place.unreadable(directory, &error))?;
    let mut text = String::new();
    for (path, kind) in &entries.first {
        text.push_str(&place.show(path));
        text.push_str(&kind.mark());
        text.push('\n');
    }
    entries.notes(place).iter().for_each(|note| show::note(&mut text, note));
    Ok(ToolOutput { truncated: entries.is_cut(), ..text.into() })
}
