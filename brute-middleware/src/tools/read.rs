//! The tool `read`: the lines of a file, numbered and in portions.

mod binary;
mod lines;
mod portion;

use std::{
    io::{BufRead, BufReader},
    path::Path,
};

use async_trait::async_trait;
use brute_core::{Error, Tool, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use self::portion::Portion;
use super::{
    list::{self, ListLimits},
    look::{Looking, from_one, looking},
    place::{Found, Place, tool_error},
    show,
    stop::Stop,
};

const DESCRIPTION: &str = "Reads a text file and returns its lines, each after its number and a \
    tab. A long file comes in portions: a note at the end says where to go on. For a directory it \
    returns the entries.";

/// How many bytes are read from the disk at once.
const BUFFER: usize = 64 * 1024;

/// Reads a file; the tool `read`.
///
/// Memory does not depend on the size of the file. Binary files, pipes and devices are refused.
#[derive(Debug)]
pub struct Read(Looking<Arguments>);

/// How much of a file one call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// The most lines.
    pub lines: u64,
    /// The most bytes, numbers included; the line that would go beyond is left for the next call.
    pub bytes: usize,
    /// The most characters of one line.
    pub line_chars: usize,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The file, absolute or relative to the working directory.
    file_path: String,
    /// The first line to return, counted from 1; by default the first of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "from_one")]
    start_line: Option<u64>,
    /// The last line to return; by default as many follow as fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "from_one")]
    end_line: Option<u64>,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self { lines: 2000, bytes: 50 * 1024, line_chars: 2000 }
    }
}

impl Read {
    /// Creates the tool.
    pub fn new() -> Self {
        Self::within(ReadLimits::default())
    }

    /// Creates the tool with limits of its own, say for a model with a small window.
    pub fn within(limits: ReadLimits) -> Self {
        Self(looking("read", DESCRIPTION, move |arguments, place, stop| {
            read(arguments, limits, place, stop)
        }))
    }
}

impl Default for Read {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Tool for Read {
    fn spec(&self) -> ToolSpec {
        self.0.spec()
    }

    async fn call(&self, arguments: &Value, context: &ToolContext) -> Result<ToolOutput, Error> {
        self.0.call(arguments, context).await
    }
}

fn read(
    wanted: &Arguments,
    limits: ReadLimits,
    place: &Place,
    stop: &Stop,
) -> Result<ToolOutput, Error> {
    let (first, last) = (wanted.start_line.unwrap_or(1), wanted.end_line.unwrap_or(u64::MAX));
    if first == 0 || last < first {
        return Err(tool_error(format!(
            "the lines {first} to {last} are no range: lines count from 1, and `end_line` is not \
             less than `start_line`"
        )));
    }
    match place.find(&wanted.file_path)? {
        Found::Directory(path) => entries(&path, place, stop),
        Found::File(path) => {
            let mut text = open(&path, place, stop)?;
            let portion = Portion::read(&mut text, first..=last, limits)
                .map_err(|error| place.unreadable(&path, &error))?;
            Ok(portion.into_output(first..=last, limits))
        }
    }
}

/// Opens a file, unless it holds no text.
fn open(path: &Path, place: &Place, stop: &Stop) -> Result<impl BufRead, Error> {
    let (file, metadata) = place.open(path)?;
    let mut reader = BufReader::with_capacity(BUFFER, stop.guard(file));
    let start = reader.fill_buf().map_err(|error| place.unreadable(path, &error))?;
    let sample = &start[..start.len().min(binary::SAMPLE)];
    match binary::reason(path, sample) {
        None => Ok(reader),
        Some(reason) => Err(tool_error(format!(
            "{} is a binary file of {}, which has no lines to show: {reason}",
            place.show(path),
            show::count(metadata.len(), "byte", "bytes"),
        ))),
    }
}

/// Returns the entries of a directory, so that a wrong guess still leads somewhere.
fn entries(path: &Path, place: &Place, stop: &Stop) -> Result<ToolOutput, Error> {
    let mut output = list::list(path, 1, ListLimits::default(), place, stop)?;
    let mut text = output.text.to_string();
    show::note(&mut text, &format!("{} is a directory; these are its entries", place.show(path)));
    output.text = text.into();
    Ok(output)
}
