//! What a call takes place in: the context of the case, and the folders that it names.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use brute_prompts::{
    PromptContext,
    gather::{GatherOptions, Today},
};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use tower::BoxError;

/// The context of one run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Context {
    #[serde(deserialize_with = "or_default")]
    pub(crate) provider: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) model: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) cwd: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) home: String,
    clock: Option<String>,
    pub(crate) flags: Flags,
    /// Variables in force during the call.
    pub(crate) env: BTreeMap<String, Option<String>>,
}

/// What a prompt module can read; a value of another type than it reads says nothing.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Flags {
    agent: Value,
    agent_switched: Value,
    max_steps_reached: Value,
}

/// Everything that an operation may look at besides its arguments.
#[derive(Debug)]
pub(crate) struct Scene {
    root: PathBuf,
    pub(crate) context: Context,
    /// How many times the result goes through the same layer.
    pub(crate) apply: usize,
}

impl Scene {
    /// Sets the scene in the root of a case; the working directory and the home exist then.
    pub(crate) fn new(root: &Path, context: Context, apply: usize) -> Result<Self, BoxError> {
        let scene = Self { root: root.to_path_buf(), context, apply };
        fs::create_dir_all(scene.cwd())?;
        fs::create_dir_all(scene.home())?;
        Ok(scene)
    }

    /// Returns a path of the case as an absolute one.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        if relative.is_empty() { self.root.clone() } else { self.root.join(relative) }
    }

    /// Returns the working directory.
    pub(crate) fn cwd(&self) -> PathBuf {
        self.path(&self.context.cwd)
    }

    /// Returns the home folder.
    pub(crate) fn home(&self) -> PathBuf {
        self.path(&self.context.home)
    }

    /// Returns how facts are gathered here.
    pub(crate) fn gathering(&self) -> Result<GatherOptions, BoxError> {
        let options = GatherOptions::new(self.cwd()).home(self.home());
        Ok(match &self.context.clock {
            Some(clock) => options.clock(Today::parse(clock)?),
            None => options,
        })
    }

    /// Returns what a prompt knows before anything is gathered.
    pub(crate) fn prompt_context(&self) -> PromptContext {
        let Context { provider, model, flags, .. } = &self.context;
        let word = |flag: &Value| flag.as_str().map(Arc::from);
        PromptContext {
            agent: word(&flags.agent),
            agent_switched: word(&flags.agent_switched),
            max_steps_reached: flags.max_steps_reached == Value::Bool(true),
            ..PromptContext::new(provider.as_str(), model.as_str())
        }
    }
}

/// Reads `null` as not known.
fn or_default<'de, D: Deserializer<'de>>(value: D) -> Result<String, D::Error> {
    Ok(Option::deserialize(value)?.unwrap_or_default())
}

impl Flags {
    /// Returns the flags that are set, by name.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        let all = [
            ("agent", &self.agent),
            ("agent_switched", &self.agent_switched),
            ("max_steps_reached", &self.max_steps_reached),
        ];
        all.into_iter().filter(|(_, flag)| !flag.is_null())
    }
}
