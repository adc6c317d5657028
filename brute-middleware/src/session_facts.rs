//! The facts that hold for a session: gathered once, kept with it.

use std::{path::PathBuf, sync::Arc};

use brute_core::{Event, Session, Turn};
use brute_prompts::{
    Family,
    gather::{GatherOptions, Gathered, SessionFacts, gather},
    skill::Skill,
};
use serde_json::Value;

use crate::{
    kept::{read, tell_unreadable},
    system_prompt::is_snapshot,
};

/// The metadata key of the facts that were gathered.
const FACTS: &str = "prompt_facts";

/// The metadata key of the warnings about cut workspace files that the model was given.
const TOLD: &str = "workspace_told";

/// Lets the next turn of a session gather its facts anew, such as skills that were added.
///
/// A prompt that was kept is rendered anew with them; a prompt file stays as it was read.
pub fn reload_prompt_facts(session: &Session) {
    session.remember(FACTS, Value::Null);
    for (key, _) in session.meta().iter().filter(|(key, _)| is_snapshot(key)) {
        session.remember(key, Value::Null);
    }
}

/// Tells whether a session keeps facts for its prompt.
pub fn keeps_prompt_facts(session: &Session) -> bool {
    session.meta().get(FACTS).is_some_and(|facts| !facts.is_null())
}

/// Returns what the facts of a session are kept as, if they were gathered.
pub(crate) fn facts_source(turn: &Turn) -> Option<Arc<Value>> {
    turn.journal.remembered(FACTS)
}

/// The facts in memory, and the metadata that they were read from or written to.
#[derive(Clone)]
struct Known {
    source: Arc<Value>,
    facts: Arc<SessionFacts>,
}

/// Returns the facts of a session, if they were gathered before.
pub(crate) fn known_facts(turn: &Turn) -> Option<Arc<SessionFacts>> {
    // A turn that passes again, as under a retry, does not know what was remembered in it.
    let source = &facts_source(turn)?;
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

/// Returns the skills of a session; none where these options look for none, whatever is kept.
pub(crate) fn wanted_skills<'a>(
    facts: &'a SessionFacts,
    options: Option<&GatherOptions>,
) -> &'a [Skill] {
    let are_wanted = options.is_none_or(GatherOptions::looks_for_skills);
    facts.skills.as_deref().filter(|_| are_wanted).unwrap_or_default()
}

/// Gathers the facts of a session, on a thread for blocking work, and keeps them with it.
pub(crate) async fn gather_facts(options: GatherOptions, turn: &Turn) -> Arc<SessionFacts> {
    tell_unreadable::<SessionFacts>(turn, FACTS);
    let family = Family::infer(turn.model.provider(), turn.model.model());
    let options = options.family(&family).workspace_told(told(turn));
    let options = match turn.facts.cwd() {
        Some(cwd) => options.cwd(PathBuf::from(cwd)),
        None => options,
    };
    let gathered = blocking(move || gather(&options)).await;
    keep(turn, gathered)
}

/// Runs blocking work off the runtime, or in place where there is none.
pub(crate) async fn blocking<T: Default + Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    match tokio::runtime::Handle::try_current() {
        // A panic in there has been reported by the panic hook; the turn does without.
        Ok(runtime) => runtime.spawn_blocking(work).await.unwrap_or_default(),
        Err(_) => work(),
    }
}

/// Returns the warnings that the model was given in this session.
fn told(turn: &Turn) -> Vec<String> {
    read(turn, TOLD).unwrap_or_default()
}

fn keep(turn: &Turn, gathered: Gathered) -> Arc<SessionFacts> {
    for diagnostic in &gathered.diagnostics {
        turn.events.emit(|| Event::diagnostic(diagnostic.to_string()));
    }
    if !gathered.workspace_told.is_empty() {
        turn.journal.remember(TOLD, Value::from(gathered.workspace_told));
    }
    let facts = Arc::new(gathered.facts);
    if let Ok(source) = serde_json::to_value(&*facts) {
        let source = Arc::new(source);
        turn.journal.remember(FACTS, source.clone());
        turn.journal.keep(Known { source, facts: facts.clone() });
    }
    facts
}
