//! What the prompt says about skills: which of them, in which form, and how much of it.

use std::{path::PathBuf, sync::Arc};

use serde::{Deserialize, Serialize};

use super::Skill;
use crate::{
    PromptContext, PromptError, PromptModule, SkillEntry, TextModule, Texts, Zone, module::HOST,
    plain,
};

/// Returns the skills that the model is told of: not those for people only, and none that does not
/// say what it is for.
pub fn listed(skills: &[Skill]) -> Vec<SkillEntry> {
    let shown = skills.iter().filter(|skill| !skill.disable_model_invocation);
    shown.filter(|skill| !skill.description.is_empty()).map(entry).collect()
}

fn entry(skill: &Skill) -> SkillEntry {
    SkillEntry {
        name: skill.name.clone(),
        description: skill.description.clone(),
        location: skill.location.to_string_lossy().into_owned(),
    }
}

/// The form of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListStyle {
    /// Elements with name, description and, where it is asked for, the location.
    Xml {
        /// Whether the path of each file is given.
        location: bool,
    },
    /// A bullet with the name and the description.
    Bullets,
    /// A bullet with the name, the path and the description.
    PathBullets,
}

impl ListStyle {
    /// Returns the name of the module whose words are used.
    fn words(self) -> &'static str {
        match self {
            Self::Xml { .. } => "skills",
            Self::Bullets | Self::PathBullets => "skills_bullets",
        }
    }

    fn shows_location(self) -> bool {
        matches!(self, Self::Xml { location: true } | Self::PathBullets)
    }
}

/// The section about skills in a style and within a budget.
///
/// Takes the place of the module `skills`. Over budget, whole entries are left out from the end and a
/// note says how many. Without skills it says nothing.
///
/// ```
/// use brute_prompts::{PromptContext, SkillEntry, SystemPrompt, skill::{ListStyle, SkillList}};
///
/// let deploy = SkillEntry {
///     name: "deploy".into(),
///     description: "Ships a release.".into(),
///     location: "/srv/skills/deploy/SKILL.md".into(),
/// };
/// let ctx = PromptContext { skills: Some([deploy].into()), ..PromptContext::default() };
///
/// let list = SkillList::new(ListStyle::Bullets).max_chars(2_000);
/// let text = SystemPrompt::default().replace("skills", list).prepare(&ctx)?.text();
/// assert!(text.contains("- `deploy`: Ships a release."));
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SkillList {
    style: ListStyle,
    max_chars: Option<usize>,
    max_skills: Option<usize>,
    ladder: bool,
    home: Option<PathBuf>,
    texts: Texts,
}

impl Default for SkillList {
    fn default() -> Self {
        Self::new(ListStyle::Xml { location: true })
    }
}

impl SkillList {
    /// Lists in this style, within 18,000 characters and 150 skills.
    pub fn new(style: ListStyle) -> Self {
        Self {
            style,
            max_chars: Some(18_000),
            max_skills: Some(150),
            ladder: false,
            home: None,
            texts: Texts::shipped(),
        }
    }

    /// Sets how many characters the whole section may take.
    #[must_use]
    pub fn max_chars(mut self, chars: usize) -> Self {
        self.max_chars = Some(chars);
        self
    }

    /// Sets how many skills are listed.
    #[must_use]
    pub fn max_skills(mut self, skills: usize) -> Self {
        self.max_skills = Some(skills);
        self
    }

    /// Lists all skills, whatever it takes.
    #[must_use]
    pub fn unlimited(mut self) -> Self {
        (self.max_chars, self.max_skills) = (None, None);
        self
    }

    /// Leaves out descriptions before it leaves out skills.
    #[must_use]
    pub fn ladder(mut self) -> Self {
        self.ladder = true;
        self
    }

    /// Writes paths below this folder with `~/`; for models whose tools understand it.
    #[must_use]
    pub fn home(mut self, folder: impl Into<PathBuf>) -> Self {
        self.home = Some(folder.into());
        self
    }

    /// Takes the words from these texts.
    #[must_use]
    pub fn texts(mut self, texts: Texts) -> Self {
        self.texts = texts;
        self
    }

    /// Tells whether the list of a context, rendered whole, keeps within the limits.
    pub(crate) fn holds(&self, ctx: &PromptContext, text: &str) -> bool {
        let count = ctx.skills.as_ref().map_or(0, |skills| skills.len());
        let is_short = |limit| text.len() <= limit || text.chars().count() <= limit;
        self.max_skills.is_none_or(|limit| count <= limit) && self.max_chars.is_none_or(is_short)
    }

