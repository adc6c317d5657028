//! Renders the stacks that are read: family, tools on offer, mode.

use std::{collections::BTreeMap, sync::Arc};

use brute_prompts::{
    CutCause, CutFile, Family, GitFacts, Gpt5Overlay, InstructionFile, PromptContext, PromptMode,
    Section, SkillEntry, SystemPrompt, ToolNames, WorkspaceFile, WorkspaceFiles, WorkspaceWarning,
    Zone,
};

use serde_json::{Value, json};

use crate::{host, host_facts, names, profiles, runs};

/// Which tools are on offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offer {
    All,
    NoSkillTool,
    Renamed,
    None,
}

/// What the reminders have to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Usual,
    Plan,
    Build,
    LastStep,
    PlanAndLastStep,
    Minimal,
}

/// A rendered prompt, with what it was rendered for.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    pub(crate) family: String,
    pub(crate) offer: Offer,
    pub(crate) mode: Mode,
    pub(crate) sections: Vec<Part>,
}

/// One section of a rendered prompt.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) name: String,
    /// Which file of the module holds the words.
    pub(crate) file: String,
    pub(crate) is_static: bool,
    pub(crate) text: String,
}

pub(crate) const OFFERS: [Offer; 4] = [Offer::All, Offer::NoSkillTool, Offer::Renamed, Offer::None];
const MODES: [Mode; 6] =
    [Mode::Usual, Mode::Plan, Mode::Build, Mode::LastStep, Mode::PlanAndLastStep, Mode::Minimal];
const AGENTS: [&str; 5] = ["explore", "compaction", "summary", "title", "supervisor"];

impl Stack {
    /// Says what the prompt was rendered for.
    pub(crate) fn label(&self) -> String {
        format!("{}, tools {:?}, {:?}", self.family, self.offer, self.mode)
    }

    /// Returns the first word of the family, which is the profile where there is one.
    pub(crate) fn profile_or_family(&self) -> &str {
        self.family.split(' ').next().unwrap_or_default()
    }

    /// Returns the text as the model sees it.
    pub(crate) fn text(&self) -> String {
        let texts: Vec<_> = self.sections.iter().map(|part| part.text.as_str()).collect();
        texts.join("\n\n")
    }
}

/// Returns every family × offer × mode, and every agent prompt.
pub(crate) fn all() -> Vec<Stack> {
    let modes = |offer| MODES.into_iter().map(move |mode| (offer, mode));
    let situations: Vec<_> = OFFERS.into_iter().flat_map(modes).collect();
    let stacks = names::FAMILIES
        .iter()
        .flat_map(|family| situations.iter().map(|&(offer, mode)| stack(family, offer, mode)));
    let agents = AGENTS.iter().flat_map(|name| OFFERS.map(|offer| agent(name, offer)));
    let modules = names::alone();
    let others = modules.iter().flat_map(|module| OFFERS.map(|offer| alone(module, offer)));
    stacks
        .chain(agents)
        .chain(others)
        .chain(runs::all())
        .chain(OFFERS.map(host_stack))
        .chain(OFFERS.map(overlaid))
        .chain(profiles::all())
        .collect()
}

/// Renders one stack.
pub(crate) fn stack(family: &str, offer: Offer, mode: Mode) -> Stack {
    rendered(family, offer, mode, &context(family, offer, mode))
}

/// Renders one stack for a context of the caller.
pub(crate) fn rendered(family: &str, offer: Offer, mode: Mode, ctx: &PromptContext) -> Stack {
    let prompt = SystemPrompt::default()
        .append("workspace_files")
        .append("heartbeat_file")
        .append("git_status");
    let rendered = prompt.prepare(ctx).unwrap();
    let sections = rendered.iter().map(part).collect();
    Stack { family: family.to_owned(), offer, mode, sections }
}

pub(crate) fn part(section: &Section) -> Part {
    Part {
        name: section.name.to_string(),
        file: file_stem(&section.source),
        is_static: section.zone == Zone::Static,
        text: section.text.to_string(),
    }
}

fn file_stem(source: &str) -> String {
    let name = source.rsplit('/').next().unwrap_or(source);
    name.trim_end_matches(".txt").to_owned()
}

/// Renders a module that stands in no stack.
fn alone(module: &str, offer: Offer) -> Stack {
    let ctx = PromptContext { tools: host::tools(offer), ..context("default", offer, Mode::Usual) };
    let rendered = SystemPrompt::new([module]).prepare(&ctx).unwrap();
    let sections = rendered.iter().map(part).collect();
    Stack { family: module.to_owned(), offer, mode: Mode::Usual, sections }
}

/// Renders everything that a host can add, in one prompt.
fn host_stack(offer: Offer) -> Stack {
    let ctx = PromptContext { tools: host::tools(offer), ..context("default", offer, Mode::Usual) };
    let modules = ["identity"].into_iter().chain(host::SECTIONS).chain(["skills", "instructions"]);
    let rendered = SystemPrompt::new(modules).prepare(&ctx).unwrap();
    let sections = rendered.iter().map(part).collect();
    Stack { family: "host".into(), offer, mode: Mode::Usual, sections }
}

