//! The only place that touches disk, clock or git; what it returns is plain data.
//!
//! [`gather`] collects what holds for a session, [`git_facts`] what may change with each call.
//! Both block: in an asynchronous program they belong on a thread for blocking work.

mod clock;
mod facts;
mod git;
mod git_program;
mod git_status;
mod home;
mod instructions;
mod moment;
mod options;
mod overlay;
mod platform;
mod preamble;
mod prompt_files;
pub(crate) mod read;
mod repository;
mod session;
mod time_words;
mod user_prompt;
mod workspace;

pub use clock::{Clock, SystemClock, Today};
pub use facts::SessionFacts;
pub use git::{Git, GitLimits, git_facts};
pub use git_program::GitProgram;
pub use instructions::{
    InstructionImports, InstructionNames, InstructionOptions, InstructionWalk, Instructions,
    instructions, reread_instructions,
};
pub use moment::Moment;
pub use options::GatherOptions;
pub(crate) use overlay::overlay;
pub use platform::Platform;
pub use preamble::store_large_values;
pub use prompt_files::{
    PromptFileOptions, configured_settings, resolve_prompt_file, resolve_supervisor_file,
    workspace_root,
};
pub use repository::repository_root;
pub use session::{Gathered, gather};
pub use time_words::time_words;
pub use user_prompt::ReferenceFolders;
pub use workspace::{
    Audience, GatheredNotes, RecentNotes, WORKSPACE_FILES, Workspace, WorkspaceCache,
    WorkspaceOptions, WorkspaceSource, recent_notes, workspace_files,
};
