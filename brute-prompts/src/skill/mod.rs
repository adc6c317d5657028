//! Skills: folders with a `SKILL.md` that teach the model a task when it needs it.
//!
//! [`discover()`] reads what the roots hold, [`validate()`] judges one folder strictly, [`SkillList`]
//! tells the model about them, [`expand()`] turns `/name rest` into the text of a skill, and
//! [`content()`] is what a tool answers that loads one.

mod commands;
mod content;
mod discover;
mod duplicates;
mod entries;
mod fault;
mod fields;
mod find;
mod front_matter;
mod gates;
mod list;
mod load;
mod machine;
mod options;
mod read;
mod repair;
mod root;
mod rules;
mod slash;
mod tool_names;
mod validate;
mod yaml;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

pub use commands::Commands;
pub use content::{ContentOptions, bundled_files, content, find_for_model};
pub use discover::{Discovery, Ineligible, Shadowed, discover};
pub use duplicates::DuplicatePolicy;
pub use front_matter::MAX_FRONT_MATTER_BYTES;
pub use gates::Gates;
pub use list::{ListStyle, SkillList, listed};
pub use load::{Validation, parse_skill};
pub use machine::{Machine, ThisMachine};
pub use options::DiscoverOptions;
pub use read::{MAX_FILE_BYTES, load_body};
pub use root::{Links, Places, Preset, SkillRoot};
pub use rules::{MAX_COMPATIBILITY_CHARS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS};
pub use slash::{
    ExpandError, ExpandOptions, Expansion, SlashCommand, UnknownCommand, expand, fill, parse,
};
pub use validate::validate;

/// One skill as its front matter describes it; the body stays on disk until it is wanted.
///
/// Every value is the text that the author wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Skill {
    /// The name under which it is listed and called.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// The path of its file.
    pub location: PathBuf,
    /// Where it comes from, such as `project` or `global`.
    pub scope: String,
    /// The licence, if one is named.
    pub license: Option<String>,
    /// What it needs of its surroundings, in words for people.
    pub compatibility: Option<String>,
    /// Whatever else the author noted.
    pub metadata: BTreeMap<String, String>,
    /// The tools it wants to use.
    pub allowed_tools: Vec<String>,
    /// Whether it stays out of the list for the model and is for people only.
    pub disable_model_invocation: bool,
    /// Whether people may call it with a slash.
    pub user_invocable: bool,
    /// What the machine must offer.
    pub gates: Gates,
}

impl Default for Skill {
    fn default() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            location: PathBuf::new(),
            scope: String::new(),
            license: None,
            compatibility: None,
            metadata: BTreeMap::new(),
            allowed_tools: Vec::new(),
            disable_model_invocation: false,
            user_invocable: true,
            gates: Gates::default(),
        }
    }
}

impl Skill {
    /// Returns the folder that holds the skill, to which its relative paths refer.
    pub fn folder(&self) -> &Path {
        self.location.parent().unwrap_or(&self.location)
    }

    /// Reads the text behind the front matter.
    ///
    /// # Errors
    ///
    /// Describes a file that has gone, grown beyond [`MAX_FILE_BYTES`] or is not UTF-8 any more.
    pub fn load_body(&self) -> Result<String, crate::Diagnostic> {
        load_body(&self.location)
    }
}
