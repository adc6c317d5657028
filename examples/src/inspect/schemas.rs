//! The definitions of the tools, which a model is sent beside the prompt.

use brute_core::{Tool, ToolSpec};
use brute_middleware::tools::{LoadSkill, UseSkill, looking};
use brute_prompts::{FileStatus, SourceKind, SourceReport, ToolNames};
use serde_json::json;

/// Returns the definitions of the tools on offer, as far as the program has these tools; nothing
/// of them stands in the prompt.
pub(super) fn of(tools: &ToolNames) -> Vec<SourceReport> {
    let specs = specs();
    let known = specs.iter().filter_map(|spec| Some((tools.get(spec.known_name())?, spec)));
    known.map(|(name, spec)| source(name, spec)).collect()
}

/// Returns the names of the tools on offer whose definitions only another host knows.
pub(super) fn unknown(tools: &ToolNames) -> Vec<&str> {
    let specs = specs();
    let is_known = |name: &str| specs.iter().any(|spec| spec.known_name() == name);
    tools.iter().filter(|(name, _)| !is_known(name)).map(|(_, offered)| offered).collect()
}

fn specs() -> Vec<ToolSpec> {
    let mut specs: Vec<_> = looking().specs().cloned().collect();
    specs.extend([LoadSkill::new([]).spec(), UseSkill::new([]).spec()]);
    specs
}

fn source(name: &str, spec: &ToolSpec) -> SourceReport {
    let definition = json!({
        "name": name,
        "description": spec.description,
        "parameters": spec.parameters,
    });
    SourceReport {
        source: name.to_owned(),
        kind: SourceKind::Tools,
        raw_bytes: definition.to_string().len(),
        injected_bytes: 0,
        status: FileStatus::Ok,
        at: None,
    }
}
