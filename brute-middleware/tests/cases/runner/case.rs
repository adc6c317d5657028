//! A case as its file describes it; a key that is not known here is an error.

use std::{collections::BTreeMap, fs, mem, path::Path};

use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::{Map, Value};
use tower::BoxError;

/// What stands for the root of the case in its texts.
const ROOT: &str = "${ROOT}";

/// One case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    #[serde(default)]
    pub(crate) feature: Option<String>,
    #[serde(default)]
    pub(crate) setup: Setup,
    #[serde(default)]
    pub(crate) context: Map<String, Value>,
    pub(crate) call: Call,
    pub(crate) expect: Map<String, Value>,
    #[serde(rename = "id")]
    _id: String,
    #[serde(default, rename = "area")]
    _area: IgnoredAny,
    #[serde(default, rename = "basis")]
    _basis: IgnoredAny,
    #[serde(default, rename = "why")]
    _why: IgnoredAny,
}

/// What is created first, in the order of the fields.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Setup {
    pub(crate) dirs: Vec<String>,
    pub(crate) files: BTreeMap<String, Content>,
    pub(crate) symlinks: BTreeMap<String, String>,
    pub(crate) git: Vec<GitStep>,
    #[serde(deserialize_with = "one_or_more")]
    pub(crate) needs: Vec<String>,
}

/// What is in a file.
#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(crate) enum Content {
    Text(String),
    Bytes { base64: String },
    Parts { parts: Vec<Part> },
}

/// A piece of a file.
#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(crate) enum Part {
    Text(String),
    Repeated { repeat: String, times: usize },
}

/// One thing to do with git.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum GitStep {
    Init {
        #[serde(default)]
        dir: String,
        #[serde(default)]
        branch: Option<String>,
    },
    Commit {
        #[serde(default)]
        dir: String,
        #[serde(default)]
        message: Option<String>,
        #[serde(default)]
        paths: Option<Vec<String>>,
    },
    Detach {
        #[serde(default)]
        dir: String,
    },
    Worktree {
        #[serde(default)]
        dir: String,
        #[serde(default)]
        branch: Option<String>,
        path: String,
    },
    ManyFiles {
        #[serde(default)]
        dir: String,
        count: usize,
        name: String,
    },
}

/// The call to make.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Call {
    pub(crate) op: String,
    #[serde(default)]
    pub(crate) args: Map<String, Value>,
    #[serde(default)]
    pub(crate) repeat: Option<usize>,
    #[serde(default)]
    pub(crate) parallel: Option<usize>,
    #[serde(default)]
    pub(crate) apply: Option<usize>,
    #[serde(default)]
    pub(crate) runs: Option<Vec<Changes>>,
}

/// What one run lays over the base.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Changes {
    pub(crate) args: Map<String, Value>,
    pub(crate) context: Map<String, Value>,
}

impl Case {
    /// Reads a case that takes place in this directory.
    pub(crate) fn read(file: &Path, root: &Path) -> Result<Self, BoxError> {
        let mut case: Value = serde_json::from_slice(&fs::read(file)?)?;
        insert_root(&mut case, root.to_str().ok_or("the root of the case is not UTF-8")?);
        parse(case, "the case")
    }
}

/// Reads a value; the error says where in the case it stands.
pub(crate) fn parse<T: DeserializeOwned>(value: Value, place: &str) -> Result<T, BoxError> {
    serde_json::from_value(value).map_err(|error| format!("{place}: {error}").into())
}

fn insert_root(value: &mut Value, root: &str) {
    match value {
        Value::String(text) => *text = text.replace(ROOT, root),
        Value::Array(items) => items.iter_mut().for_each(|item| insert_root(item, root)),
        Value::Object(entries) => {
            entries.values_mut().for_each(|entry| insert_root(entry, root));
            let named = mem::take(entries).into_iter();
            *entries = named.map(|(name, entry)| (name.replace(ROOT, root), entry)).collect();
        }
        _ => {}
    }
}

fn one_or_more<'de, D: serde::Deserializer<'de>>(needs: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Needs {
        One(String),
        More(Vec<String>),
    }
    Ok(match Needs::deserialize(needs)? {
        Needs::One(need) => vec![need],
        Needs::More(needs) => needs,
    })
}
