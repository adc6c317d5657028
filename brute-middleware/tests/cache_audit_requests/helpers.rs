//! Sends requests through an audit.

use brute_core::{
    Event, Events, Log, Toolbox, Turn,
    models::{Script, ScriptedModel},
    testing::Recorder,
};
use brute_middleware::CacheAuditLayer;
use tower::{Layer, Service, ServiceExt};

/// Sends the requests one after the other, and returns what was told.
pub(crate) async fn told(turns: impl IntoIterator<Item = (Log, Toolbox)>) -> Vec<String> {
    let recorder = Recorder::default();
    let notes = recorder.clone();
    let events = Events::inline(move |event| {
        if let Event::PrefixChanged { what, .. } = event {
            notes.note(&*what);
        }
    });
    let turn = Turn { events, ..Turn::default() };
    let mut audit = CacheAuditLayer.layer(ScriptedModel::answering(|_| Script::text("Yes.")));
    for (log, tools) in turns {
        audit.ready().await.unwrap().call(Turn { log, tools, ..turn.clone() }).await.unwrap();
    }
    recorder.list()
}
