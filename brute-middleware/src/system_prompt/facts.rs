//! The facts that hold for a session: gathered once, kept with it.

use std::{path::PathBuf, sync::Arc};

use brute_core::{Event, Session, Turn};
use brute_prompts::{
    GitFacts, PromptContext,
    gather::{GatherOptions, Gathered, GitLimits, GitProgram, SessionFacts, gather, git_facts},
};
use serde_json::Value;

use super::SystemPromptLayer;

/// The metadata key of the facts that were gathered.
const FACTS: &str = "prompt_facts";

/// Lets the next turn of a session gather its facts anew, such as skills that were added.
pub fn reload_prompt_facts(session: &Session) {
    session.remember(FACTS, Value::Null);
}

/// What a prompt is told beside what the turn itself says.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    session: Arc<SessionFacts>,
    git: Option<Arc<GitFacts>>,
}

/// The facts in memory, and the metadata that they were read from or written to.
#[derive(Clone)]
struct Known {
    source: Arc<Value>,
    facts: Arc<SessionFacts>,
}

impl Facts {
    pub(super) fn apply(&self, ctx: &mut PromptContext) {
        self.session.apply(ctx);
        ctx.git = ctx.git.take().or_else(|| self.git.clone());
    }
}

impl SystemPromptLayer {
    /// Returns the facts, unless something has to be gathered first.
    pub(super) fn known_facts(&self, turn: &Turn) -> Option<Facts> {
        if self.git_status {
            return None;
        }
        self.known_session(turn).map(|session| Facts { session, git: None })
    }

    fn known_session(&self, turn: &Turn) -> Option<Arc<SessionFacts>> {
        if self.gather.is_none() {
            return Some(Arc::default());
        }
        let source = turn.meta.get(FACTS)?;
        if let Some(known) =
            turn.journal.kept::<Known>().filter(|known| Arc::ptr_eq(&known.source, source))
        {
            return Some(known.facts);
        }
        if source.is_null() {
            return None;
        }
        let facts: Arc<SessionFacts> = serde_json::from_value((**source).clone()).ok()?;
        turn.journal.keep(Known { source: source.clone(), facts: facts.clone() });
        Some(facts)
    }
}

/// Gathers what is not known yet, on a thread for blocking work, and keeps it with the session.
pub(super) async fn gather_facts(layer: &SystemPromptLayer, turn: &mut Turn) -> Facts {
    let known = layer.known_session(turn);
    let cwd = turn.facts.cwd().map(PathBuf::from);
    let options = layer.gather.clone().filter(|_| known.is_none());
    let with_git = layer.git_status;
    let (gathered, git) = blocking(move || {
        let git = with_git.then(|| ask_git(cwd.as_deref())).flatten();
        (options.map(|options| gather_at(options, cwd)), git)
    })
    .await;
    let session = match gathered {
        Some(gathered) => keep(turn, gathered),
        None => known.unwrap_or_default(),
    };
    Facts { session, git: git.map(Arc::new) }
}

fn gather_at(options: GatherOptions, cwd: Option<PathBuf>) -> Gathered {
    match cwd {
        Some(cwd) => gather(&options.cwd(cwd)),
        None => gather(&options),
    }
}

fn ask_git(cwd: Option<&std::path::Path>) -> Option<GitFacts> {
    let cwd = cwd.map(PathBuf::from).or_else(|| std::env::current_dir().ok())?;
    git_facts(&GitProgram::default(), &cwd, &GitLimits::default())
}

/// Runs blocking work off the runtime, or in place where there is none.
async fn blocking<T: Default + Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::runtime::Handle::try_current() {
        // A panic in there has been reported by the panic hook; the prompt does without.
        Ok(runtime) => runtime.spawn_blocking(work).await.unwrap_or_default(),
        Err(_) => work(),
    }
}

fn keep(turn: &mut Turn, gathered: Gathered) -> Arc<SessionFacts> {
    for diagnostic in &gathered.diagnostics {
        turn.events.emit(|| Event::diagnostic(diagnostic.to_string()));
    }
    let facts = Arc::new(gathered.facts);
    if let Ok(source) = serde_json::to_value(&*facts) {
        let source = Arc::new(source);
        turn.journal.remember(FACTS, source.clone());
        turn.meta.set(FACTS, source.clone());
        turn.journal.keep(Known { source, facts: facts.clone() });
    }
    facts
}
