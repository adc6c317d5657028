//! Shows which skills are found, where, and what is odd about them.

use std::{
    env,
    io::Write,
    path::{Path, PathBuf},
};

use anstyle::Style;
use brute_prompts::{
    Severity,
    gather::repository_root,
    plain,
    skill::{Discovery, Places, Preset, SkillRoot, discover, validate},
};
use serde_json::json;
use tower::BoxError;

use crate::{
    arguments::{SkillPreset, Skills, SkillsCommand},
    folder,
};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// How many characters of a description are shown.
const SHOWN: usize = 100;

/// Prints what was found, or judges the folders that were named.
///
/// # Errors
/// Fails where the directory cannot be read, where a folder has a fault, and where `out` is closed.
pub(crate) fn skills(out: &mut impl Write, question: &Skills) -> Result<(), BoxError> {
    match &question.command {
        Some(SkillsCommand::Validate { folders }) => judge(out, folders),
        None => list(out, question),
    }
}

fn list(out: &mut impl Write, question: &Skills) -> Result<(), BoxError> {
    let cwd = folder::open(&question.cwd)?;
    let preset = preset(question.preset);
    let roots = preset.roots(&places(&cwd));
    let found = discover(&roots, &preset.options());
    if question.json {
        let roots: Vec<_> = roots.iter().map(root).collect();
        let mut report = serde_json::to_value(&found)?;
        report["roots"] = roots.into();
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)?;
    } else {
        write_roots(out, &roots)?;
        write_skills(out, &found)?;
        write_oddities(out, &found)?;
    }
    out.flush()?;
    Ok(())
}

fn preset(preset: SkillPreset) -> Preset {
    match preset {
        SkillPreset::Brute => Preset::Brute,
        SkillPreset::Agents => Preset::Agents,
        SkillPreset::Fabro => Preset::Fabro,
        SkillPreset::Builder => Preset::Builder,
    }
}

fn places(cwd: &Path) -> Places {
    let git_root = repository_root(cwd);
    Places { cwd: Some(cwd.into()), git_root, home: env::home_dir(), ..Places::default() }
}

fn root(root: &SkillRoot) -> serde_json::Value {
    let path = root.path.to_string_lossy();
    json!({ "path": path, "scope": root.scope, "precedence": root.precedence, "exists": root.path.is_dir() })
}

fn write_roots(out: &mut impl Write, roots: &[SkillRoot]) -> Result<(), BoxError> {
    writeln!(out, "{BOLD}Looked in{BOLD:#}, the stronger last\n")?;
    for root in roots {
        let missing = if root.path.is_dir() { "" } else { "  (there is none)" };
        writeln!(out, "  {:8} {}{DIM}{missing}{DIM:#}", root.scope, folder::shown(&root.path))?;
    }
    Ok(())
}

fn write_skills(out: &mut impl Write, found: &Discovery) -> Result<(), BoxError> {
    writeln!(out, "\n{BOLD}Skills{BOLD:#}\n")?;
    if found.skills.is_empty() {
        writeln!(out, "  none")?;
    }
    for skill in &found.skills {
        let hidden = if skill.disable_model_invocation { "  (for people only)" } else { "" };
        writeln!(out, "  {BOLD}{}{BOLD:#}{hidden}", plain::collapsed(&skill.name))?;
        writeln!(out, "    {}", shortened(&skill.description))?;
        writeln!(out, "    {DIM}{} {}{DIM:#}", skill.scope, folder::shown(&skill.location))?;
    }
    for left_out in &found.ineligible {
        let name = plain::collapsed(&left_out.skill.name);
        writeln!(out, "  {name}: not on offer here: {}", plain::visible(&left_out.reason))?;
    }
    for shadowed in &found.shadowed {
        let (winner, loser) = (folder::shown(&shadowed.winner), folder::shown(&shadowed.loser));
        writeln!(out, "  {}: {winner} hides {loser}", plain::collapsed(&shadowed.name))?;
    }
    Ok(())
}

fn write_oddities(out: &mut impl Write, found: &Discovery) -> Result<(), BoxError> {
    if found.diagnostics.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}What is odd{BOLD:#}\n")?;
    for diagnostic in &found.diagnostics {
        writeln!(out, "  {}", plain::visible(&diagnostic.to_string()))?;
    }
    Ok(())
}

fn judge(out: &mut impl Write, folders: &[PathBuf]) -> Result<(), BoxError> {
    let mut failed = 0;
    for path in folders {
        let faults = validate(path);
        let is_faulty = faults.iter().any(|fault| fault.severity == Severity::Error);
        failed += usize::from(is_faulty);
        writeln!(out, "{} {}", if is_faulty { "faulty" } else { "valid " }, folder::shown(path))?;
        for fault in &faults {
            writeln!(out, "  {}", plain::visible(&fault.to_string()))?;
        }
    }
    out.flush()?;
    match failed {
        0 => Ok(()),
        failed => Err(format!("{failed} of {} skills have a fault", folders.len()).into()),
    }
}

fn shortened(description: &str) -> String {
    let text = plain::collapsed(description);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}
