//! Reads one odd file by one way, and tells what became of it.

use std::sync::Arc;

use brute_prompts::{
    Diagnostic, Family, FileStatus, PromptContext, PromptError, PromptFileLevel, PromptSettings,
    Rendered, SystemPrompt,
    gather::{
        InstructionOptions, PromptFileOptions, ReferenceFolders, WorkspaceOptions, instructions,
        resolve_prompt_file, workspace_files,
    },
    skill::{DiscoverOptions, Links, Skill, SkillRoot, discover, listed},
    stack_of,
    user_prompt::{PreparedPrompt, UserPrompt},
};

use crate::{
    Input,
    Outcome::{
        self, Cut, DefaultStack, Error, Label, Marker, Nameless, Next, Omitted, Says, Whole,
    },
    Seen, Surface,
    disk::Disk,
};

/// What a file without an oddity says.
const SOUND: &str = "one\ntwo";

/// The size of a file that is too large wherever there is a limit.
const LARGE: usize = 1 << 20;

/// Returns what becomes of the input on the surface.
pub(crate) fn seen(input: Input, surface: Surface) -> Seen {
    match surface {
        Surface::Words => (words(input), ""),
        Surface::Instructions => instruction_file(input),
        Surface::Workspace => workspace_file(input),
        Surface::Skill => skill_file(input, Links::default()),
        Surface::PromptFile => (prompt_file(input), ""),
        Surface::Reference => reference(input, UserPrompt::prepare),
    }
}

/// Returns what becomes of the input where the host has closed or opened the surface.
pub(crate) fn by_option(input: Input, surface: Surface) -> Seen {
    match surface {
        Surface::Skill => skill_file(input, Links::Anywhere),
        _ if input == Input::Missing => {
            reference(input, |prompt, folders| prompt.clone().lenient().prepare(folders))
        }
        _ => reference(input, |prompt, folders| prompt.prepare(&folders.clone().confined())),
    }
}

fn words(input: Input) -> Outcome {
    let disk = Disk::with(input, "words/own/default.txt", SOUND);
    let mut prompt = SystemPrompt::new(["own"]);
    if input == Input::UnknownModel {
        prompt = SystemPrompt::default();
    }
    if input == Input::Duplicate {
        disk.write("older/own/default.txt", "from below");
        prompt = prompt.overlay(disk.path("older")).unwrap();
    }
    let ctx = PromptContext::new("nobody", "nothing");
    let rendered = prompt.overlay(disk.path("words")).and_then(|prompt| prompt.prepare(&ctx));
    match rendered {
        Ok(rendered) if input == Input::UnknownModel => stack(&rendered),
        Ok(rendered) => section(&rendered, "own"),
        Err(error) => failed(&error, "own/default.txt"),
    }
}

/// Tells whether stack and words are those for unknown models.
fn stack(rendered: &Rendered) -> Outcome {
    let names = stack_of(&Family::DEFAULT);
    let are_default = rendered
        .iter()
        .all(|section| names.contains(&&*section.name) && section.source.ends_with("/default.txt"));
    if are_default && !rendered.is_empty() { DefaultStack } else { says(&rendered.text()) }
}

fn instruction_file(input: Input) -> Seen {
    let disk = Disk::with(input, "project/AGENTS.md", SOUND);
    let mut options = InstructionOptions::default().family(&Family::infer("nobody", "nothing"));
    match input {
        Input::OverBudget => disk.write("project/AGENTS.md", "a".repeat(LARGE)),
        Input::UnknownModel => {
            for name in ["CLAUDE.md", "GEMINI.md", ".codex/instructions.md"] {
                disk.write(&format!("project/{name}"), "for a family");
            }
        }
        Input::Duplicate => {
            disk.write("project/CLAUDE.md", SOUND);
            options = options.file_names(["AGENTS.md", "CLAUDE.md"]);
        }
        _ => {}
    }
    let read = instructions(&disk.path("project"), &options);
    let outcome = match &read.files[..] {
        [] => Omitted,
        [file] if file.truncated && file.text.contains("Truncated") => Cut,
        files => says(&joined(files.iter().map(|file| &*file.text))),
    };
    let ctx = PromptContext { instructions: Some(read.files.into()), ..PromptContext::default() };
    (in_prompt(outcome, "instructions", &ctx), told(&read.diagnostics))
}

fn workspace_file(input: Input) -> Seen {
    let disk = Disk::with(input, "ws/AGENTS.md", SOUND);
    let mut options = WorkspaceOptions::default();
    if input == Input::OverBudget {
        disk.write("ws/AGENTS.md", format!("HEAD{}TAIL", "a".repeat(LARGE)));
    }
    if input == Input::Duplicate {
        options = options.pattern("AGENTS.md");
    }
    let read = workspace_files(&disk.path("ws"), &options);
    let mut files = read.files.files.iter().filter(|file| &*file.name == "AGENTS.md");
    let outcome = match (files.next(), files.next()) {
        (None, _) => Omitted,
        (Some(file), None) => match file.status {
            FileStatus::Missing if file.text.contains(&*file.path) => Marker,
            FileStatus::Truncated if file.text.ends_with("TAIL") => Cut,
            _ => says(&file.text),
        },
        (Some(one), Some(two)) => says(&joined([&*one.text, &*two.text])),
    };
    let is_warned = read.files.warning.is_some();
    assert_eq!(is_warned, outcome == Cut, "the model is warned of what was cut");
    let workspace_files = Some(Arc::new(read.files));
    let ctx = PromptContext { workspace_files, ..PromptContext::default() };
    (in_prompt(outcome, "workspace_files", &ctx), told(&read.diagnostics))
}

