//! What a skill needs of the machine before it is offered.

use serde::{Deserialize, Serialize};

use super::{machine::Machine, tool_names::tool_names, yaml::Yaml};

/// What must hold for a skill to be offered, read from its `metadata`.
///
/// Two notations: flat keys with the prefix `requires-` (`requires-bins: git gh`), which keep to the
/// format; and a mapping under a key of any name, with `os`, `always` and `requires`, in which
/// `bins`, `anyBins`, `env` and `config` are lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Gates {
    /// The systems it runs on; none named means all.
    pub os: Vec<String>,
    /// Programs that must all be on the path.
    pub bins: Vec<String>,
    /// Programs of which one must be on the path.
    pub any_bins: Vec<String>,
    /// Environment variables that must be set.
    pub env: Vec<String>,
    /// Settings of the host that must be switched on.
    pub config: Vec<String>,
    /// Whether everything but the system is waved through.
    pub always: bool,
}

impl Gates {
    pub(crate) fn from_metadata(pairs: &[(String, Yaml)]) -> Self {
        let mut gates = Self::default();
        for (key, value) in pairs {
            match key.strip_prefix("requires-") {
                Some(gate) => gates.add(gate, value),
                None => gates.add_block(value),
            }
        }
        gates
    }

    /// Returns the first thing that is missing, in words.
    pub fn unmet(&self, machine: &dyn Machine) -> Option<String> {
        self.wrong_system(machine)
            .or_else(|| if self.always { None } else { self.missing(machine) })
    }

    fn wrong_system(&self, machine: &dyn Machine) -> Option<String> {
        let system = machine.os();
        let fits = self.os.is_empty() || self.os.iter().any(|os| same_system(os, &system));
        (!fits).then(|| format!("it is for {}, this is {system}", self.os.join(" or ")))
    }

    fn missing(&self, machine: &dyn Machine) -> Option<String> {
        let absent = |names: &[String], has: &dyn Fn(&str) -> bool, what: &str| {
            let name = names.iter().find(|name| !has(name))?;
            Some(format!("the {what} {name:?} is missing"))
        };
        absent(&self.bins, &|name| machine.has_program(name), "program")
            .or_else(|| self.none_of(machine))
            .or_else(|| absent(&self.env, &|name| machine.has_env(name), "environment variable"))
            .or_else(|| absent(&self.config, &|name| machine.is_configured(name), "setting"))
    }

    fn none_of(&self, machine: &dyn Machine) -> Option<String> {
        let found =
            self.any_bins.is_empty() || self.any_bins.iter().any(|name| machine.has_program(name));
        (!found).then(|| format!("none of the programs {} is there", self.any_bins.join(", ")))
    }

    fn add_block(&mut self, block: &Yaml) {
        let inner = |key| block.get("requires").and_then(|requires| requires.get(key));
        let gates = [("os", block.get("os")), ("always", block.get("always"))];
        let required =
            ["bins", "anyBins", "any-bins", "env", "config"].map(|key| (key, inner(key)));
        for (gate, value) in gates.into_iter().chain(required) {
            if let Some(value) = value {
                self.add(gate, value);
            }
        }
    }

    fn add(&mut self, gate: &str, value: &Yaml) {
        match gate {
            "os" => self.os.extend(names(value)),
            "bins" => self.bins.extend(names(value)),
            "any-bins" | "anyBins" => self.any_bins.extend(names(value)),
            "env" => self.env.extend(names(value)),
            "config" => self.config.extend(names(value)),
            "always" => self.always = *value == Yaml::Text("true".into()),
            _ => {}
        }
    }
}

fn names(value: &Yaml) -> Vec<String> {
    match value {
        Yaml::Text(text) => tool_names([text.clone()]),
        Yaml::List(items) => tool_names(items.iter().cloned().map(Yaml::into_text)),
        Yaml::Map(_) => Vec::new(),
    }
}

/// Compares names of systems, under which other hosts know them too.
fn same_system(left: &str, right: &str) -> bool {
    let common = |name: &str| match name.to_lowercase().as_str() {
        "darwin" => "macos".to_owned(),
        "win32" => "windows".to_owned(),
        other => other.to_owned(),
    };
    common(left) == common(right)
}
