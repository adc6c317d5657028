//! Says what a search found, and what it did not show.

use brute_core::ToolOutput;

use super::{Arguments, SearchLimits, finds::Finds};
use crate::tools::{place::Place, show};

/// Writes what the model reads.
pub(super) fn report(
    finds: &Finds,
    wanted: &Arguments,
    limits: SearchLimits,
    place: &Place,
) -> ToolOutput {
    let mut text = String::new();
    let (mut shown, mut cut) = (0, 0);
    for (path, line) in finds.iter() {
        let entry = format!("{}:{}: {}\n", place.show(path), line.number, line.text);
        if shown > 0 && text.len() + entry.len() > limits.bytes {
            break;
        }
        text.push_str(&entry);
        shown += 1;
        cut += u64::from(line.is_cut);
    }
    let notes = [
        (finds.lines_found == 0).then(|| nothing(finds, wanted)),
        (shown < finds.lines_found).then(|| others(shown, finds)),
        (cut > 0).then(|| long_lines(cut, limits)),
        (finds.binary > 0).then(|| binary(finds)),
        failures(finds),
    ];
    notes.iter().flatten().for_each(|note| show::note(&mut text, note));
    ToolOutput { truncated: shown < finds.lines_found || cut > 0, ..text.into() }
}

fn nothing(finds: &Finds, wanted: &Arguments) -> String {
    match (finds.searched, &wanted.glob) {
        (0, Some(glob)) => format!("there is no file to search that the glob {glob} names"),
        (0, None) => "there is no file to search".into(),
        (searched, _) => {
            let files = show::count(searched, "file", "files");
            format!("no line matches in {files}")
        }
    }
}

fn others(shown: u64, finds: &Finds) -> String {
    let files = show::count(finds.files_found, "file", "files");
    let total = finds.lines_found;
    format!(
        "{shown} of {total} matching lines in {files}; narrow the pattern, the path or the glob to \
         see the others"
    )
}

fn long_lines(cut: u64, limits: SearchLimits) -> String {
    let lines = show::count(cut, "line is", "lines are");
    format!("{lines} longer than {} characters and shown around the match", limits.line_chars)
}

fn binary(finds: &Finds) -> String {
    let files = show::count(finds.binary, "file is", "files are");
    format!("{files} binary after some lines and not searched to the end")
}

fn failures(finds: &Finds) -> Option<String> {
    let error = finds.first_failure.as_ref()?;
    let places = show::count(finds.failures, "place", "places");
    Some(format!("{places} could not be read; the first: {error}"))
}
