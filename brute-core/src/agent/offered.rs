//! The tools that layers offer must not be named like any other.

use std::collections::BTreeMap;

use crate::{Error, ErrorKind, Picture, ToolSpec, Toolbox};

/// Fails if a tool that a layer offers has the name of one of the agent's own, or of one that
/// another layer offers.
pub(super) fn check(picture: &Picture, tools: &Toolbox) -> Result<(), Error> {
    let mut offered = BTreeMap::new();
    for (layer, tool) in picture.offers() {
        if let Some(own) = tools.get(tool) {
            return Err(taken(layer, own.spec()));
        }
        if let Some(other) = offered.insert(tool, layer) {
            return Err(offered_twice(tool, other, layer));
        }
    }
    Ok(())
}

fn taken(layer: &str, own: &ToolSpec) -> Error {
    let ToolSpec { name, description, .. } = own;
    let message = format!(
        "two tools are named {name:?}: one that the layer {layer} offers, and one of the agent's own, {description:?}; rename that one with `Toolbox::rename`, or let the layer not offer it",
    );
    Error::new(ErrorKind::Invalid, message)
}

fn offered_twice(tool: &str, first: &str, second: &str) -> Error {
    let message = format!(
        "two layers offer a tool named {tool:?}: {first} and {second}; leave one of them out",
    );
    Error::new(ErrorKind::Invalid, message)
}
