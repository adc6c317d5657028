//! What a tool answers that loads a skill.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use super::{Skill, entries::is_skill_file};
use crate::{Diagnostic, plain};

/// How many bundled files are named.
const MAX_FILES: usize = 10;
/// How many folders are looked into for them, and how deep.
const MAX_FOLDERS: usize = 200;
const MAX_DEPTH: usize = 8;

/// Finds a skill that the model may load.
///
/// # Errors
///
/// The sentence to answer with when there is none: it names those that there are.
pub fn find_for_model<'a>(skills: &'a [Skill], name: &str) -> Result<&'a Skill, String> {
    let wanted = plain::collapsed(name);
    let wanted = wanted.strip_prefix('/').unwrap_or(&wanted);
    let known = || skills.iter().filter(|skill| !skill.disable_model_invocation);
    // The list shows names on one line, so that is how the model knows them.
    known().find(|skill| plain::collapsed(&skill.name) == wanted).ok_or_else(|| {
        let names: Vec<_> = known().map(|skill| plain::collapsed(&skill.name)).collect();
        let names = if names.is_empty() { "(none)".to_owned() } else { names.join(", ") };
        format!("unknown skill {wanted:?}; known skills: {names}")
    })
}

/// How the text of a skill is handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContentOptions {
    /// Whether `{baseDir}` in the text becomes the folder of the skill, as some authors expect.
    pub expand_base_dir: bool,
}

/// Returns the text of a skill with the folder that its paths refer to and the files that lie there.
///
/// # Errors
///
/// Describes a file that cannot be read any more.
pub fn content(skill: &Skill, options: ContentOptions) -> Result<String, Diagnostic> {
    let mut body = skill.load_body()?;
    if options.expand_base_dir {
        body = with_base_dir(&body, &skill.folder().to_string_lossy());
    }
    let (files, more) = bundled_files(skill.folder());
    Ok(block(skill, &body, &files, more))
}

/// Replaces the placeholder, but not where it belongs to another notation: `${baseDir}`, `{{baseDir}}`.
fn with_base_dir(body: &str, folder: &str) -> String {
    const PLACEHOLDER: &str = "{baseDir}";
    let mut text = String::with_capacity(body.len());
    let mut rest = body;
    while let Some((before, after)) = rest.split_once(PLACEHOLDER) {
        text.push_str(before);
        let foreign = text.ends_with(['$', '{']) || after.starts_with('}');
        text.push_str(if foreign { PLACEHOLDER } else { folder });
        rest = after;
    }
    text + rest
}

fn block(skill: &Skill, body: &str, files: &[String], more: bool) -> String {
    let name = plain::collapsed(&skill.name);
    let folder = skill.folder().to_string_lossy();
    let mut text = format!("<skill name=\"{}\">\n# Skill: {name}\n\n", crate::template::xml(&name));
    let _ = writeln!(text, "{}\n", plain::contained(body, &["skill", "skill_files"]));
    let _ = writeln!(text, "Base folder: {}", plain::visible(&folder));
    text.push_str("Relative paths in this skill start at the base folder.\n");
    if !files.is_empty() {
        text.push_str(&file_list(files, more));
    }
    text.push_str("</skill>");
    text
}

fn file_list(files: &[String], more: bool) -> String {
    let mut text = "<skill_files>\n".to_owned();
    for file in files {
        let _ = writeln!(text, "  <file>{}</file>", crate::template::xml(&plain::visible(file)));
    }
    text.push_str("</skill_files>\n");
    if more {
        text.push_str("There are more files in the folder.\n");
    }
    text
}

/// Returns up to ten files beside the skill file, sorted, and whether there are more.
///
/// Paths are relative to the folder. Links are named only where they lead to a file inside it.
pub fn bundled_files(folder: &Path) -> (Vec<String>, bool) {
    let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let mut walk = Walk { real: &real, files: Vec::new(), folders: 0 };
    walk.enter(folder, "", 0);
    let more = walk.files.len() > MAX_FILES;
    walk.files.truncate(MAX_FILES);
    (walk.files, more)
}

struct Walk<'a> {
    real: &'a Path,
    files: Vec<String>,
    folders: usize,
}

impl Walk<'_> {
    /// Looks into one folder; ends as soon as one file more than needed is known.
    fn enter(&mut self, folder: &Path, prefix: &str, depth: usize) {
        self.folders += 1;
        if self.folders > MAX_FOLDERS || depth > MAX_DEPTH {
            return;
        }
        for path in sorted_entries(folder) {
            if self.files.len() > MAX_FILES {
                return;
            }
            self.visit(&path, prefix, depth);
        }
    }

    fn visit(&mut self, path: &Path, prefix: &str, depth: usize) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
        let Ok(metadata) = fs::symlink_metadata(path) else { return };
        let relative = format!("{prefix}{name}");
        if metadata.is_dir() {
            if name != ".git" && name != "node_modules" {
                self.enter(path, &format!("{relative}/"), depth + 1);
            }
        } else if self.is_bundled(path, metadata.is_file())
            && !(depth == 0 && is_skill_file(name.as_ref()))
        {
            self.files.push(relative);
        }
    }

    fn is_bundled(&self, path: &Path, is_file: bool) -> bool {
        is_file
            || fs::canonicalize(path)
                .is_ok_and(|real| real.is_file() && real.starts_with(self.real))
    }
}

fn sorted_entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut entries: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort_unstable();
    entries
}
