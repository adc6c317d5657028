//! Cassettes in a folder of their own.

use std::path::Path;

use brute_core::{Error, Log, Reply, Turn, models::ScriptedModel};
use brute_middleware::{Cassette, CassetteLayer};
use tempfile::TempDir;
use tower::{Layer, Service, ServiceExt};

pub(crate) type Recorded = Cassette<ScriptedModel>;

pub(crate) fn place() -> (TempDir, std::path::PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cassette.jsonl");
    (folder, path)
}

pub(crate) fn replaying(path: &Path) -> Recorded {
    CassetteLayer::replay(path).unwrap().layer(ScriptedModel::new([]))
}

/// Says something to the model, behind what was said.
pub(crate) async fn say(service: &mut Recorded, log: &Log) -> Result<Reply, Error> {
    service.ready().await?.call(Turn { log: log.clone(), ..Turn::default() }).await
}
