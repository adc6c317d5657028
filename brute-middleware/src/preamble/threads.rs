//! The conversations that go on from stage to stage.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use brute_core::Session;
use brute_prompts::preamble::PreambleMode;

/// The sessions of a run, by the name of their conversation; a clone is another handle on them.
///
/// ```
/// use brute_middleware::Threads;
/// use brute_prompts::preamble::{PreambleMode, ThreadNames};
///
/// let threads = Threads::default();
/// let names = ThreadNames { stage: Some("review"), ..ThreadNames::default() };
/// let session = threads.session(PreambleMode::Full, names.id());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Threads(Arc<Mutex<HashMap<String, Session>>>);

impl Threads {
    /// Returns the session for a stage.
    ///
    /// Only in full mode does a conversation go on, and only where it has a name; in every other
    /// mode a stage begins a new one, and a preamble tells it what happened.
    pub fn session(&self, mode: PreambleMode, name: Option<&str>) -> Session {
        match (mode, name) {
            (PreambleMode::Full, Some(name)) => {
                let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                sessions.entry(name.to_owned()).or_default().clone()
            }
            _ => Session::new(),
        }
    }
}
