//! From the file of a case to a verdict.

mod calls;
mod case;
mod expect;
mod git;
mod operations;
mod place;
mod setup;

use std::{
    fmt, fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use tower::BoxError;

pub(crate) use self::calls::{Outcomes, Request, make_calls};
use self::{case::Case, expect::Mismatch, place::Place};

/// Features that a case may ask for and that are offered.
const FEATURES: [&str; 3] = ["imports", "list_budget", "manual_only"];

/// How the cases went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { passed, failed, skipped } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

/// How one case went.
enum Verdict {
    Passed,
    /// It does not apply; why.
    Skipped(String),
    Failed(Vec<Mismatch>),
}

/// Returns every `case.json` below a folder, sorted.
pub(crate) fn find(folder: &Path) -> Result<Vec<PathBuf>, BoxError> {
    let mut files = Vec::new();
    search(folder, &mut files)
        .map_err(|error| format!("cannot look for cases in {}: {error}", folder.display()))?;
    if files.is_empty() {
        return Err(format!("there is no case below {}", folder.display()).into());
    }
    files.sort();
    Ok(files)
}

fn search(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            search(&path, files)?;
        } else if path.file_name().is_some_and(|name| name == "case.json") {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns the name of a case, which is that of its folder.
pub(crate) fn name(file: &Path) -> String {
    let folder = file.parent().and_then(Path::file_name).unwrap_or_default();
    folder.to_string_lossy().into_owned()
}

/// Runs cases and writes a line for each that failed or does not apply.
pub(crate) fn run<'a>(
    files: impl IntoIterator<Item = &'a PathBuf>,
    call: impl Fn(&Request) -> Result<Outcomes, BoxError>,
    out: &mut impl Write,
) -> io::Result<Summary> {
    let mut summary = Summary::default();
    for file in files {
        match verdict(file, &call) {
            Verdict::Passed => summary.passed += 1,
            Verdict::Skipped(reason) => {
                summary.skipped += 1;
                writeln!(out, "skipped {}: {reason}", name(file))?;
            }
            Verdict::Failed(mismatches) => {
                summary.failed += 1;
                writeln!(out, "FAILED {}: {}", name(file), expect::in_one_line(&mismatches))?;
            }
        }
    }
    Ok(summary)
}

fn verdict(file: &Path, call: impl Fn(&Request) -> Result<Outcomes, BoxError>) -> Verdict {
    let verdict = try_case(file, call);
    verdict.unwrap_or_else(|error| Verdict::Failed(vec![Mismatch::of_runner(&error)]))
}

fn try_case(
    file: &Path,
    call: impl Fn(&Request) -> Result<Outcomes, BoxError>,
) -> Result<Verdict, BoxError> {
    let place = Place::new()?;
    let case = Case::read(file, place.root())?;
    if let Some(reason) = reason_to_skip(&case, &place)? {
        return Ok(Verdict::Skipped(reason));
    }
    setup::build(&case.setup, place.root())?;
    let request = Request::new(&case, place.root())?;
    let mismatches = expect::judge(&case.expect, &request, &call(&request)?);
    Ok(if mismatches.is_empty() { Verdict::Passed } else { Verdict::Failed(mismatches) })
}

fn reason_to_skip(case: &Case, place: &Place) -> Result<Option<String>, BoxError> {
    if let Some(feature) = case.feature.as_deref().filter(|name| !FEATURES.contains(name)) {
        return Ok(Some(format!("the feature `{feature}` is not offered")));
    }
    for need in &case.setup.needs {
        if !place.has(need)? {
            return Ok(Some(format!("this machine lacks `{need}`")));
        }
    }
    Ok(None)
}
