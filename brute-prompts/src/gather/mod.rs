//! The only place that touches disk, clock or git; what it returns is plain data.
//!
//! [`gather`] collects what holds for a session, [`git_facts`] what may change with each call.
//! Both block: in an asynchronous program they belong on a thread for blocking work.

mod clock;
mod git;
mod git_program;
mod git_status;
mod overlay;
mod platform;
mod repository;
mod session;

pub use clock::{Clock, SystemClock, Today};
pub use git::{Git, GitLimits, git_facts};
pub use git_program::GitProgram;
pub(crate) use overlay::overlay;
pub use platform::Platform;
pub use repository::repository_root;
pub use session::{GatherOptions, Gathered, SessionFacts, gather};
