//! The largest prompt that ships, with all that a project may add to it.

use std::{fs, io, path::Path};

use brute_prompts::{
    Family, Profile, PromptContext, SystemPrompt,
    gather::{GatherOptions, WorkspaceOptions, gather},
};

/// The files of a workspace, each longer than what is kept of it.
const FILES: [&str; 6] =
    ["AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "MEMORY.md"];

/// Returns the longest prompt of all profiles and families, and the facts for it: instruction files
/// of 32 KiB and workspace files of 60,000 characters, as they are gathered.
pub(crate) fn largest() -> Result<(SystemPrompt, PromptContext), Box<dyn std::error::Error>> {
    let disk = tempfile::tempdir()?;
    let (project, workspace) = (disk.path().join("project"), disk.path().join("workspace"));
    write(&project, "AGENTS.md", 40_000)?;
    for file in FILES {
        write(&workspace, file, 15_000)?;
    }
    let options = GatherOptions::new(&project).home(disk.path().join("home"));
    let options = options.workspace(Some(workspace), WorkspaceOptions::default());
    let gathered = gather(&options).facts;

    let mut largest: Option<(usize, SystemPrompt, PromptContext)> = None;
    for profile in Profile::ALL {
        for family in Family::ALL {
            let prompt = SystemPrompt::profile(profile);
            let tools = profile.tools(&family);
            let mut ctx = PromptContext { tools, family: Some(family), ..PromptContext::default() };
            gathered.apply(&mut ctx);
            let size = prompt.prepare(&ctx)?.text().len();
            if largest.as_ref().is_none_or(|(most, ..)| size > *most) {
                largest = Some((size, prompt, ctx));
            }
        }
    }
    let (_, prompt, ctx) = largest.ok_or("there are no profiles")?;
    Ok((prompt, ctx))
}

fn write(folder: &Path, name: &str, bytes: usize) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let line = format!("{name}: keep the last lines of a log.\n");
    fs::write(folder.join(name), line.repeat(bytes / line.len() + 1))
}
