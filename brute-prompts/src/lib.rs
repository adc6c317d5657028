//! System prompts as a stack of small modules, chosen per provider and rendered at turn time.
//!
//! A [`PromptContext`] holds the facts. A [`Family`] is inferred from provider and model, and
//! picks a stack, which is a list of names of modules. Each module says something, or nothing:
//! the words lie in `text/<module>/<family>.txt`. [`SystemPrompt::prepare`] renders them into
//! [`Rendered`]: sections in order, each in a [`Zone`].
//!
//! What stands on the other side, in the words of a user, is the business of [`user_prompt`] and
//! [`preamble`].
//!
//! Nothing here is asynchronous, and only [`gather`] touches disk, clock or git.
//!
//! ```
//! use brute_prompts::{PromptContext, SystemPrompt};
//!
//! let ctx = PromptContext::new("openrouter", "anthropic/claude-sonnet");
//! let rendered = SystemPrompt::default().prepare(&ctx)?;
//! assert_eq!(rendered.family().name(), "anthropic");
//! for section in &rendered {
//!     println!("{:20} {:?} {} bytes", section.name, section.zone, section.bytes());
//! }
//! # Ok::<(), brute_prompts::PromptError>(())
//! ```

#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod diagnostic;
mod error;

// The facts.
mod budget;
mod context;
mod environment_style;
mod family;
mod host_facts;
mod instruction_file;
mod mode;
mod placement;
pub mod plain;
mod time_format;
mod tools;
mod workspace_files;
mod workspace_place;
mod workspace_warning;
mod zone;

// The words.
mod fields;
mod file_values;
mod host_values;
mod markdown;
mod normalise;
mod pattern;
mod phrase;
mod skill_values;
mod slots;
pub mod template;
mod text;
mod text_file;
mod tidy;
mod tool_lines;
mod trim;
mod variables;

// The modules.
mod beside;
mod contribution;
mod doubles;
mod draft;
mod edit;
mod entry;
mod gpt5;
mod hooks;
mod module;
mod modules;
mod profile;
mod stacks;

pub mod skill;

// What users say, and what is said back to their programs.
pub mod preamble;

pub mod directive;
pub mod user_prompt;

// The prompt.
mod blocks;
mod messages;
mod mode_change;
mod plan;
mod prepare;
mod prompt_file;
mod recent_note;
mod render;
mod rendered;
mod report;
mod sources;
mod stray;
mod system_prompt;

pub mod gather;

pub use blocks::{Block, split_at_boundary};
pub use budget::{Budget, CutCause, CutStyle, Unit};
pub use context::{GitFacts, PromptContext, SkillEntry};
pub use contribution::{Contributed, Contribution};
pub use diagnostic::{Diagnostic, Severity};
pub use draft::PromptDraft;
pub use environment_style::EnvironmentStyle;
pub use error::{PromptError, PromptErrorKind};
pub use family::{Families, Family};
pub use gpt5::{Gpt5Overlay, Personality};
pub use host_facts::{HostFacts, Reactions, RuntimeFacts, SandboxFacts};
pub use instruction_file::{InstructionFile, InstructionScope};
pub use mode::PromptMode;
pub use mode_change::{ModeChange, Worktree};
pub use module::{Module, PromptModule, TextModule};
pub use placement::{ContextMessage, ContextRole, InstructionPlacement, ReminderPlacement};
pub use profile::Profile;
pub use prompt_file::{
    PromptFile, PromptFileLevel, PromptSettings, editing_tool, estimated_tool_calls,
};
pub use recent_note::RecentNote;
pub use rendered::{Rendered, Section, estimated_tokens};
pub use report::{Report, SectionReport};
pub use sources::{SourceKind, SourceReport};
pub use stacks::stack_of;
pub use system_prompt::SystemPrompt;
pub use text::Texts;
pub use time_format::TimeFormat;
pub use tools::{BUILT_IN_TOOLS, HOST_TOOLS, ToolNames};
pub use workspace_files::{
    CutFile, FileStatus, WorkspaceAnalysis, WorkspaceFile, WorkspaceFiles, WorkspaceWarning,
};
pub use workspace_warning::WarningMode;
pub use zone::Zone;
