//! What layers tell each other, tools and prompts in the course of a turn.

use std::{
    collections::BTreeMap,
    path::{self, Path, PathBuf},
    sync::Arc,
};

use serde_json::Value;

/// Facts of one turn; a clone is one reference count.
///
/// Each fact has one writer: `step` the tool loop, `max_steps_reached` the step limit, `agent` and
/// `agent_switched` the plan mode, all others the caller.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The number of the model call within the turn, from 1; 0 above the tool loop.
    pub step: u32,
    /// Whether this model call is the last one that the step limit allows.
    pub max_steps_reached: bool,
    shared: Arc<Shared>,
}

#[derive(Clone, Debug, Default)]
struct Shared {
    cwd: Option<PathBuf>,
    agent: Option<Arc<str>>,
    agent_switched: Option<Arc<str>>,
    given: BTreeMap<Arc<str>, Value>,
}

impl Facts {
    /// Returns the working directory of the turn, if the caller named one.
    pub fn cwd(&self) -> Option<&Path> {
        self.shared.cwd.as_deref()
    }

    /// Sets the working directory; a relative path starts from that of the process.
    pub fn set_cwd(&mut self, cwd: impl Into<PathBuf>) {
        let cwd = cwd.into();
        self.change().cwd = Some(path::absolute(&cwd).unwrap_or(cwd));
    }

    /// Returns the name of the agent mode, such as `plan` or `build`.
    pub fn agent(&self) -> Option<&str> {
        self.shared.agent.as_deref()
    }

    /// Sets the name of the agent mode.
    pub fn set_agent(&mut self, agent: impl Into<Arc<str>>) {
        self.change().agent = Some(agent.into());
    }

    /// Returns the mode that was just entered, during the first model call after the switch.
    pub fn agent_switched(&self) -> Option<&str> {
        self.shared.agent_switched.as_deref()
    }

    /// Sets or clears the mode that was just entered.
    pub fn set_agent_switched(&mut self, agent: Option<Arc<str>>) {
        self.change().agent_switched = agent;
    }

    /// Returns a fact that the caller gave.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.shared.given.get(key)
    }

    /// Gives a fact, which wins over what would be gathered; prompts read it under the same key.
    ///
    /// The keys `cwd`, `agent` and `agent_switched` set what the methods of these names return.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        match (key, value.into()) {
            ("cwd", Value::String(cwd)) => self.set_cwd(cwd),
            ("agent", Value::String(agent)) => self.set_agent(agent),
            ("agent_switched", Value::String(agent)) => self.set_agent_switched(Some(agent.into())),
            ("max_steps_reached", Value::Bool(reached)) => self.max_steps_reached = reached,
            (key, value) => drop(self.change().given.insert(key.into(), value)),
        }
    }

    /// Iterates over the facts that the caller gave, ordered by key.
    pub fn given(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.shared.given.iter().map(|(key, value)| (&**key, value))
    }

    fn change(&mut self) -> &mut Shared {
        Arc::make_mut(&mut self.shared)
    }
}