fn skill_file(input: Input, links: Links) -> Seen {
    let front = |name: &str| format!("---\nname: {name}\ndescription: Tidies.\n---\n");
    let disk = Disk::with(input, "project/tidy/SKILL.md", &(front("tidy") + SOUND));
    if input == Input::Duplicate {
        disk.write("home/tidy/SKILL.md", front("tidy") + "from home");
    }
    if input == Input::OverBudget {
        for name in (0..200).map(|number| format!("tidy-{number:03}")) {
            disk.write(&format!("project/{name}/SKILL.md"), front(&name) + SOUND);
        }
    }
    let project = SkillRoot::project(disk.path("project")).links(links);
    let roots = [SkillRoot::global(disk.path("home")), project];
    let found = discover(&roots, &DiscoverOptions::default());
    (skills(&found.skills), told(&found.diagnostics))
}

/// Tells what the model can read of the skills: the list, and the body when it asks for it.
fn skills(found: &[Skill]) -> Outcome {
    let ctx = PromptContext { skills: Some(listed(found).into()), ..PromptContext::default() };
    let list = SystemPrompt::new(["skills"]).prepare(&ctx).unwrap().text();
    match found {
        [] if list.is_empty() => Omitted,
        [skill] if list.contains("<name>tidy</name>") => says(&skill.load_body().unwrap()),
        _ if list.contains("more skills are not listed") => Cut,
        _ => says(&list),
    }
}

fn prompt_file(input: Input) -> Outcome {
    let disk = Disk::with(input, "project/.brute/SYSTEM.md", SOUND);
    disk.write("home/.config/brute/SYSTEM.md", "from home");
    if input == Input::OverBudget {
        disk.write("project/.brute/SYSTEM.md", "a".repeat(LARGE));
    }
    let (home, project) = (disk.path("home"), disk.path("project"));
    let options = PromptFileOptions::brute(Some(&home), Some(&project));
    let rendered = resolve_prompt_file(&options).and_then(|file| {
        let file = file.unwrap();
        let prompt = SystemPrompt::default().configured(Some(&file), &PromptSettings::default());
        Ok((file.level, prompt.prepare(&PromptContext::default())?))
    });
    match rendered {
        Ok((PromptFileLevel::Home, _)) => Next,
        Ok((_, rendered)) => section(&rendered, "system_prompt"),
        Err(error) => failed(&error, ".brute/SYSTEM.md"),
    }
}

/// Prepares a prompt that is a reference to the input.
fn reference<P>(input: Input, prepare: P) -> Seen
where
    P: FnOnce(&UserPrompt, &ReferenceFolders) -> Result<PreparedPrompt, PromptError>,
{
    let disk = Disk::with(input, "project/prompt.md", SOUND);
    if input == Input::OverBudget {
        disk.write("project/prompt.md", "a".repeat(LARGE));
    }
    let folders = ReferenceFolders::new(disk.path("project")).home(disk.path("home"));
    match prepare(&UserPrompt::new("@prompt.md").label("Label"), &folders) {
        Ok(prepared) if prepared.source == "label" => (Label, told(&prepared.diagnostics)),
        Ok(prepared) => (says(&prepared.text), told(&prepared.diagnostics)),
        Err(error) if input == Input::LinkOutside => (failed(&error, "outside/real.md"), ""),
        Err(error) => (failed(&error, "prompt.md"), ""),
    }
}

fn section(rendered: &Rendered, name: &str) -> Outcome {
    rendered.get(name).map_or(Omitted, |section| says(&section.text))
}

/// Returns the outcome if it stands in the prompt, and else what stands there.
fn in_prompt(outcome: Outcome, module: &'static str, ctx: &PromptContext) -> Outcome {
    let prompt = SystemPrompt::new([module]).prepare(ctx).unwrap().text();
    match outcome {
        Says(text) if !prompt.contains(text) => says(&prompt),
        Omitted if prompt.contains("one") => says(&prompt),
        _ => outcome,
    }
}

fn says(text: &str) -> Outcome {
    let is_whole = text.len() == LARGE && text.bytes().all(|byte| byte == b'a');
    if is_whole { Whole } else { Says(text.to_owned().leak()) }
}

fn failed(error: &PromptError, path: &str) -> Outcome {
    let names_path = error.to_string().contains(path);
    if names_path { Error(error.kind()) } else { Nameless(error.kind()) }
}

fn told(diagnostics: &[Diagnostic]) -> &'static str {
    joined(diagnostics.iter().map(|diagnostic| diagnostic.kind)).leak()
}

fn joined<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    texts.into_iter().collect::<Vec<_>>().join(", ")
}
