//! Under which names the tools are on offer.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, LazyLock},
};

use serde::{Deserialize, Serialize};

/// The canonical names of the built-in tools, as templates spell them.
pub const BUILT_IN_TOOLS: [&str; 17] = [
    "read",
    "list",
    "glob",
    "search",
    "write",
    "edit",
    "patch",
    "remove",
    "undo",
    "shell",
    "fetch",
    "todo_write",
    "todo_read",
    "question",
    "skill",
    "use_skill",
    "delegate",
];

/// The canonical names of tools that a host may bring, as the sections that it adds spell them.
pub const HOST_TOOLS: [&str; 9] = [
    "update_plan",
    "schedule",
    "process",
    "session_status",
    "memory_search",
    "send_message",
    "configure",
    "read_many",
    "web_search",
];

static ALL: LazyLock<ToolNames> =
    LazyLock::new(|| ToolNames::of(BUILT_IN_TOOLS.map(|name| (name, name))));
static NONE: LazyLock<ToolNames> = LazyLock::new(|| ToolNames::of::<&str, &str>([]));

/// Maps the canonical name of a tool to the name under which it is on offer.
///
/// A sentence of a prompt that names a tool which is not here disappears. A clone costs one
/// reference count; keep a value as long as the tools stay the same, because texts are kept by it.
///
/// # Example
///
/// ```
/// use brute_prompts::ToolNames;
///
/// let tools = ToolNames::of([("read", "read_file"), ("edit", "apply_patch")]);
/// assert_eq!(tools.get("edit"), Some("apply_patch"));
/// assert_eq!(tools.get("shell"), None);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "BTreeMap<String, Arc<str>>", into = "BTreeMap<String, Arc<str>>")]
pub struct ToolNames(Arc<Offered>);

#[derive(Debug)]
struct Offered {
    names: BTreeMap<String, Arc<str>>,
    hash: u64,
}

impl ToolNames {
    /// Returns all built-in tools under their own names.
    pub fn all() -> Self {
        ALL.clone()
    }

    /// Returns no tools.
    pub fn none() -> Self {
        NONE.clone()
    }

    /// Returns these tools: the canonical name, then the name on offer.
    pub fn of<C, O>(names: impl IntoIterator<Item = (C, O)>) -> Self
    where
        C: Into<String>,
        O: Into<Arc<str>>,
    {
        names.into_iter().map(|(canonical, offered)| (canonical.into(), offered.into())).collect()
    }

    /// Returns these tools, each under its own name.
    pub fn only<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        let own = |name: String| (name.clone(), Arc::from(name));
        names.into_iter().map(|name| own(name.into())).collect()
    }

    /// Returns these tools, known by their names in lower case and shown as they are spelled.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::ToolNames;
    ///
    /// assert_eq!(ToolNames::spelled(["Update_Plan"]).get("update_plan"), Some("Update_Plan"));
    /// ```
    pub fn spelled<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        let own = |name: String| (name.to_lowercase(), Arc::from(name));
        names.into_iter().map(|name| own(name.into())).collect()
    }

    /// Returns the name on offer, or nothing where the tool is not.
    pub fn get(&self, canonical: &str) -> Option<&str> {
        self.shared(canonical).map(|name| &**name)
    }

    /// Returns canonical and offered names, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.names.iter().map(|(canonical, offered)| (canonical.as_str(), &**offered))
    }

    /// Returns true where no tool is on offer.
    pub fn is_empty(&self) -> bool {
        self.0.names.is_empty()
    }

    pub(crate) fn shared(&self, canonical: &str) -> Option<&Arc<str>> {
        self.0.names.get(canonical)
    }
}

impl Default for ToolNames {
    fn default() -> Self {
        Self::all()
    }
}

impl PartialEq for ToolNames {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.hash == other.0.hash && self.0.names == other.0.names)
    }
}

impl Eq for ToolNames {}

impl FromIterator<(String, Arc<str>)> for ToolNames {
    fn from_iter<I: IntoIterator<Item = (String, Arc<str>)>>(names: I) -> Self {
        BTreeMap::from_iter(names).into()
    }
}

impl From<BTreeMap<String, Arc<str>>> for ToolNames {
    fn from(names: BTreeMap<String, Arc<str>>) -> Self {
        let mut hasher = DefaultHasher::new();
        names.hash(&mut hasher);
        Self(Arc::new(Offered { names, hash: hasher.finish() }))
    }
}

impl From<ToolNames> for BTreeMap<String, Arc<str>> {
    fn from(tools: ToolNames) -> Self {
        tools.0.names.clone()
    }
}