    /// Returns the entries that may fit: those behind could not, whatever their form.
    fn entries(&self, skills: &[SkillEntry]) -> Vec<SkillEntry> {
        skills.iter().take(self.most(skills)).map(|entry| self.styled(entry)).collect()
    }

    /// Counts the first skills whose bare words keep within the limits.
    fn most(&self, skills: &[SkillEntry]) -> usize {
        let limit = self.max_chars.unwrap_or(usize::MAX);
        let mut chars = 0usize;
        let fits = |entry: &&SkillEntry| {
            let words = if self.ladder { 0 } else { entry.description.chars().count() };
            chars = chars.saturating_add(words + entry.name.chars().count());
            chars <= limit
        };
        skills.iter().take(self.max_skills.unwrap_or(usize::MAX)).take_while(fits).count()
    }

    /// Tells whether the list of a context may be rendered whole.
    pub(crate) fn may_hold(&self, ctx: &PromptContext) -> bool {
        let skills = ctx.skills.as_deref().unwrap_or_default();
        self.most(skills) == skills.len()
    }

    fn styled(&self, entry: &SkillEntry) -> SkillEntry {
        let location =
            if self.style.shows_location() { self.short(&entry.location) } else { String::new() };
        let entry = SkillEntry { location, ..entry.clone() };
        if matches!(self.style, ListStyle::Xml { .. }) { entry } else { as_bullet(entry) }
    }

    fn short(&self, location: &str) -> String {
        let below = self.home.as_ref().and_then(|home| location.strip_prefix(home.to_str()?));
        match below.and_then(|below| below.strip_prefix(std::path::MAIN_SEPARATOR)) {
            Some(below) => format!("~/{below}"),
            None => location.to_owned(),
        }
    }

    /// Renders what is shown; the rest of `total` is counted in the note.
    fn say(
        &self,
        ctx: &PromptContext,
        shown: &[SkillEntry],
        total: usize,
    ) -> Result<Option<String>, PromptError> {
        let ctx = PromptContext {
            skills: Some(Arc::from(shown)),
            skills_omitted: ctx.skills_omitted + total - shown.len(),
            ..ctx.clone()
        };
        TextModule::of(&self.texts, self.style.words()).render(&ctx)
    }

    fn fits(&self, text: Option<&String>) -> bool {
        let chars = text.map_or(0, |text| text.chars().count());
        self.max_chars.is_none_or(|limit| chars <= limit)
    }
}

impl PromptModule for SkillList {
    fn name(&self) -> &'static str {
        "skills"
    }

    fn zone(&self) -> Zone {
        Zone::Session
    }

    fn source(&self) -> &str {
        self.texts.source(self.style.words(), "default").unwrap_or(HOST)
    }

    fn render(&self, ctx: &PromptContext) -> Result<Option<String>, PromptError> {
        let skills = ctx.skills.as_deref().unwrap_or_default();
        let mut entries = self.entries(skills);
        let text = self.say(ctx, &entries, skills.len())?;
        if self.fits(text.as_ref()) {
            return Ok(text);
        }
        if self.ladder {
            for entry in &mut entries {
                entry.description.clear();
            }
            let text = self.say(ctx, &entries, skills.len())?;
            if self.fits(text.as_ref()) {
                return Ok(text);
            }
        }
        self.longest(ctx, &entries, skills.len())
    }
}

impl SkillList {
    /// Renders as many of the first entries as fit; the last ones to be tried are the right ones,
    /// because a shorter list is never the longer text.
    fn longest(
        &self,
        ctx: &PromptContext,
        entries: &[SkillEntry],
        total: usize,
    ) -> Result<Option<String>, PromptError> {
        let (mut fitting, mut excessive) = (0, entries.len());
        let mut best = None;
        while fitting + 1 < excessive {
            let middle = usize::midpoint(fitting, excessive);
            let text = self.say(ctx, &entries[..middle], total)?;
            if self.fits(text.as_ref()) {
                (fitting, best) = (middle, text);
            } else {
                excessive = middle;
            }
        }
        Ok(best)
    }
}

/// Keeps a name from closing its code span, and a description from posing as a reminder.
fn as_bullet(entry: SkillEntry) -> SkillEntry {
    let description = plain::contained::<&str>(&entry.description, &[]).into_owned();
    SkillEntry { name: entry.name.replace('`', "'"), description, ..entry }
}
