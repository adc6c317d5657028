//! Judges one skill folder by the letter of the format.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use super::{
    entries::{FILE_NAME, is_skill_file},
    fault::Fault,
    load::{self, Place},
    read::{self, MAX_FILE_BYTES},
};
use crate::Diagnostic;

/// Returns every deviation from the format; none means that the skill is valid.
///
/// `path` is the folder of a skill or its file. What [`discover`](super::discover()) merely reports
/// is a problem here: a field that the format does not know, a name that is not the folder's, YAML
/// that needs repair.
///
/// Stricter than the reference validator in: the file must be named `SKILL.md` in capitals, `license`
/// must be a text, `metadata` a mapping of texts. It reads more than the reference does: three dashes
/// inside a value, a byte order mark, flow style.
pub fn validate(path: &Path) -> Vec<Diagnostic> {
    match locate(path) {
        Ok((file, odd_case)) => problems(&file, odd_case),
        Err(fault) => vec![fault.fatal(path)],
    }
}

fn problems(file: &Path, odd_case: bool) -> Vec<Diagnostic> {
    let folder = folder_name(file);
    let place = Place { path: file, folder: &folder, scope: "", odd_case };
    let mut buffer = Vec::new();
    let text =
        read::file_size(file).and_then(|size| read::read(file, size, MAX_FILE_BYTES, &mut buffer));
    let faults = text.map_or_else(|fault| vec![fault], |text| load::problems(text, &place));
    faults.into_iter().map(|fault| fault.fatal(file)).collect()
}

/// Returns the skill file that a path means, and whether its name is in another case.
fn locate(path: &Path) -> Result<(PathBuf, bool), Fault> {
    let metadata = fs::metadata(path).map_err(|error| read::unreadable(&error))?;
    if metadata.is_file() {
        let name = path.file_name().unwrap_or_default();
        return if is_skill_file(name) {
            Ok((path.into(), name != FILE_NAME))
        } else {
            Err(file_missing())
        };
    }
    let name = skill_file_name(path)?;
    Ok((path.join(&name), name != FILE_NAME))
}

/// Finds the name as it is spelt on disk, which asking for `SKILL.md` would not tell everywhere.
fn skill_file_name(folder: &Path) -> Result<OsString, Fault> {
    let entries = fs::read_dir(folder).map_err(|error| read::unreadable(&error))?;
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    // `S` sorts before `s`, so the right spelling wins.
    names.filter(|name| is_skill_file(name)).min().ok_or_else(file_missing)
}

fn folder_name(file: &Path) -> String {
    let named = file.parent().and_then(Path::file_name).map(ToOwned::to_owned);
    let real = || Some(fs::canonicalize(file.parent()?).ok()?.file_name()?.to_owned());
    named.or_else(real).unwrap_or_default().to_string_lossy().into_owned()
}

fn file_missing() -> Fault {
    Fault::new("file_missing", "there is no SKILL.md; a skill is a folder with a file of this name")
}