/// Renders a stack with what is added for one series of models.
fn overlaid(offer: Offer) -> Stack {
    let ctx = PromptContext { model: "gpt-5".into(), ..context("openai", offer, Mode::Usual) };
    let prompt = SystemPrompt::default().contribution(Gpt5Overlay::default());
    let mut sections: Vec<Part> = prompt.prepare(&ctx).unwrap().iter().map(part).collect();
    for part in sections.iter_mut().filter(|part| part.name == "interaction_style") {
        part.name = "gpt5_interaction".into();
    }
    Stack { family: "overlaid".into(), offer, mode: Mode::Usual, sections }
}

fn agent(name: &str, offer: Offer) -> Stack {
    let ctx = context("default", offer, Mode::Usual);
    let text = SystemPrompt::default().agent_prompt(name, &ctx).unwrap().unwrap();
    let name = format!("agent_{name}");
    let part = Part { name: name.clone(), file: "default".into(), is_static: true, text };
    Stack { family: name, offer, mode: Mode::Usual, sections: vec![part] }
}

/// Returns a context with something to say for every module.
pub(crate) fn context(family: &str, offer: Offer, mode: Mode) -> PromptContext {
    PromptContext {
        family: Some(Family::new(family).unwrap()),
        tools: tools(offer),
        prompt_mode: if mode == Mode::Minimal { PromptMode::Minimal } else { PromptMode::Full },
        skill_tool: skill_tool(offer).map(Into::into),
        cwd: Some("/srv/shop".into()),
        platform: Some("linux".into()),
        date: Some("Thu Mar 05 2026".into()),
        is_git: Some(true),
        git: Some(Arc::new(git())),
        skills: Some(skills().into()),
        instructions: Some(["AGENTS.md", "api/AGENTS.md"].map(instruction_file).into()),
        workspace_files: Some(Arc::new(workspace_files())),
        timezone: Some("Europe/Berlin".into()),
        os_version: Some("Linux 6.1".into()),
        arch: Some("x86_64".into()),
        shell: Some("zsh".into()),
        utc_offset: Some("+01:00".into()),
        knowledge_cutoff: Some("early last year".into()),
        host: Some(Arc::new(host_facts::facts())),
        extra: extra_facts(),
        custom_rules: Some("Run the linter before you finish.".into()),
        agent: matches!(mode, Mode::Plan | Mode::PlanAndLastStep).then(|| "plan".into()),
        agent_switched: (mode == Mode::Build).then(|| "build".into()),
        max_steps_reached: matches!(mode, Mode::LastStep | Mode::PlanAndLastStep),
        ..PromptContext::new("some-provider", "some-model")
    }
}

fn tools(offer: Offer) -> ToolNames {
    match offer {
        Offer::All => ToolNames::all(),
        Offer::NoSkillTool => {
            ToolNames::only(names::TOOLS.into_iter().filter(|name| !name.contains("skill")))
        }
        Offer::Renamed => ToolNames::of(names::TOOLS.map(|name| (name, format!("x_{name}")))),
        Offer::None => ToolNames::none(),
    }
}

fn skill_tool(offer: Offer) -> Option<&'static str> {
    match offer {
        Offer::All => Some("skill"),
        Offer::Renamed => Some("x_skill"),
        Offer::NoSkillTool | Offer::None => None,
    }
}

fn git() -> GitFacts {
    GitFacts {
        branch: Some("main".into()),
        head: Some("1a2b3c4".into()),
        status_lines: vec![" M src/cart.rs".into()],
        status_omitted: 3,
        recent_commits: vec!["1a2b3c4 Add the cart".into()],
    }
}

fn skills() -> Vec<SkillEntry> {
    ["audit", "release"].map(skill).into()
}

fn instruction_file(path: &str) -> InstructionFile {
    let path = format!("/srv/shop/{path}");
    InstructionFile {
        text: format!("# Rules of {path}\n\nKeep prices in cents.").into(),
        path: path.into(),
        ..InstructionFile::default()
    }
}

fn workspace_files() -> WorkspaceFiles {
    let file = |name: &str| WorkspaceFile {
        name: name.into(),
        path: format!("/srv/shop/{name}").into(),
        text: format!("# Notes\n\nWhat {name} says.").into(),
        ..WorkspaceFile::default()
    };
    let cut = CutFile {
        name: "SOUL.md".into(),
        raw_chars: 20_000,
        injected_chars: 12_000,
        percent: 40,
        causes: vec![CutCause::PerFileLimit],
    };
    WorkspaceFiles {
        files: ["AGENTS.md", "SOUL.md", "HEARTBEAT.md"].map(file).into(),
        warning: Some(WorkspaceWarning { files: vec![cut], more: 2 }),
        ..WorkspaceFiles::default()
    }
}

/// Returns what phrases are told, and texts that stand in messages of their own.
fn extra_facts() -> BTreeMap<String, Value> {
    let worktree = json!({ "branch": "cart", "path": "/srv/shop-cart", "main": "/srv/shop" });
    let note = json!({ "path": "/srv/shop/memory/2026-03-05.md", "text": "# Cart\n\nDone." });
    let facts = [
        ("head", 9_000.into()),
        ("tail", 3_000.into()),
        ("total", 20_000.into()),
        ("path", "/srv/shop/SOUL.md".into()),
        ("worktree", worktree),
        ("recent_notes", json!([note])),
    ];
    facts.map(|(name, fact)| (name.to_owned(), fact)).into()
}

fn skill(name: &str) -> SkillEntry {
    SkillEntry {
        name: name.into(),
        description: format!("Steps for the {name} of a shop."),
        location: format!("/srv/shop/.brute/skills/{name}/SKILL.md"),
    }
}
